import { expect, test } from 'vitest';
import { tokenize } from './tokens.ts';

const CASES = [
  ['a+b // c\n/* d */e', ['a', '+', 'b', 'e']],
  ['x = a / b / c', ['x', '=', 'a', '/', 'b', '/', 'c']],
  ['x = /a[/]b/g.test(y)', ['x', '=', '/a[/]b/g', '.', 'test', '(', 'y', ')']],
  ['return /x/', ['return', '/x/']],
  ["'a\\'b' + \"c\"", ["'a\\'b'", '+', '"c"']],
  ['`a ${b + `c`} d` - 1', ['`a ${b + `c`} d`', '-', '1']],
  ['a>=b!==c??d?.e', ['a', '>=', 'b', '!==', 'c', '??', 'd', '?.', 'e']],
  ['1_000 .5 1e3 0xff 2n', ['1_000', '.5', '1e3', '0xff', '2n']],
  ['i++ <= --j', ['i', '++', '<=', '--', 'j']],
] as const;

test.each(CASES)('splits %s', (source, texts) => {
  expect(tokenize(source).map(({ text }) => text)).toEqual(texts);
});

test('counts lines and keeps positions', () => {
  const source = 'a\n/* b\n */ c';
  const token = tokenize(source).at(-1);
  expect(token).toMatchObject({ text: 'c', line: 3 });
  expect(source.slice(token?.start, token?.end)).toBe('c');
});
