import { CoreError } from '../core-error.ts';

/**
 * Checks a limit that somebody has set.
 *
 * @throws CoreError `limit_invalid` unless it is a whole number from `min` to `max`.
 */
export function checkLimit(name: string, value: number, min: number, max = Infinity): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  const upTo = max === Infinity ? '' : ` to ${max}`;
  throw new CoreError(
    'limit_invalid',
    `${name} is ${value}, but must be a whole number from ${min}${upTo}`,
  );
}
