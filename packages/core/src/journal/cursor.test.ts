import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCoreError } from '../core-error.ts';
import { CURSOR_SEQ_MAX, parseCursor, toCursor } from './cursor.ts';

const EPOCH_MAX = 36 ** 4 - 1;
const place = fc.record({ epoch: fc.nat(EPOCH_MAX), seq: fc.nat(CURSOR_SEQ_MAX) });

describe('a cursor', () => {
  test('reads back as the place it was made of', () => {
    fc.assert(
      fc.property(place, ({ epoch, seq }) => {
        expect(parseCursor(toCursor(epoch, seq))).toEqual({ epoch, seq });
      }),
    );
    expect(parseCursor(toCursor(0, 0))).toEqual({ epoch: 0, seq: 0 });
    expect(parseCursor(toCursor(EPOCH_MAX, CURSOR_SEQ_MAX))).toEqual({
      epoch: EPOCH_MAX,
      seq: CURSOR_SEQ_MAX,
    });
  });

  test('sorts as text like the places in a log', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const isBefore = a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);
        expect(toCursor(a.epoch, a.seq) < toCursor(b.epoch, b.seq)).toBe(isBefore);
      }),
    );
  });

  test('needs no escapes in a URL', () => {
    fc.assert(
      fc.property(place, ({ epoch, seq }) => {
        const cursor = toCursor(epoch, seq);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  test.for([
    '',
    '0',
    '12',
    'live',
    'e0000-00000000000',
    'e0000-0000000000001',
    'E0000-000000000001',
    'e0000-000000000001 ',
    'e0000-000000000001\n',
    'e000A-000000000001',
    'e0000-00000000000x',
    'e0000--00000000001',
    '\u0665'.repeat(18),
  ])('is never guessed from %j', (text) => {
    let thrown: unknown;
    try {
      parseCursor(text);
    } catch (error) {
      thrown = error;
    }
    expect(isCoreError(thrown, 'cursor_malformed')).toBe(true);
  });

  test('that is far too long is shown shortened', () => {
    expect(() => parseCursor('x'.repeat(10_000))).toThrow(/^cursor_malformed: .{1,80}$/);
  });
});
