import type { AcpHttpLimits } from './http-limits.ts';
import { HttpProblem } from './http-problem.ts';

/** @throws HttpProblem 400 when an id is too long to be kept. */
export function assertIdLength(
  what: 'session' | 'request' | 'POST',
  id: string,
  { idLengthMax }: Pick<AcpHttpLimits, 'idLengthMax'>,
): void {
  if (id.length <= idLengthMax) return;
  const detail = `The id of the ${what} has ${id.length} characters, the limit is ${idLengthMax}.`;
  throw new HttpProblem(400, 'invalid_request', detail);
}
