import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText, PIECE_LENGTH_MAX, PIECE_LENGTH_MIN } from './cut-text.ts';

/** Numbers in a row that looks random and is always the same. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Text that cannot be made any shorter. */
function noise(length: number, seed = 1): string {
  const random = createRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(32 + random() * 95)).join('');
}

/** How many pieces of the second text the first one does not have. */
function newPieces(before: string, after: string): number {
  const known = new Set(cutText(before));
  return cutText(after).filter((piece) => !known.has(piece)).length;
}

/** All but the last piece have a length within the bounds, and all together are the text. */
function expectWhole(text: string): void {
  const pieces = cutText(text);
  expect(pieces.join('') === text).toBe(true);
  for (const [index, { length }] of pieces.entries()) {
    if (index < pieces.length - 1) expect(length).toBeGreaterThanOrEqual(PIECE_LENGTH_MIN);
    expect(length).toBeLessThanOrEqual(PIECE_LENGTH_MAX + 1);
    expect(length).toBeGreaterThan(0);
  }
}

describe('a text that is cut into pieces', () => {
  test('shares all pieces but the last with the same text that has grown at its end', () => {
    const text = noise(200_000);
    for (let length = 1; length < text.length; length += 9973) {
      const before = cutText(text.slice(0, length));
      expect(cutText(text).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    }
  });

  test('shares nearly all pieces with the same text behind another beginning', () => {
    const text = noise(200_000);
    for (const header of ['{', '{"title":"Run (17 lines)"}', noise(1000, 2), '🙂🙂🙂']) {
      expect(newPieces(text, header + text)).toBeLessThan(8);
    }
  });

  test('shares nearly all pieces with the same text that was changed in its middle', () => {
    const text = noise(200_000);
    const changed = `${text.slice(0, 99_000)}other${text.slice(99_500)}`;
    expect(newPieces(text, changed)).toBeLessThan(8);
  });

  test('has pieces of about the length that is aimed at', () => {
    const text = noise(1_000_000);
    expectWhole(text);
    const average = text.length / cutText(text).length;
    expect(average).toBeGreaterThan(650);
    expect(average).toBeLessThan(900);
  });

  test('has few different pieces when it repeats itself', () => {
    for (const part of ['x', 'ab', '0123456789\n', '🙂']) {
      const text = part.repeat(1_000_000 / part.length);
      expectWhole(text);
      expect(new Set(cutText(text)).size).toBeLessThan(2 + 2 * part.length);
    }
  });

  test('is whole at every length around the bounds of a piece', () => {
    const text = 'x'.repeat(3 * PIECE_LENGTH_MAX);
    for (const bound of [0, PIECE_LENGTH_MIN, PIECE_LENGTH_MAX, 2 * PIECE_LENGTH_MAX]) {
      for (let length = Math.max(0, bound - 2); length <= bound + 2; length += 1) {
        expectWhole(text.slice(0, length));
      }
    }
    expect(cutText('')).toEqual([]);
  });

  test('never has half of a surrogate pair at an end of a piece, whatever stands before it', () => {
    for (let header = 0; header < 4; header += 1) {
      const pieces = cutText('-'.repeat(header) + '🙂👩‍👩‍👧𝄞'.repeat(20_000));
      expect(pieces.length).toBeGreaterThan(100);
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    }
  });

  test('keeps halves of surrogate pairs that stand alone', () => {
    for (const half of ['\ud83d', '\ude42', '\ude42\ud83d']) expectWhole(half.repeat(10_000));
  });

  test('is whole whatever it is', () => {
    const part = fc.record({
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }),
      times: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.map(({ text: one, times }) => one.repeat(times)).join('');
        expectWhole(text);
        expect(cutText(text).every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});
