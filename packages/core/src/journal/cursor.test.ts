import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCoreError, type CoreErrorCode } from '../core-error.ts';
import type { SessionId } from '../session/ids.ts';
import { CURSOR_PART_MAX, CURSOR_SEQ_MAX, parseCursor, toCursor } from './cursor.ts';

const SESSION = 'ses_one' as SessionId;
const OTHER = 'ses_two' as SessionId;
const place = fc.record({ seq: fc.nat(CURSOR_SEQ_MAX), part: fc.nat(CURSOR_PART_MAX) });

describe('a cursor', () => {
  test('reads back as the place it was made of', () => {
    fc.assert(
      fc.property(place, ({ seq, part }) => {
        expect(parseCursor(SESSION, toCursor(SESSION, seq, part))).toEqual({ seq, part });
      }),
    );
    expect(parseCursor(SESSION, toCursor(SESSION, 0))).toEqual({ seq: 0, part: 0 });
    expect(parseCursor(SESSION, toCursor(SESSION, CURSOR_SEQ_MAX, CURSOR_PART_MAX))).toEqual({
      seq: CURSOR_SEQ_MAX,
      part: CURSOR_PART_MAX,
    });
  });

  test('sorts as text like the places in a log', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const isBefore = a.seq < b.seq || (a.seq === b.seq && a.part < b.part);
        const [first, second] = [a, b].map(({ seq, part }) => toCursor(SESSION, seq, part));
        expect(String(first) < String(second)).toBe(isBefore);
      }),
    );
  });

  test('needs no escapes in a URL', () => {
    fc.assert(
      fc.property(fc.string(), place, (id, { seq, part }) => {
        const cursor = toCursor(id as SessionId, seq, part);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  test.for([
    '',
    '0',
    '12',
    'live',
    'c1.0000000.00000000000',
    'c1.0000000.0000000000001',
    'C1.0000000.000000000001',
    'c1.0000000.000000000001 ',
    'c1.0000000.000000000001\n',
    'c1.000000A.000000000001',
    'c1.0000000.00000000000x',
    'c1.0000000.-00000000001',
    'c1.0000000.000000000001.',
    'c1.0000000.000000000001.12345',
    '\u0665'.repeat(18),
  ])('is never guessed from %j', (text) => {
    expect(codeOf(text)).toBe('cursor_malformed');
  });

  test('of another session is refused, whatever it says', () => {
    expect(codeOf(toCursor(OTHER, 1))).toBe('cursor_foreign');
    expect(codeOf(toCursor(OTHER, 0, 3))).toBe('cursor_foreign');
  });

  test('that is far too long is shown shortened', () => {
    expect(() => parseCursor(SESSION, 'x'.repeat(10_000))).toThrow(/^cursor_malformed: .{1,80}$/);
  });
});

function codeOf(text: string): CoreErrorCode | undefined {
  try {
    parseCursor(SESSION, text);
    return undefined;
  } catch (error) {
    return isCoreError(error) ? error.code : undefined;
  }
}
