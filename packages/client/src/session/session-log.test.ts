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

  test('begins anew at a snapshot', () => {
    const log = readUpTo(3);
    const view = createTranscript();
    log.restart(view, 'c0');
    expect(log.view).toBe(view);
    expect(log.judge({ items: [item(1)], cursor: 'c' })).toMatchObject({ kind: 'next' });
  });
});
