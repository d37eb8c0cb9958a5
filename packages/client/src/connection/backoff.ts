/** How long to wait between attempts, in ms. */
export interface BackoffLimits {
  /** Bound of the first wait; it doubles with each attempt. Default 500. */
  readonly firstMs: number;
  /** Bound of every wait. Default 30,000. */
  readonly maxMs: number;
}

export const DEFAULT_BACKOFF: BackoffLimits = { firstMs: 500, maxMs: 30_000 };

/**
 * The wait before an attempt, with full jitter: anything from 0 to the bound, so that clients which lost
 * the same server do not come back at the same moment.
 *
 * @param attempt the number of the attempt that is waited for, from 1.
 * @param random a number from 0 to below 1.
 */
export function backoffMs(attempt: number, random: number, limits: BackoffLimits): number {
  const bound = Math.min(limits.maxMs, limits.firstMs * 2 ** (attempt - 1));
  return Math.floor(random * bound);
}
