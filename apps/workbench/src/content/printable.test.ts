import { describe, expect, it } from 'vitest';
import { toExact, toExactLine, toPrintable, toPrintableLine } from './printable.ts';

const CASES: [what: string, text: string, shown: string][] = [
  ['keeps plain text, tabs and line feeds', 'a\tb\nc', 'a\tb\nc'],
  ['keeps letters of every script', 'żółć 日本 😀 עברית', 'żółć 日本 😀 עברית'],
  ['removes colours and cursor movements', '\u001b[1;31mred\u001b[0m\u001b[2K', 'red'],
  ['removes a title change', '\u001b]0;title\u0007text', 'text'],
  ['removes a hyperlink', '\u001b]8;;http://evil.test\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['shows a lone escape', 'a\u001b', 'a␛'],
  ['takes a CRLF line end for a line end', 'a\r\nb', 'a\nb'],
  ['shows a carriage return', 'safe\rrm -rf', 'safe␍rm -rf'],
  ['shows controls', '\u0007\u007f\u0090', '␇␡<U+0090>'],
  ['shows characters that turn text around', 'a\u202eb\u2066', 'a<U+202E>b<U+2066>'],
];

describe('printable text', () => {
  it.each(CASES)('%s', (_what, text, shown) => {
    expect(toPrintable(text)).toBe(shown);
  });

  it('puts a label on one line', () => {
    expect(toPrintableLine(' a\n\n b\t')).toBe('a b');
  });

  it('removes nothing where it has to be exact', () => {
    expect(toExactLine('ls\u001b]0;; rm -rf ~\n#\u0007')).toBe('ls␛]0;; rm -rf ~ #␇');
    expect(toExact('a\u200b\u3164\u{e0041}\u2028⚠\ufe0f')).toBe(
      'a<U+200B><U+3164><U+E0041><U+2028>⚠\ufe0f',
    );
  });

  it('takes a time that grows with the length of the text, also of a hostile one', () => {
    const text = '\u001b]'.repeat(200_000);
    const startedAt = performance.now();
    expect(toPrintable(text)).toHaveLength(text.length);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});
