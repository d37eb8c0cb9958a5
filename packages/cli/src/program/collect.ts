/** For an option that may be given again: all its values, in order. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
