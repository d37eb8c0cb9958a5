/** Sequences by which programs move the cursor of a terminal, colour text or set titles. */
const TERMINAL_SEQUENCE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/** C0 controls but tab and line feed, DEL, and C1 controls. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the direction of text and can make it look like something else. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Characters that take no place, but those that only choose how the one before them looks. */
const INVISIBLE = /(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/gu;
/** Unicode has a picture for each C0 control from here. */
const PICTURES = 0x2400;

/**
 * Somebody else's prose and output as a page can show it: without the sequences for terminals, and with
 * pictures or numbers for other controls and for what would turn text around.
 */
export function toPrintable(text: string): string {
  return withoutControls(text.replaceAll('\r\n', '\n').replace(TERMINAL_SEQUENCE, ''));
}

/** The same on one line, for titles and labels. */
export function toPrintableLine(text: string): string {
  return toPrintable(text.replace(/\s+/g, ' ').trim());
}

/**
 * What somebody decides by, such as a command that is to be allowed. Nothing is removed: what is executed
 * is what is read.
 */
export function toExact(text: string): string {
  return withoutControls(text).replace(INVISIBLE, toCodePoint);
}

/** The same on one line. */
export function toExactLine(text: string): string {
  return toExact(text.replace(/\s+/g, ' ').trim());
}

function withoutControls(text: string): string {
  return text.replace(CONTROL, toPicture).replace(DIRECTION, toCodePoint);
}

function toPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCharCode(PICTURES + code) : toCodePoint(character);
}

function toCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
