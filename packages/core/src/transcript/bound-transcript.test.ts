import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { turnId } from '../../../../tests/support/session/inputs.ts';
import { anyLog } from '../../../../tests/support/transcript/any-log.ts';
import { CANCELLED, LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf, show } from '../../../../tests/support/transcript/show.ts';
import { boundTranscript, TEXT_BYTES_MIN } from './bound-transcript.ts';
import { BoundedTranscript } from './bounded-transcript.ts';
import { cutEntry, cutQueued, cutTerminal } from './cut-entry.ts';
import type { Draft } from './draft.ts';
import { encodeEntry } from './encode-entry.ts';
import { foldTranscript, toTranscript } from './fold.ts';
import { LEFT_OUT_CALLS_MAX, LEFT_OUT_COMPACTIONS_MAX } from './left-out.ts';
import { decodeTranscript, encodeTranscript } from './transcript-codec.ts';
import type { TranscriptEntry } from './entry.ts';
import type { TerminalView, Transcript } from './transcript.ts';
import { turnText } from './turn-text.ts';

/** What all transcripts of the same events have in common, however many entries they were given. */
function besidesEntries(transcript: Transcript): object {
  const { lastSeq, turn, isAgentRunning, plan, usage, modes } = transcript;
  const queue = transcript.queue.map((prompt) => cutQueued(prompt, TEXT_BYTES_MIN));
  const { currentModeId, configOptions, commands, title, diagnostics } = transcript;
  const told = { plan, usage, modes, currentModeId, configOptions, commands, title };
  return { lastSeq, turn, queue, isAgentRunning, ...told, diagnostics };
}

/** Entries with as little of their texts as any bounds leave. What was cut before adds up to the same. */
function shortest(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  return entries.map((entry) => cutEntry(entry, TEXT_BYTES_MIN));
}

/** What comes out at the other end of a connection. */
function sent(transcript: Transcript): Transcript {
  return decodeTranscript(JSON.parse(JSON.stringify(encodeTranscript(transcript))));
}

/** Folds what a writer has written since. */
function follow(transcript: Transcript, log: LogWriter): Transcript {
  for (const stored of log.stored) foldTranscript(transcript, stored);
  return transcript;
}

describe('a transcript that was bounded', () => {
  test('goes on like the original, without what was left out, and tells exactly how much that is', () => {
    const bounds = fc.record({
      entriesMax: fc.nat(6),
      bytesMax: fc.constantFrom(0, 1000, 100_000),
      textBytesMax: fc.constantFrom(TEXT_BYTES_MIN, 400, 100_000),
    });
    fc.assert(
      fc.property(anyLog, fc.nat(), bounds, ({ stored, transcript: whole }, cut, limits) => {
        const at = cut % (stored.length + 1);
        const original = toTranscript(stored.slice(0, at));
        const bounded = boundTranscript(original, limits);
        const ids = new Set(bounded.entries.map(({ id }) => id));
        const gone = new Set(original.entries.map(({ id }) => id).filter((id) => !ids.has(id)));
        for (const next of stored.slice(at)) foldTranscript(bounded, next);
        const expected = whole.entries.filter(({ id }) => !gone.has(id));
        expect(shortest(bounded.entries)).toEqual(shortest(expected));
        expect(besidesEntries(bounded)).toEqual(besidesEntries(whole));
        for (const [id, terminal] of bounded.terminals) {
          if (terminal.cwd === '') continue;
          const other = whole.terminals.get(id) as TerminalView;
          expect(cutTerminal(terminal, TEXT_BYTES_MIN)).toEqual(cutTerminal(other, TEXT_BYTES_MIN));
        }
        for (const { turnId: turn } of whole.entries) {
          const said = turn === undefined ? '' : turnText(bounded, turn);
          if (said !== '') expect(said).toBe(turnText(whole, turn!));
        }
        expect(sent(bounded)).toEqual(bounded);
        expect(original).toEqual(toTranscript(stored.slice(0, at)));
      }),
      { numRuns: 1000 },
    );
  });

  test('comes to the same when it is bounded again, wherever in its log that was', () => {
    const places = fc.array(fc.nat(), { maxLength: 4 });
    const limit = fc.integer({ min: TEXT_BYTES_MIN, max: 600 });
    fc.assert(
      fc.property(anyLog, places, limit, ({ stored, transcript: whole }, cuts, textBytesMax) => {
        const bounds = { entriesMax: 1e9, bytesMax: 1e9, textBytesMax };
        const at = new Set(cuts.map((cut) => cut % stored.length));
        let bounded = toTranscript([]);
        for (const [position, event] of stored.entries()) {
          if (at.has(position)) bounded = boundTranscript(bounded, bounds);
          foldTranscript(bounded, event);
        }
        // What somebody is asked about is cut less; what was cut before that stays so.
        const cut = (transcript: Transcript) => {
          const { index, terminals: _, ...rest } = boundTranscript(transcript, bounds) as Draft;
          const entries = rest.entries.map((entry) => cutEntry(entry, textBytesMax));
          return { ...rest, entries, index };
        };
        expect(cut(bounded)).toEqual(cut(whole));
      }),
      { numRuns: 1000 },
    );
  });

  test('can be bounded again and sent, and is still the same', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), fc.nat(8), ({ stored }, cut, entriesMax) => {
        const original = toTranscript(stored.slice(0, cut % (stored.length + 1)));
        const once = boundTranscript(original, { entriesMax });
        const twice = boundTranscript(boundTranscript(original, { entriesMax: 8 }), { entriesMax });
        expect(twice).toEqual(once);
        expect(sent(once)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  test('says how much was left out, and before which event', () => {
    const log = new LogWriter();
    for (const turn of ['T1', 'T2', 'T3']) log.start(turn).say(turn).end();
    const bounded = boundTranscript(log.transcript, { entriesMax: 4 });
    expect(show(bounded)).toEqual([
      'end: end_turn',
      'user: prompt of T3',
      'agent: T3',
      'end: end_turn',
    ]);
    expect(bounded.omitted).toEqual({ entries: 5, beforeSeq: 6 });
    expect(log.transcript).not.toHaveProperty('omitted');
    expect(boundTranscript(log.transcript)).not.toHaveProperty('omitted');
    expect(boundTranscript(log.transcript)).toEqual(log.transcript);
  });

  test('keeps whole entries only, within the bytes', () => {
    const log = new LogWriter().start('T').end();
    for (let n = 0; n < 20; n++) log.say('é'.repeat(100), `m${n}`);
    log.start('U').end();
    const sizes = log.transcript.entries.map((entry) =>
      Buffer.byteLength(JSON.stringify(encodeEntry(entry))),
    );
    const total = (from: number) => sizes.slice(from).reduce((sum, size) => sum + size, 0);
    for (const from of [0, 3, 10, 21]) {
      const { entries } = boundTranscript(log.transcript, { bytesMax: total(from) });
      expect(entries).toEqual(log.transcript.entries.slice(from));
      const fewer = boundTranscript(log.transcript, { bytesMax: total(from) - 1 });
      expect(fewer.entries).toEqual(log.transcript.entries.slice(from + 1));
    }
  });

  test('keeps what is under way, even beyond its bounds', () => {
    const log = new LogWriter().call('outside', { status: 'in_progress' }).call('over');
    log.callUpdate('over', { status: 'completed' }).ask('A', { toolCallId: 'asked', title: 'Run' });
    log.callUpdate('asked', { status: 'completed' });
    log.update({ sessionUpdate: 'compaction_update', compactionId: 'k', status: 'in_progress' });
    log.start('T0').end().start('T').say('a').call('c', { status: 'completed' });
    const bounded = boundTranscript(log.transcript, { entriesMax: 0, bytesMax: 0 });
    expect(show(bounded)).toEqual([
      'tool outside: Run other in_progress',
      'tool asked: Run other completed',
      'asks A: waits',
      'compaction: in_progress ',
      'user: prompt of T',
      'agent: a',
      'tool c: Run other completed',
    ]);
    log.choose('A', 'no').callUpdate('outside', { status: 'completed' }).say('b').end();
    expect(show(follow(bounded, log)).slice(0, 3)).toEqual([
      'tool outside: Run other completed',
      'tool asked: Run other completed',
      'asks A: selected',
    ]);
    expect(turnText(bounded, turnId('T'))).toBe(turnText(log.transcript, turnId('T')));
  });

  test('keeps the message under way outside of any turn, so that it goes on', () => {
    const log = new LogWriter().say('a').call('c').callUpdate('c', { status: 'failed' }).say('b');
    const bounded = boundTranscript(log.transcript, { entriesMax: 0 });
    expect(show(follow(bounded, log.say('c')))).toEqual(['agent: bc']);
  });

  test('has the text of turns that are there from their beginning, and no part of one', () => {
    const log = new LogWriter().start('T1').say('a').call('c').say('b').end();
    log.start('T2').say('c').end();
    const bounded = boundTranscript(log.transcript, { entriesMax: 5 });
    expect(turnText(bounded, turnId('T1'))).toBe('');
    expect(turnText(bounded, turnId('T2'))).toBe('c');
  });

  test('keeps commands that run or that a kept call embeds, and counts them in', () => {
    const log = new LogWriter();
    const content = (terminalId: string) => ({ content: [{ type: 'terminal', terminalId }] });
    log.terminal('old').terminalEnded('old', 'x'.repeat(5000));
    log.terminal('shown').terminalEnded('shown', 'y'.repeat(5000)).terminal('running');
    log.call('c1', { ...content('old'), status: 'completed' });
    log.call('c2', { ...content('shown'), status: 'completed' });
    const keys = (bytesMax: number) => {
      const { terminals, entries } = boundTranscript(log.transcript, { bytesMax });
      return [...terminals.keys(), entries.length];
    };
    expect(keys(20_000)).toEqual(['old', 'shown', 'running', 2]);
    expect(keys(6000)).toEqual(['shown', 'running', 1]);
    expect(keys(5000)).toEqual(['running', 0]);
  });

  test.for([{ entriesMax: -1 }, { entriesMax: 1.5 }, { bytesMax: NaN }, { textBytesMax: 255 }])(
    'cannot have the bound %j',
    (bounds) => {
      const bound = () => boundTranscript(new LogWriter().transcript, bounds);
      expect(bound).toThrow(expect.objectContaining({ code: 'limit_invalid' }));
    },
  );
});

test('a transcript that stays bounded is bounded now and then, and goes on in one object in between', () => {
  const log = new LogWriter().start('T');
  for (let n = 0; n < 300; n++) log.call(`c${n}`, { status: 'completed' });
  log.end();
  for (let n = 0; n < 300; n++) log.call(`d${n}`, { status: 'completed' });
  const bounded = new BoundedTranscript(toTranscript([]), { entriesMax: 20 });
  const seen = new Set<Transcript>();
  for (const stored of log.stored) {
    foldTranscript(bounded.current, stored);
    bounded.grew(100);
    seen.add(bounded.current);
    // What is under way cannot be left out.
    if (stored.seq > 302) expect(bounded.current.entries.length).toBeLessThanOrEqual(322);
  }
  expect(bounded.current.entries.length).toBeLessThanOrEqual(40);
  expect(seen.size).toBeLessThan(602 / 20 + 2);
});

describe('news about a tool call that was left out', () => {
  /** A turn that was cancelled with one call ended and one given up, left out as a whole. */
  function leftOut(): { log: LogWriter; bounded: Transcript } {
    const log = new LogWriter().start('T1').call('done', { status: 'completed' });
    log.call('given-up', { status: 'in_progress' }).cancel().end(CANCELLED);
    return { log, bounded: boundTranscript(log.transcript, { entriesMax: 0 }) };
  }

  test('shows nothing, as progress or as an end, with a title or without', () => {
    const { log, bounded } = leftOut();
    log.callUpdate('given-up', { status: 'in_progress', title: 'Still at it' });
    log.start('T2').callUpdate('given-up', { status: 'in_progress' });
    log.callUpdate('given-up', { status: 'completed', title: 'Done at last' });
    log.callUpdate('done', { rawOutput: 5 }).end();
    expect(show(follow(bounded, log))).toEqual(['user: prompt of T2', 'end: end_turn']);
    expect(bounded.omitted?.entries).toBe(4);
  });

  test('is about a new call where it would be with all entries there', () => {
    const { log, bounded } = leftOut();
    log.start('T2').callUpdate('done', { title: 'Again' }).call('given-up', { title: 'Anew' });
    log.callUpdate('given-up', { status: 'completed' }).end();
    expect(show(follow(bounded, log))).toEqual([
      'user: prompt of T2',
      'tool done: Again other interrupted (turn_ended)',
      'tool given-up: Anew other completed',
      'end: end_turn',
    ]);
  });

  test('takes an end that nobody saw into account', () => {
    const { log, bounded } = leftOut();
    log.callUpdate('given-up', { status: 'failed' }).start('T2');
    log.callUpdate('given-up', { title: 'Anew' });
    expect(show(follow(bounded, log)).at(-1)).toBe('tool given-up: Anew other pending');
    expect(show(log.transcript).at(-1)).toBe('tool given-up: Anew other pending');
  });

  test('in a request outside of a turn names the entry that was left out', () => {
    const { log, bounded } = leftOut();
    log.ask('A', { toolCallId: 'given-up' });
    const [asked] = entriesOf(follow(bounded, log), 'permission');
    expect(asked?.toolCallEntryId).toBe('tool_call:3');
    expect(bounded.entries).toHaveLength(1);
  });

  test('shows nothing either when so many were left out that its id is forgotten', () => {
    const log = new LogWriter().start('T');
    const count = LEFT_OUT_CALLS_MAX + 1;
    for (let n = 0; n < count; n++) log.call(`c${n}`, { status: 'completed' });
    const bounded = boundTranscript(log.end().transcript, { entriesMax: 0 });
    log.start('U').callUpdate('c0', { status: 'failed' }).callUpdate('c1', { status: 'failed' });
    expect(show(follow(bounded, log))).toEqual(['user: prompt of U']);
    const { leftOutCalls, hasForgotten } = encodeTranscript(bounded).folding;
    expect(leftOutCalls).toHaveLength(LEFT_OUT_CALLS_MAX);
    expect(hasForgotten).toBe(true);
    log.callUpdate('new', { title: 'New' }).call('c0', { title: 'Anew' });
    expect(show(follow(bounded, log)).slice(1)).toEqual([
      'tool new: New other pending',
      'tool c0: Anew other pending',
    ]);
  });
});

test('news about a compaction that was left out shows nothing, and few ids of those are kept', () => {
  const log = new LogWriter();
  const compaction = (compactionId: string, status: string) =>
    log.update({ sessionUpdate: 'compaction_update', compactionId, status });
  for (let n = 0; n < LEFT_OUT_COMPACTIONS_MAX + 5; n++) compaction(`k${n}`, 'completed');
  const bounded = boundTranscript(log.transcript, { entriesMax: 0 });
  compaction('k104', 'failed');
  compaction('new', 'in_progress');
  expect(show(follow(bounded, log))).toEqual(['compaction: in_progress ']);
  expect(encodeTranscript(bounded).folding.leftOutCompactions).toHaveLength(
    LEFT_OUT_COMPACTIONS_MAX,
  );
});
