import { describe, expect, it } from 'vitest';
import { toPrintable, toPrintableLine } from './printable.ts';

const CASES: [what: string, text: string, shown: string][] = [
  ['keeps plain text, tabs and line feeds', 'a\tb\nc', 'a\tb\nc'],
  ['keeps letters of every script', 'żółć 日本 😀', 'żółć 日本 😀'],
  ['removes colours', '\u001b[31mred\u001b[0m', 'red'],
  ['removes a title change', '\u001b]0;title\u0007text', 'text'],
  ['removes a hyperlink', '\u001b]8;;http://evil.test\u0007link\u001b]8;;\u0007', 'link'],
  ['shows a lone escape', 'a\u001b', 'a␛'],
  ['shows a carriage return that would overwrite the line', 'safe\rrm -rf', 'safe␍rm -rf'],
  ['takes a CRLF line end for a line end', 'a\r\nb', 'a\nb'],
  ['shows a bell and a backspace', '\u0007\b', '␇␈'],
  ['shows C1 controls', 'a\u0090b', 'a<U+0090>b'],
  ['shows characters that turn text around', 'a\u202eb', 'a<U+202E>b'],
];

describe('printable text', () => {
  it.each(CASES)('%s', (_what, text, shown) => {
    expect(toPrintable(text)).toBe(shown);
  });

  it('never lets an escape or another control through, however the text is cut', () => {
    const text = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001bPq\u001b\\\u009b31mx';
    for (let cut = 0; cut <= text.length; cut++) {
      const shown = toPrintable(text.slice(0, cut)) + toPrintable(text.slice(cut));
      expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }
  });

  it('puts a label on one line', () => {
    expect(toPrintableLine(' a\n\n b\t')).toBe('a b');
  });
});
