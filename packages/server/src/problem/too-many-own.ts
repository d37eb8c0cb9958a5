import type { Problem } from './problem.ts';

/**
 * The problem of a client that has as many things of one kind open as one token or browser may: others want to come in,
 * too.
 *
 * @param things such as `event streams`.
 */
export function tooManyOwn(things: string, count: number): Problem {
  return {
    status: 429,
    code: 'too_many_streams',
    detail: `This token or browser has ${count} ${things} open, which is as many as one may have. Close some.`,
    headers: { 'Retry-After': '5' },
  };
}
