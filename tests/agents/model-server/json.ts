/** Reads JSON that somebody else wrote: whatever has another shape counts as absent. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none for anything else. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : {};
}

/** The elements of an array; none for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A string, or undefined for anything else. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The text in a message's content, which is a string or parts that hold strings, at any depth. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    return value
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n');
  }
  const { text, content, output } = membersOf(value);
  if (typeof text === 'string') return text;
  if (content !== undefined) return textOf(content);
  return output === undefined ? JSON.stringify(value) : textOf(output);
}
