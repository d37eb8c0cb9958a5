import type { ResponseMessage } from '../jsonrpc/message.ts';
import { PeerError } from '../jsonrpc/peer-error.ts';
import { missingCapability, isMethodName, type Announced } from '../protocol/v1/methods.ts';
import { validateResult } from '../protocol/validation.ts';

/** Why a method must not be called: the other side did not announce that it supports it. */
export function notAnnounced(method: string, announced: Announced): PeerError | undefined {
  const missing = isMethodName(method) ? missingCapability(method, announced) : undefined;
  if (missing === undefined) return undefined;
  const message = `${method} needs ${missing}, which was not announced`;
  return new PeerError('not_supported', message);
}

/** The checked result of a response. @throws PeerError `invalid_response`. */
export function checkedResult<Result>(response: ResponseMessage, method: string): Result {
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
