import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePieceList, encodePieceList } from './piece-list.ts';

const PIECE = fc.oneof(
  fc.nat(300),
  fc.maxSafeNat().map((number) => Math.floor(number / 2)),
);

describe('a list of pieces', () => {
  test('is what it was when it is read, whatever its numbers', () => {
    const list = fc.record({
      checksum: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      pieces: fc.array(PIECE),
    });
    fc.assert(
      fc.property(list, (one) => {
        // As a part of a larger memory, which is how a driver may give it.
        const { buffer, byteOffset, length } = Buffer.concat([
          Buffer.from('before'),
          encodePieceList(one),
          Buffer.from('behind'),
        ]);
        const bytes = new Uint8Array(buffer, byteOffset + 6, length - 12);
        expect(decodePieceList(bytes)).toEqual(one);
      }),
    );
  });

  test('takes a byte for a piece near to the one before it', () => {
    const pieces = Array.from({ length: 1000 }, (_, index) => 1_000_000 + index);
    expect(encodePieceList({ checksum: 1, pieces }).length).toBe(4 + 3 + 999);
    expect(encodePieceList({ checksum: 1, pieces: [5, 5, 4, 6] }).length).toBe(4 + 4);
  });

  test.each([
    ['no checksum', []],
    ['a number that does not end', [0, 0, 0, 0, 2, 0x80]],
    ['a number that is too large', [0, 0, 0, 0, ...Array<number>(9).fill(0xff), 1]],
  ])('is none with %s', (_, bytes) => {
    expect(decodePieceList(Uint8Array.from(bytes))).toBeUndefined();
  });

  test('gives bytes that are no list no other meaning than a list of numbers', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 40 }), (bytes) => {
        const { pieces = [] } = decodePieceList(bytes) ?? {};
        expect(pieces.every((piece) => Number.isSafeInteger(piece))).toBe(true);
      }),
    );
  });
});
