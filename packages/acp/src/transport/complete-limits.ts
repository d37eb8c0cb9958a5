/** No timer is longer. */
const LIMIT_MAX = 2 ** 31 - 1;

/**
 * Fills in the defaults.
 *
 * @throws RangeError when a limit is no whole number from 1 to 2^31 - 1.
 */
export function completeLimits<Limits extends object>(
  defaults: Required<Limits>,
  given: Limits | undefined,
): Required<Limits> {
  const limits = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Limits)[]) {
    const value = given?.[name];
    if (value === undefined) continue;
    checkLimit(String(name), value);
    limits[name] = value;
  }
  return limits;
}

/**
 * A limit is a whole number from 1 to `max`.
 *
 * @throws RangeError when it is not, with its name.
 */
export function checkLimit(name: string, value: unknown, max = LIMIT_MAX): void {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max) return;
  throw new RangeError(`${name} must be a whole number from 1 to ${max}, not ${String(value)}`);
}
