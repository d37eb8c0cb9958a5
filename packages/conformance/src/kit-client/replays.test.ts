import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeMessage } from '../passive/wire-message.ts';
import { Replays } from './replays.ts';

const LOAD = message({ id: 7, method: 'session/load', params: { sessionId: 's' } });
const ANSWER = text({ id: 7, result: {} });
const OTHER_ANSWER = text({ id: 8, result: {} });

function text(members: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...members });
}

function message(members: object): ReturnType<typeof decodeMessage> {
  return decodeMessage({ dir: 'c2a', t: 0, text: text(members) }, 0);
}

function update(word: string): string {
  return text({ method: 'session/update', params: { sessionId: 's', word } });
}

let delivered: string[];
let replays: Replays;
beforeEach(() => {
  vi.useFakeTimers();
  delivered = [];
  replays = new Replays((data) => delivered.push(data));
});
afterEach(() => vi.useRealTimers());

test('the answer to a load waits until the stream of its session is quiet', () => {
  replays.note(LOAD);
  replays.take(update('one'), 's');
  replays.take(ANSWER, undefined);
  vi.advanceTimersByTime(100);
  replays.take(update('two'), 's');
  vi.advanceTimersByTime(100);
  expect(delivered).toEqual([update('one'), update('two')]);
  vi.advanceTimersByTime(100);
  expect(delivered).toEqual([update('one'), update('two'), ANSWER]);
});

test('it is delivered at once where it comes in order, on the stream of the session itself', () => {
  replays.note(LOAD);
  replays.take(ANSWER, 's');
  expect(delivered).toEqual([ANSWER]);
});

test('other answers and other sessions wait for nothing', () => {
  replays.note(LOAD);
  replays.take(ANSWER, undefined);
  replays.take(OTHER_ANSWER, undefined);
  replays.take(update('other'), 'another');
  expect(delivered).toEqual([OTHER_ANSWER, update('other')]);
});
