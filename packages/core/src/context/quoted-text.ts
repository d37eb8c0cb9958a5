/** Whatever ends a line for anybody. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Stands at the beginning of every line that is not ours. */
const MARK = '| ';

/** Somebody else's text with a mark in front of every line of it, so that none can pass for one of ours. */
export function quoted(text: string): string {
  return text
    .split(LINE_END)
    .map((line) => MARK + line)
    .join('\n');
}

/** Somebody else's text on one line. */
export function onOneLine(text: string): string {
  return text.split(LINE_END).join(' ');
}
