/**
 * The same text, in memory of its own. Engines make a part of a long text by pointing into that, which keeps
 * all of it for as long as the part is there.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
