/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: not null and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a path of names; undefined where there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** The string at a path; undefined if it is anything else. */
export function stringAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

/** The list at a path; empty if it is anything else. */
export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** Whether the marker or member at a path is there: absent and null are the same in ACP. */
export function isPresent(value: unknown, ...names: readonly string[]): boolean {
  const found = at(value, ...names);
  return found !== undefined && found !== null;
}

/** Parses JSON; undefined when it is none, which no JSON text means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
