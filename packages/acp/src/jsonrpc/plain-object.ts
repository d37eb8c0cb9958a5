/** Whether JSON.stringify writes the enumerable members of this object, and nothing else. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return (value as { toJSON?: unknown }).toJSON === undefined;
}

/** Whether this is an object that JSON.stringify writes as `{}`. */
export function isEmptyObject(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  for (const _key in value) return false;
  return true;
}
