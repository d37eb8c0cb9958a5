/** Sequences by which programs move the cursor of a terminal, colour text or set titles. */
const TERMINAL_SEQUENCE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/** C0 controls but tab and line feed, DEL, and C1 controls. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the direction of text and can make it look like something else. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Unicode has a picture for each C0 control from here. */
const PICTURES = 0x2400;

/**
 * Somebody else's text as a page can show it: without the sequences for terminals, and with pictures or
 * numbers for what would be invisible or would turn text around. So what is asked for is what is read.
 */
export function toPrintable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(TERMINAL_SEQUENCE, '')
    .replace(CONTROL, toPicture)
    .replace(DIRECTION, toCodePoint);
}

/** The same on one line, for titles, paths and labels. */
export function toPrintableLine(text: string): string {
  return toPrintable(text.replace(/\s+/g, ' ').trim());
}

function toPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCharCode(PICTURES + code) : toCodePoint(character);
}

function toCodePoint(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
