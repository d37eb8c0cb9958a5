import { stripVTControlCharacters } from 'node:util';

/** C0 controls but tab and line feed, DEL, and C1 controls. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the direction of text and can make it look like something else. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes somebody else's text safe for a terminal. Whole control sequences are removed; what is left of
 * cut ones is shown as a picture, because a terminal that obeys an agent's text can be made to lie about
 * what is about to happen, to write into the clipboard or to answer questions by itself.
 */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n/g, '\n'))
    .replace(CONTROL, toPicture)
    .replace(DIRECTION, toCodePoint);
}

/** The same on one line, for titles and labels. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replace(/\s+/g, ' ').trim();
}

function toPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : toCodePoint(character);
}

function toCodePoint(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
