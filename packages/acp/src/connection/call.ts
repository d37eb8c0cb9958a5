import type { ResponseMessage } from '../jsonrpc/message.ts';
import { PeerError } from '../jsonrpc/peer-error.ts';
import { missingCapability, isMethodName, type Announced } from '../protocol/v1/methods.ts';
import { validateResult } from '../protocol/validation.ts';

/** @throws PeerError `not_supported` when the other side did not announce that it supports this. */
export function assertAnnounced(method: string, announced: Announced): void {
  const missing = isMethodName(method) ? missingCapability(method, announced) : undefined;
  if (missing === undefined) return;
  throw new PeerError('not_supported', `${method} needs ${missing}, which was not announced`);
}

/** The checked result of a response. @throws PeerError `invalid_response`. */
export function checkedResult<Result>(method: string, response: ResponseMessage): Result {
  const problem = validateResult(method, response.result);
  if (problem !== undefined) {
    const where = problem.path === '' ? 'the result' : problem.path;
    throw new PeerError(
      'invalid_response',
      `the answer to ${method}: ${where} ${problem.message}`,
      {
        cause: problem,
      },
    );
  }
  return (response.result ?? {}) as Result;
}
