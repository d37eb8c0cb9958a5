import { describe, expect, it } from 'vitest';
import { toExact, toExactLine, toPrintable, toPrintableLine } from './printable.ts';

const CASES: [what: string, text: string, shown: string][] = [
  ['keeps plain text, tabs and line feeds', 'a\tb\nc', 'a\tb\nc'],
  ['keeps letters of every script', 'żółć 日本 😀 עברית', 'żółć 日本 😀 עברית'],
  ['removes colours and cursor movements', '\u001b[1;31mred\u001b[0m\u001b[2K', 'red'],
  ['removes a title change', '\u001b]0;title\u0007text', 'text'],
  ['removes a hyperlink', '\u001b]8;;http://evil.test\u0007link\u001b]8;;\u0007', 'link'],
  [
    'removes sequences that begin with one character',
    '\u009b31mred \u009d0;title\u009ctext',
    'red text',
  ],
  ['removes a choice of letters and a whole string', '\u001b(Ba\u001bPq#0\u001b\\b', 'ab'],
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

  it.each([
    '\u001b]',
    '\u009d',
    '\u001b]8;;a',
    '\u001b[0;',
    '\u001b[ ',
    '\u001b#',
    '\u001bP\u001b',
  ])('takes a time that grows with the length of the text, also of many %j', (unit) => {
    // A time that grew with the square of it would be many minutes.
    const text = unit.repeat(400_000);
    expect(toPrintable(text)).not.toContain('\u001b');
  });

  it('removes nothing where it has to be exact', () => {
    expect(toExact('\u001b[31ma\u001b]0;b\u0007\n\u00ad\u2028c')).toBe(
      '␛[31ma␛]0;b␇\n<U+00AD><U+2028>c',
    );
    expect(toExact('⚠\ufe0f żółć')).toBe('⚠\ufe0f żółć');
    expect(toExact('a\u200b\u3164\u{e0041}')).toBe('a<U+200B><U+3164><U+E0041>');
  });

  it('shows names that differ differently where it has to be exact, on one line', () => {
    expect(toExactLine('ls\u001b]0;; rm -rf ~\n#\u0007')).toBe('ls␛]0;; rm -rf ~␊#␇');
    const names = ['a b', 'a  b', 'a\tb', 'a\nb', 'a\r\nb', 'a\ufeffb', 'a\u2028b', 'a b ', ' a b'];
    expect(new Set(names.map(toExactLine)).size).toBe(names.length);
    expect(names.map(toExactLine).join('')).not.toMatch(/[\n\t]/);
  });

  it('gives nothing for a text of nothing but space, so that something else can be shown', () => {
    expect(toExactLine(' \n\t')).toBe('');
  });
});
