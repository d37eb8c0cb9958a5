import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfText } from './end-of-text.ts';
import { utf8Length } from './utf8.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00') });

describe('the end of a text', () => {
  test('is whole characters, as many as there is room for, and tells how much is before it', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, bytesMax) => {
        const end = endOfText(text, bytesMax);
        const before = text.slice(0, text.length - end.text.length);
        expect(before + end.text).toBe(text);
        expect(end.bytes).toBe(utf8Length(end.text));
        expect(end.leftOut).toBe(utf8Length(before));
        // No pair was split: then the bytes of the parts would be more than those of the whole.
        expect(end.bytes + end.leftOut).toBe(utf8Length(text));
        expect(end.bytes).toBeLessThanOrEqual(bytesMax);
        const last = [...before].at(-1);
        if (last !== undefined) expect(end.bytes + utf8Length(last)).toBeGreaterThan(bytesMax);
      }),
    );
  });

  test('is the same when the text comes in pieces and is cut in between', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 4, max: 20 }), (first, second, bytesMax) => {
        const cut = endOfText(first, bytesMax).text;
        expect(endOfText(cut + second, bytesMax).text).toBe(
          endOfText(first + second, bytesMax).text,
        );
      }),
    );
  });
});
