import { expect, test } from 'vitest';
import type { SessionEvent } from '../session/event.ts';
import { encodeEvent } from '../session/event-text.ts';
import { toStoredEntry, toStoredEvent } from './stored-event.ts';

const event: SessionEvent = { type: 'agent.exited', time: 1, data: exit() };

test('an entry that was made of an event gives it back, and a copy of it an equal one', () => {
  const entry = toStoredEntry(7, event);
  expect(entry).toEqual({ seq: 7, body: encodeEvent(event) });
  expect(toStoredEvent(entry)).toEqual({ seq: 7, event });
  expect(toStoredEvent(entry).event).toBe(event);
  const copy = toStoredEvent({ ...entry });
  expect(copy).toEqual({ seq: 7, event });
  expect(copy.event).not.toBe(event);
});

test('an entry that holds no event is refused', () => {
  expect(() => toStoredEvent({ seq: 1, body: '[]' })).toThrow(
    expect.objectContaining({ code: 'journal_corrupt' }),
  );
});

function exit() {
  return { code: 0, signal: null, stderrTail: '', noiseCount: 0, isExpected: true };
}
