import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, sliceLines } from './text-file.ts';
import { invalidUtf8At } from './utf8.ts';

describe('a window of lines', () => {
  const five = 'a\nb\r\nc\rc\n\ne';
  const cases: [string, number | null, number | null, string][] = [
    ['', null, null, ''],
    ['', 1, 1, ''],
    ['', 2, 1, ''],
    [five, null, null, five],
    [five, 0, null, five],
    [five, 1, null, five],
    [five, 1, 1, 'a\n'],
    [five, 0, 1, 'a\n'],
    [five, 2, 1, 'b\r\n'],
    [five, 3, 1, 'c\rc\n'],
    [five, 4, 1, '\n'],
    [five, 5, 1, 'e'],
    [five, 5, 100, 'e'],
    [five, 6, 1, ''],
    [five, 100, null, ''],
    [five, 2, 2, 'b\r\nc\rc\n'],
    [five, null, 2, 'a\nb\r\n'],
    [five, null, 0, ''],
    [five, 2, 0, ''],
    ['a\n', 1, 1, 'a\n'],
    ['a\n', 2, 1, ''],
    ['a\n', 1, Number.MAX_SAFE_INTEGER, 'a\n'],
    ['a\n', Number.MAX_SAFE_INTEGER, 1, ''],
    ['\ufeffa\nb', 1, 1, '\ufeffa\n'],
    ['\n\n', 2, null, '\n'],
  ];
  test.each(cases)('of %j from line %j, at most %j lines, is %j', (text, line, limit, expected) => {
    expect(sliceLines(text, { line, limit }, '/f')).toBe(expected);
  });

  test.each([-1, 1.5, NaN, Infinity, -0.5])('cannot begin or be limited at %d', (number) => {
    const problem = { reason: 'params_invalid', path: '/f' };
    const sliced = (window: object) => (): string => sliceLines('a', window, '/f');
    expect(sliced({ line: number })).toThrow(expect.objectContaining(problem) as Error);
    expect(sliced({ limit: number })).toThrow(expect.objectContaining(problem) as Error);
  });

  test('followed by the next windows gives the whole text', () => {
    const piece = fc.constantFrom('\n', '\r\n', '\r', 'a', 'bc', '日', '\ufeff', '\u2028', ' ');
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 4 }), (pieces, limit) => {
        const text = pieces.join('');
        const lines = text.split('\n').length;
        let whole = '';
        for (let line = 1; line <= lines; line += limit) {
          const part = sliceLines(text, { line, limit }, '/f');
          expect(part.split('\n').length - 1).toBeLessThanOrEqual(limit);
          whole += part;
        }
        expect(whole).toBe(text);
      }),
    );
  });
});

describe('the text of a file', () => {
  test('is exact in both directions', () => {
    const piece = fc.constantFrom('\n', '\r\n', '\r', '\ufeff', '\0', 'é', '😀', 'x');
    fc.assert(
      fc.property(fc.array(piece), fc.string({ unit: 'binary' }), (pieces, more) => {
        const text = pieces.join('') + more;
        const bytes = encodeText(text, '/f', 1e6);
        expect(bytes.equals(Buffer.from(text))).toBe(true);
        expect(decodeText(bytes, '/f')).toBe(text);
      }),
    );
  });

  const undecodable: [string, number[], object][] = [
    ['a lone continuation byte', [0x61, 0x80], { byteOffset: 1 }],
    ['an overlong form', [0xc0, 0xaf], { byteOffset: 0 }],
    ['a surrogate', [0x61, 0x62, 0xed, 0xa0, 0x80], { byteOffset: 2 }],
    ['a cut character', [0x61, 0xe6, 0x97], { byteOffset: 1 }],
    ['a value beyond Unicode', [0xf4, 0x90, 0x80, 0x80], { byteOffset: 0 }],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9, 0x0a], { byteOffset: 3 }],
    ['UTF-16LE', [0xff, 0xfe, 0x61, 0x00], { encoding: 'UTF-16LE' }],
    ['UTF-16BE', [0xfe, 0xff, 0x00, 0x61], { encoding: 'UTF-16BE' }],
  ];
  test.each(undecodable)('is not made of %s', (_, bytes, details) => {
    expect(() => decodeText(Buffer.from(bytes), '/f')).toThrow(
      expect.objectContaining({
        reason: 'not_text',
        details: expect.objectContaining(details) as object,
      }) as Error,
    );
  });

  test('stops being decodable where a strict decoder fails', () => {
    const isWhole = (bytes: Uint8Array): boolean => {
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const interesting = [
      0x00, 0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xe6, 0xed, 0xf0, 0xf4, 0xff,
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...interesting), { maxLength: 8 }), (values) => {
        const bytes = Uint8Array.from(values);
        const at = invalidUtf8At(bytes);
        expect(isWhole(bytes.subarray(0, at))).toBe(true);
        expect(isWhole(bytes)).toBe(at === bytes.length);
        for (let end = at + 1; end <= bytes.length; end++) {
          expect(isWhole(bytes.subarray(0, end))).toBe(false);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('cannot hold half a surrogate pair', () => {
    const problem = expect.objectContaining({ reason: 'params_invalid' }) as Error;
    expect(() => encodeText('a\ud800b', '/f', 100)).toThrow(problem);
  });

  test('may be as long as the limit, counted in bytes', () => {
    expect(encodeText('éé', '/f', 4)).toHaveLength(4);
    const problem = expect.objectContaining({ reason: 'too_large' }) as Error;
    expect(() => encodeText('ééé', '/f', 5)).toThrow(problem);
  });
});
