import { toCursor, type SessionId } from '@signalbox/core';
import { expect, it } from 'vitest';
import { cutPage, toPageText, toStreamEvent } from './event-text.ts';

const ID = 'session-1' as SessionId;
const EXACT = '{"type":"x","data":{"big":12345678901234567890,"same":1,"same":2}}';

it('a page keeps the exact text of its events', () => {
  const text = toPageText(ID, [{ seq: 7, body: EXACT }], { seq: 7, isAtHead: true });
  expect(text).toContain(`"event":${EXACT}`);
  const cursor = toCursor(ID, 7);
  expect(JSON.parse(text)).toMatchObject({
    sessionId: ID,
    events: [{ seq: 7, cursor }],
    next: cursor,
    isAtHead: true,
  });
});

it('an event of a stream keeps its exact text, on one line', () => {
  const lines = toStreamEvent(ID, { seq: 7, body: EXACT }).split('\n');
  expect(lines).toEqual([
    `id: ${toCursor(ID, 7)}`,
    'event: session',
    `data: {"seq":7,"event":${EXACT}}`,
    '',
    '',
  ]);
});

it('a carriage return between tokens does not end the line', () => {
  const text = toStreamEvent(ID, { seq: 1, body: '{"a":\r1,\r"b":"\\r"}' });
  expect(text).toContain('{"a": 1, "b":"\\r"}');
  expect(text).not.toContain('\r');
});

it('a page ends with the event that reaches its length, and has one at least', () => {
  const entries = ['aaaa', 'bb', 'c'].map((body, index) => ({ seq: index + 1, body }));
  expect(cutPage(entries, 1).map(({ seq }) => seq)).toEqual([1]);
  expect(cutPage(entries, 5).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(cutPage(entries, 100)).toEqual(entries);
  expect(cutPage([], 1)).toEqual([]);
});
