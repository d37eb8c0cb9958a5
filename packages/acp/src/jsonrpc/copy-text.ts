/** A part of a string keeps all of the string in memory; this copy of it does not. */
export function copyText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
