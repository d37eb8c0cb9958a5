import { createTranscript } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import type { LogItem } from './batch.ts';
import { SessionLog } from './session-log.ts';

const writer = new LogWriter().start('T', 'go').say('a').say('b').say('c').say('d').end();

function item(seq: number, firstSeq = seq): LogItem {
  const event = writer.events[seq - 1];
  if (event === undefined) throw new RangeError(`no event ${seq}`);
  return firstSeq === seq ? { seq, event, length: 1 } : { seq, firstSeq, event, length: 1 };
}

/** How long the message under way is. */
function spoken({ view }: SessionLog): number {
  const [, message] = view.entries;
  const [block] = message?.kind === 'agent_message' ? message.blocks : [];
  return block?.type === 'text' ? block.text.length : 0;
}

function readUpTo(seq: number): SessionLog {
  const log = new SessionLog('start', true);
  for (let n = 1; n <= seq; n++) log.take(item(n));
  return log;
}

describe('a place in a log', () => {
  test('takes what comes next, and leaves out what it has', () => {
    const log = readUpTo(2);
    expect(log.judge({ items: [item(3), item(4)], cursor: 'c' })).toMatchObject({ kind: 'next' });
    const overlap = log.judge({ items: [item(1), item(2), item(3)], cursor: 'c' });
    expect(overlap).toEqual({ kind: 'next', items: [item(3)] });
    expect(log.judge({ items: [item(1), item(2)], cursor: 'c' })).toEqual({ kind: 'known' });
  });

  test.for([
    ['behind the place', [item(4)], 3, 4],
    ['within a batch', [item(3), item(5)], 4, 5],
    ['that begins within a merged event', [item(4, 2)], 3, 2],
    ['of events in the wrong order', [item(4), item(3)], 3, 4],
  ] as const)('finds a hole %s, and takes nothing', ([_, items, expected, found]) => {
    const log = readUpTo(2);
    expect(log.judge({ items, cursor: 'c' })).toEqual({ kind: 'hole', expected, found });
    expect(log.view.lastSeq).toBe(2);
  });

  test('that is only known by its cursor is where the first event says', () => {
    const log = new SessionLog('c3', false);
    expect(log.judge({ items: [item(4), item(5)], cursor: 'c' })).toMatchObject({ kind: 'next' });
    log.take(item(4));
    expect(log.judge({ items: [item(6)], cursor: 'c' })).toMatchObject({ kind: 'hole' });
  });

  test('is where the reader began until something was processed', () => {
    const log = new SessionLog('start', true);
    expect(log).toMatchObject({ place: 'start', cursor: undefined });
    log.take(item(1));
    expect(log.place).toBe('start');
    log.passed('c1');
    expect(log).toMatchObject({ place: 'c1', cursor: 'c1' });
  });

  test('has a view that keeps within its bounds, whether it began at the start or at a snapshot', () => {
    const said = new LogWriter().start('T');
    const piece = 'x'.repeat(300);
    for (let n = 0; n < 1000; n++) said.say(piece);
    const bounds = { bytesMax: 1000, textBytesMax: 1000 };
    const logs = [new SessionLog('start', true, bounds), new SessionLog(undefined, true, bounds)];
    logs[1]?.restart(createTranscript(), 'c0');
    for (const log of logs) {
      let longest = 0;
      for (const { seq, event } of said.stored) {
        log.take({ seq, event, length: 300 });
        longest = Math.max(longest, spoken(log));
      }
      expect(longest).toBeLessThan(1000 + 4 * 1000 + 2 * 300);
      const [, message] = log.view.entries;
      expect(spoken(log) + (message?.cut?.blocks?.bytes ?? 0)).toBe(1000 * 300);
      expect(log.view.lastSeq).toBe(1001);
    }
    const none = { textBytesMax: 0 };
    expect(() => new SessionLog('start', true, none)).toThrow(/textBytesMax/);
  });

  test('begins anew at a snapshot', () => {
    const log = readUpTo(3);
    const view = createTranscript();
    log.restart(view, 'c0');
    expect(log.view).toBe(view);
    expect(log.judge({ items: [item(1)], cursor: 'c' })).toMatchObject({ kind: 'next' });
  });
});
