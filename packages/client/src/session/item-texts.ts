const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** The items of a JSON list, each as its exact text. @param list the text of one valid JSON list. */
export function itemTexts(list: string): string[] {
  const end = list.lastIndexOf(']');
  const items: string[] = [];
  let start = list.indexOf('[') + 1;
  if (list.slice(start, end).trim() === '') return items;
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = list.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(list, at);
    } else if (code === 123 || code === 91) {
      depth++;
    } else if (code === 125 || code === 93) {
      depth--;
    } else if (code === COMMA && depth === 0) {
      items.push(list.slice(start, at));
      start = at + 1;
    }
  }
  items.push(list.slice(start, end));
  return items;
}

/** The index of the closing quote of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
