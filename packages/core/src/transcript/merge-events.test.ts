import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { RawJson } from '@signalbox/acp';
import { ALICE } from '../../../../tests/support/session/inputs.ts';
import { anyLog } from '../../../../tests/support/transcript/any-log.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import { show } from '../../../../tests/support/transcript/show.ts';
import { decodeEvent, encodeEvent } from '../session/event-text.ts';
import { foldTranscript, toTranscript } from './fold.ts';
import { createEventMerger, MERGED_BYTES_MAX, type MergedEvent } from './merge-events.ts';
import { ENTRY_BLOCKS_MAX } from './messages.ts';
import type { StoredEvent } from './stored-event.ts';

/** Merges a log; behind each event whose number `isFlushed` names, nothing more is waited for. */
function merge(
  stored: readonly StoredEvent[],
  { bytesMax = MERGED_BYTES_MAX, isFlushed = (_seq: number): boolean => false } = {},
): MergedEvent[] {
  const merger = createEventMerger({ bytesMax });
  const merged = stored.flatMap((event) => [
    ...merger.add(event),
    ...(isFlushed(event.seq) ? merger.flush() : []),
  ]);
  return [...merged, ...merger.flush()];
}

/** What comes out at the other end of a connection. */
function sent({ event, ...place }: MergedEvent): StoredEvent {
  return { ...place, event: decodeEvent(encodeEvent(event)) };
}

/** The texts of the updates in what was merged, and how many events each stands for. */
function shown(merged: readonly MergedEvent[]): string[] {
  return merged.flatMap(({ event, count }) =>
    event.type === 'update' ? [`${count}: ${event.data.update.text}`] : [],
  );
}

let log: LogWriter;
beforeEach(() => (log = new LogWriter()));

/** How many events are left of those that the log holds. */
const countOf = (): number => merge(log.stored).length;

describe('events that were merged', () => {
  const splits = fc.record({
    bytesMax: fc.constantFrom(0, 4, 12, MERGED_BYTES_MAX),
    flushes: fc.uniqueArray(fc.nat(60), { maxLength: 20 }),
  });

  test('give the same transcript as those that they stand for, wherever they are flushed', () => {
    fc.assert(
      fc.property(anyLog, splits, ({ stored, transcript }, { bytesMax, flushes }) => {
        const merged = merge(stored, { bytesMax, isFlushed: (seq) => flushes.includes(seq) });
        expect(toTranscript(merged)).toEqual(transcript);
        expect(toTranscript(merged.map(sent))).toEqual(transcript);
      }),
      { numRuns: 1000 },
    );
  });

  test('cover the log without gaps, and are untouched where they stand for themselves', () => {
    fc.assert(
      fc.property(anyLog, ({ stored }) => {
        let last = 0;
        for (const { firstSeq, seq, event, count } of merge(stored)) {
          expect([firstSeq, seq]).toEqual([last + 1, last + count]);
          if (count === 1) expect(event).toBe(stored[seq - 1]?.event);
          last = seq;
        }
        expect(last).toBe(stored.length);
      }),
    );
  });

  test('can be merged again', () => {
    fc.assert(
      fc.property(anyLog, splits, ({ stored, transcript }, { flushes }) => {
        const once = merge(stored, { isFlushed: (seq) => flushes.includes(seq) });
        expect(toTranscript(merge(once))).toEqual(transcript);
      }),
    );
  });

  test('are taken at once or not at all', () => {
    const [merged] = merge(log.say('a').say('b').stored);
    const { transcript } = new LogWriter().say('a');
    const fold = () => foldTranscript(transcript, merged!);
    expect(fold).toThrow(expect.objectContaining({ code: 'events_overlap' }));
    expect(show(transcript)).toEqual(['agent: a']);
    foldTranscript(log.transcript, merged!);
    expect(show(log.transcript)).toEqual(['agent: ab']);
  });
});

describe('pieces of a text', () => {
  test('become one, with the place and the time of both ends', () => {
    const [first, second] = merge(log.start('T').say('a').say('b').say('c').stored);
    expect(first).toMatchObject({ firstSeq: 1, seq: 1, count: 1 });
    expect(second).toMatchObject({
      firstSeq: 2,
      seq: 4,
      count: 3,
      event: { time: 20, turnId: 'T' },
    });
    expect(shown([second!])).toEqual([
      '3: {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"abc"}}',
    ]);
  });

  test('keep their exact text', () => {
    const piece = (text: string) =>
      log.update(
        `{ "messageId":"\\u0069d", "content" : {"text":"${text}" ,"type":"text"},"sessionUpdate":"agent_thought_chunk"}`,
      );
    for (const text of ['\\u00e9', 'é', '\\ud83d', '\\ude00', '\\/', '\\n']) piece(text);
    expect(shown(merge(log.stored))).toEqual([
      '6: {"sessionUpdate":"agent_thought_chunk","messageId":"\\u0069d",' +
        '"content":{"type":"text","text":"\\u00e9é\\ud83d\\ude00\\/\\n"}}',
    ]);
  });

  test.for<[string, (log: LogWriter) => unknown]>([
    ['of another message', (l) => l.say('b', 'other')],
    ['without an id', (l) => l.say('b')],
    ['of another kind', (l) => l.think('b', 'id')],
    ['of another turn', (l) => l.end().start('U').say('b', 'id')],
    ['of no turn', (l) => l.end().say('b', 'id')],
    ['that came late', (l) => l.late('T0', (late) => late.say('b', 'id'))],
    ['with annotations', (l) => chunk(l, { type: 'text', text: 'b', annotations: {} })],
    ['with a _meta of the text', (l) => chunk(l, { type: 'text', text: 'b', _meta: {} })],
    ['with a _meta of the update', (l) => chunk(l, { type: 'text', text: 'b' }, { _meta: {} })],
    ['with a member that nobody knows', (l) => chunk(l, { type: 'text', text: 'b' }, { x: 1 })],
    ['that is a picture', (l) => chunk(l, { type: 'image', data: 'b', mimeType: 'image/png' })],
    ['that went by reference', (l) => chunk(l, { type: 'text', text: { '$signalbox/ref': {} } })],
    ['with a text that is none', (l) => chunk(l, { type: 'text', text: 5 })],
    ['with an id that is none', (l) => chunk(l, { type: 'text', text: 'b' }, { messageId: 5 })],
    ['that does not fit', (l) => chunk(l, { type: 'text', text: 'b' }, {}, 'odd')],
  ])('do not join one %s', ([, add]) => {
    log.start('T').say('a', 'id');
    add(log);
    expect(countOf()).toBe(log.stored.length);
  });

  function chunk(to: LogWriter, content: object, more: object = {}, problem?: string): LogWriter {
    const update = { sessionUpdate: 'agent_message_chunk', messageId: 'id', content, ...more };
    return to.update(update, problem);
  }

  test.for<[string, (log: LogWriter) => unknown]>([
    ['a tool call', (l) => l.call('c')],
    ['news about one', (l) => l.callUpdate('c', { status: 'completed' })],
    ['a permission request', (l) => l.ask('A', { toolCallId: 'c' })],
    ['usage', (l) => l.update({ sessionUpdate: 'usage_update', used: 1, size: 2 })],
    [
      'a change of mode',
      (l) => l.update({ sessionUpdate: 'current_mode_update', currentModeId: 'm' }),
    ],
    ['something unknown', (l) => l.update({ sessionUpdate: 'quantum_update' })],
    ['the wish to cancel', (l) => l.cancel()],
    ['a command', (l) => l.terminal('t')],
  ])('do not join across %s', ([, add]) => {
    log.start('T').say('a', 'id');
    add(log);
    log.say('b', 'id');
    expect(countOf()).toBe(4);
  });

  test('do not join where events are missing in between', () => {
    const [first, , third] = log.say('a').say('b').say('c').stored;
    expect(merge([first!, third!])).toHaveLength(2);
  });

  test('take an id that is null for none', () => {
    log.say('a', null).say('b').say('c', null);
    expect(shown(merge(log.stored))).toEqual([
      '3: {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"abc"}}',
    ]);
  });

  test('of a user join outside of a turn only, because a turn has a prompt to compare with', () => {
    log.echo('a').echo('b').start('T', 'go').echo('g').echo('o').end();
    expect(merge(log.stored).map(({ count }) => count)).toEqual([2, 1, 1, 1, 1]);
  });

  test('join up to the bytes that were given, and longer ones stay alone', () => {
    for (const text of ['éé', 'é', 'a', 'b', 'éééé', 'c', 'd']) log.say(text);
    expect(merge(log.stored, { bytesMax: 6 }).map(({ count }) => count)).toEqual([2, 2, 1, 2]);
  });

  test('come out at once when there is no room for more', () => {
    const merger = createEventMerger({ bytesMax: 2 });
    const [first, second, third] = log.say('a').say('b').say('long').stored;
    expect(merger.add(first!)).toEqual([]);
    expect(merger.add(second!)).toMatchObject([{ count: 2 }]);
    expect(merger.add(third!)).toMatchObject([{ count: 1 }]);
    expect(merger.flush()).toEqual([]);
  });

  test('join at the very end of an entry that has no room for another block', () => {
    log.start('T');
    for (let n = 0; n < ENTRY_BLOCKS_MAX - 1; n++) log.chunk('agent_message_chunk', { type: 'o' });
    log.say('a').say('b');
    expect(toTranscript(merge(log.stored))).toEqual(log.transcript);
    expect(log.transcript.entries).toHaveLength(2);
  });
});

describe('news that the next one supersedes', () => {
  const text = (value: string) => [{ type: 'content', content: { type: 'text', text: value } }];

  test('about a tool call are told once, by the last', () => {
    log.start('T').call('c');
    for (const percent of ['1 %', '50 %', '99 %']) {
      log.callUpdate('c', { status: 'in_progress', content: text(percent), _meta: { percent } });
    }
    const merged = merge(log.stored);
    expect(merged).toMatchObject([{ count: 1 }, { count: 1 }, { firstSeq: 3, seq: 5, count: 3 }]);
    expect(merged[2]?.event).toEqual({ ...log.events[4], time: log.events[2]?.time });
  });

  test.for<[string, object, object]>([
    ['changes the status', { status: 'in_progress' }, { status: 'completed' }],
    ['brings a status', { content: [] }, { content: [], status: 'completed' }],
    ['leaves out the status', { status: 'completed', content: [] }, { content: [] }],
    ['says less', { content: [], rawOutput: 1 }, { content: [] }],
    ['says something else', { content: [] }, { rawOutput: 1 }],
    ['takes nothing back by null', { content: [] }, { content: null }],
    ['brings a title', { content: [] }, { content: [], title: 'New' }],
    ['does not fit where it counts', { content: [], kind: 'edit' }, { content: [], kind: 5 }],
    ['says less in its _meta', { _meta: { a: 1 } }, { _meta: { b: 1 } }],
    ['has a member that nobody knows', { content: [] }, { content: [], x: 1 }],
  ])('stay when the next one %s', ([, first, second]) => {
    log.start('T').call('c').callUpdate('c', first).callUpdate('c', second);
    expect(countOf()).toBe(4);
  });

  test('stay when the next one is about another call or in another turn', () => {
    log.start('T').callUpdate('c', { content: [] }).callUpdate('d', { content: [] });
    log.end().callUpdate('d', { content: [] });
    expect(countOf()).toBe(5);
  });

  test('stay when the next one came late', () => {
    log.start('T').callUpdate('c', { content: [] });
    log.late('T0', (late) => late.callUpdate('c', { content: [] }));
    expect(countOf()).toBe(3);
  });

  test('stay when they announce a call', () => {
    log.start('T').call('c').call('c');
    expect(countOf()).toBe(3);
  });

  test('about usage keep a cost that is not told again', () => {
    const usage = (more: object) =>
      log.update({ sessionUpdate: 'usage_update', used: 1, size: 2, ...more });
    usage({});
    usage({ cost: null });
    usage({ cost: { amount: 1, currency: 'USD' } });
    usage({ cost: { amount: 2, currency: 'USD' } });
    usage({ cost: null });
    usage({});
    expect(merge(log.stored).map(({ count }) => count)).toEqual([4, 2]);
  });

  test('about the plan are told once, unless one does not fit', () => {
    const plan = (entries: unknown) => log.update({ sessionUpdate: 'plan', entries });
    for (const entries of [[], [], 'odd', [], []]) plan(entries);
    expect(merge(log.stored).map(({ count }) => count)).toEqual([2, 1, 2]);
  });

  test('stay where a client has caused them', () => {
    const update = new RawJson('{"sessionUpdate":"plan","entries":[]}');
    const event = { type: 'update', time: 1, data: { v: 1, update, by: ALICE } } as const;
    expect(merge([1, 2].map((seq) => ({ seq, event })))).toHaveLength(2);
  });
});

test('a merger cannot have a negative limit', () => {
  const create = () => createEventMerger({ bytesMax: -1 });
  expect(create).toThrow(expect.objectContaining({ code: 'limit_invalid' }));
});
