/**
 * Sequences by which programs colour text, move the cursor of a terminal or set titles. None holds the
 * beginning of another one, so that looking for them takes a time that grows with the length of the text.
 */
const TERMINAL_SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]/g;
/** C0 controls but tab and line feed, DEL, and C1 controls. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the direction of text and can make it look like something else. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Characters that take no place, but those that only choose how the one before them looks. */
const INVISIBLE = /(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/gu;

/**
 * Makes somebody else's prose and output safe to be shown. Whole control sequences are removed; what is left
 * of cut ones is shown as a picture, because a terminal that obeys an agent's text can be made to lie about
 * what is about to happen, to write into the clipboard or to answer questions by itself.
 */
export function toPrintable(text: string): string {
  return withoutControls(text.replace(/\r\n/g, '\n').replace(TERMINAL_SEQUENCE, ''));
}

/** The same on one line, for titles and labels. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replace(/\s+/g, ' ').trim();
}

/**
 * Makes safe what somebody decides by, such as a command that is to be allowed. Nothing is removed: a
 * program may execute what a terminal, or a reader, would not see of it.
 */
export function toExact(text: string): string {
  return withoutControls(text).replace(INVISIBLE, toCodePoint);
}

/**
 * The same on one line, with pictures for line ends and tabs: two paths that differ are never shown alike.
 * A text of nothing but space gives nothing, so that something else can be shown for it.
 */
export function toExactLine(text: string): string {
  return text.trim() === '' ? '' : toExact(text).replace(/[\t\n]/g, toPicture);
}

function withoutControls(text: string): string {
  return text.replace(CONTROL, toPicture).replace(DIRECTION, toCodePoint);
}

function toPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : toCodePoint(character);
}

function toCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
