import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sliceUtf8, utf8Length } from './utf8.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00') });

test('the length of a text in UTF-8 is what an encoder makes of it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
  );
});

describe('a part of a text', () => {
  test('follows the one before it without a gap, until the end', () => {
    fc.assert(
      fc.property(anyText, fc.nat(9), (text, length) => {
        let read = '';
        let offset = 0;
        for (let parts = 0; offset < utf8Length(text); parts++) {
          const part = sliceUtf8(text, offset, length);
          expect(part.offset).toBe(offset);
          expect(part.nextOffset - offset).toBe(utf8Length(part.text));
          expect(parts).toBeLessThanOrEqual(text.length);
          read += part.text;
          offset = part.nextOffset;
        }
        expect(read).toBe(text);
      }),
    );
  });

  test('is never longer than it may be, unless it is one character', () => {
    fc.assert(
      fc.property(anyText, fc.nat(50), fc.nat(9), (text, offset, length) => {
        const part = sliceUtf8(text, offset, length);
        const bytes = utf8Length(part.text);
        expect(bytes <= length || [...part.text].length === 1).toBe(true);
        expect(part.offset).toBeLessThanOrEqual(offset);
      }),
    );
  });

  test.for([
    ['whole characters only', 0, 4, { text: 'aé', offset: 0, nextOffset: 3 }],
    ['the character that it begins within', 2, 1, { text: 'é', offset: 1, nextOffset: 3 }],
    ['one character that is longer than asked for', 3, 1, { text: '😀', offset: 3, nextOffset: 7 }],
    ['nothing behind the end', 99, 5, { text: '', offset: 8, nextOffset: 8 }],
    ['all there is', 0, 99, { text: 'aé😀b', offset: 0, nextOffset: 8 }],
  ] as const)('holds %s', ([, offset, length, expected]) => {
    expect(sliceUtf8('aé😀b', offset, length)).toEqual(expected);
  });
});
