import { RawJson } from '@signalbox/acp';
import {
  createMemoryJournal,
  createTranscript,
  encodeEvent,
  INITIAL_STATE,
  reduceAll,
  toStoredEntry,
  toTranscript,
  type Journal,
  type PromptId,
  type SessionEvent,
  type SessionId,
  type Transcript,
  type TurnId,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import { openLog } from './open-log.ts';
import { toSnapshot } from './session-snapshot.ts';
import { KEPT_BOUNDS, SessionTranscripts } from './session-transcripts.ts';
import { SNAPSHOT_AT_END, SNAPSHOT_EVERY } from './snapshot-schedule.ts';

const sessionId = 's' as SessionId;
const EMPTY = { transcript: createTranscript(), landmarks: {} };
const turnId = 'T1' as TurnId;

const STARTED: SessionEvent = {
  ...{ type: 'turn.started', time: 1, turnId },
  data: { promptId: 'P' as PromptId, content: new RawJson('[]'), by: { kind: 'host' } },
};
const RUNNING = reduceAll(INITIAL_STATE, [STARTED]);

function chunk(text: string): SessionEvent {
  const content = { type: 'text', text };
  const update = new RawJson(JSON.stringify({ sessionUpdate: 'agent_message_chunk', content }));
  return { type: 'update', time: 1, turnId, data: { v: 1, update } };
}

function call(toolCallId: string): SessionEvent {
  const news = { sessionUpdate: 'tool_call', toolCallId, title: 'Read', status: 'completed' };
  const update = new RawJson(JSON.stringify(news));
  return { type: 'update', time: 1, turnId, data: { v: 1, update } };
}

/** A journal that counts what is read from it. */
function countReads(journal: Journal): { journal: Journal; readCount: () => number } {
  let count = 0;
  const read: Journal['read'] = async (...args) => {
    const page = await journal.read(...args);
    count += page.length;
    return page;
  };
  return { journal: { ...journal, read }, readCount: () => count };
}

async function append(journal: Journal, events: readonly SessionEvent[]): Promise<number> {
  const { seq } = await journal.head(sessionId);
  const entries = events.map((event) => ({ body: encodeEvent(event) }));
  return journal.append(sessionId, { generation: 1, expectedSeq: seq }, entries);
}

const never = (_: SessionId, error: unknown): never => {
  throw error;
};

test('a log that grows gets snapshots, and is read from the last of them', async () => {
  const { journal, readCount } = countReads(createMemoryJournal());
  const events = Array.from({ length: 3 * SNAPSHOT_EVERY }, (_, i) => chunk(`${i} `));
  const writing = new SessionTranscripts(journal, never);
  writing.begin(sessionId, 0);
  for (let from = 0; from < events.length; from += 100) {
    const seq = await append(journal, events.slice(from, from + 100));
    writing.note(sessionId, { seq, state: INITIAL_STATE }, []);
    await writing.read(sessionId);
  }
  const snapshot = await journal.snapshot(sessionId);
  expect(snapshot?.seq).toBeGreaterThanOrEqual(2 * SNAPSHOT_EVERY);
  const before = readCount();
  const transcript = await new SessionTranscripts(journal, never).read(sessionId);
  expect(readCount() - before).toBe(events.length - (snapshot?.seq ?? 0));
  expect(transcript).toEqual(toTranscript(events.map((event, i) => ({ seq: i + 1, event }))));
});

test('what is appended to a log that was read is not read again', async () => {
  const { journal, readCount } = countReads(createMemoryJournal());
  const transcripts = new SessionTranscripts(journal, never);
  transcripts.begin(sessionId, 0);
  await append(journal, [chunk('one')]);
  await transcripts.read(sessionId);
  const before = readCount();
  const events = [chunk(' two'), chunk(' three')];
  const seq = await append(journal, events);
  const entries = events.map((event, i) => toStoredEntry(i + 2, event));
  transcripts.note(sessionId, { seq, state: INITIAL_STATE }, entries);
  const whole = [chunk('one'), ...events].map((event, i) => ({ seq: i + 1, event }));
  expect(await transcripts.read(sessionId)).toEqual(toTranscript(whole));
  expect(readCount()).toBe(before);
});

test('one that was closed in good order is opened and read from its end', async () => {
  const { journal, readCount } = countReads(createMemoryJournal());
  const closing = new SessionTranscripts(journal, never);
  closing.begin(sessionId, 0);
  const events = Array.from({ length: SNAPSHOT_AT_END }, () => chunk('x'));
  const state = reduceAll(INITIAL_STATE, events);
  const seq = await append(journal, events);
  await closing.end(sessionId, { seq, state });
  const before = readCount();
  const log = await openLog(journal, sessionId, (error) => never(sessionId, error));
  expect(log).toEqual({ state, seq, generation: 1, snapshotSeq: seq });
  expect((await new SessionTranscripts(journal, never).read(sessionId)).lastSeq).toBe(seq);
  expect(readCount() - before).toBe(0);
});

test('older entries of a long session are left out, of its snapshot too', async () => {
  const journal = createMemoryJournal();
  const transcripts = new SessionTranscripts(journal, never);
  transcripts.begin(sessionId, 0);
  const calls = Array.from({ length: 2 * KEPT_BOUNDS.entriesMax + 10 }, (_, i) => call(`c${i}`));
  const seq = await append(journal, calls);
  const { entries, omitted } = await transcripts.read(sessionId);
  expect(entries.length).toBeLessThanOrEqual(2 * KEPT_BOUNDS.entriesMax);
  expect(entries.length + (omitted?.entries ?? 0)).toBe(calls.length);
  await transcripts.end(sessionId, { seq, state: INITIAL_STATE });
  const again = await new SessionTranscripts(journal, never).read(sessionId);
  expect(again.entries).toHaveLength(KEPT_BOUNDS.entriesMax);
  expect(again.omitted?.entries).toBe(calls.length - KEPT_BOUNDS.entriesMax);
});

test('few entries that are long are no more of it', async () => {
  const journal = createMemoryJournal();
  const transcripts = new SessionTranscripts(journal, never);
  transcripts.begin(sessionId, 0);
  const text = 'x'.repeat(KEPT_BOUNDS.bytesMax / 4);
  for (let n = 0; n < 40; n++) {
    const event = call(`${n} ${text}`);
    const seq = await append(journal, [event]);
    await transcripts.read(sessionId);
    transcripts.note(sessionId, { seq, state: INITIAL_STATE }, []);
  }
  const { entries, omitted } = await transcripts.read(sessionId);
  expect(entries.length).toBeLessThanOrEqual(4 + 16);
  expect(entries.length + (omitted?.entries ?? 0)).toBe(40);
});

/** A session whose turn runs, and of which a host hears event by event. */
async function beginTurn(): Promise<{
  readonly write: (event: SessionEvent) => void;
  readonly read: () => Promise<Transcript>;
}> {
  const transcripts = new SessionTranscripts(createMemoryJournal(), never);
  transcripts.begin(sessionId, 0);
  await transcripts.read(sessionId);
  let seq = 0;
  const write = (event: SessionEvent): void => {
    seq++;
    transcripts.note(sessionId, { seq, state: RUNNING }, [toStoredEntry(seq, event)]);
  };
  write(STARTED);
  return { write, read: () => transcripts.read(sessionId) };
}

test('of what is under way and has become long only the end is kept', async () => {
  const { write, read } = await beginTurn();
  const pieceLength = 16 * 1024;
  const count = (64 * 1024 * 1024) / pieceLength;
  let longest = 0;
  for (let n = 0; n < count; n++) {
    write(chunk(`${n} `.padEnd(pieceLength, 'x')));
    if (n % 100 === 0) longest = Math.max(longest, lengthOf(await read()));
  }
  const { bytesMax, textBytesMax } = KEPT_BOUNDS;
  expect(longest).toBeLessThan(4 * bytesMax + textBytesMax + pieceLength);
  const { entries } = await read();
  const [, message] = entries;
  expect(entries.map(({ kind }) => kind)).toEqual(['user_message', 'agent_message']);
  expect(lengthOf({ entries }) + (message?.cut?.blocks?.bytes ?? 0)).toBe(count * pieceLength);
});

test('of many long outputs in one turn the newest are kept, and the ends of the others', async () => {
  const { write, read } = await beginTurn();
  const text = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 1000; n++) {
    write(call(`c${n}`));
    write(chunk(text));
  }
  const { entries } = await read();
  expect(entries).toHaveLength(2001);
  const length = lengthOf({ entries });
  expect(length).toBeLessThan(6 * KEPT_BOUNDS.bytesMax);
  const missing = entries.reduce((sum, { cut }) => sum + (cut?.blocks?.bytes ?? 0), 0);
  expect(length + missing).toBe(1000 * text.length);
});

/** The characters of all text in messages. */
function lengthOf({ entries }: Pick<Transcript, 'entries'>): number {
  const blocks = entries.flatMap((entry) => ('blocks' in entry ? entry.blocks : []));
  return blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
}

test.for([
  ['nothing', ''],
  ['one line', '{"no":1}'],
  ['three lines of something else', '{"no":1}\n{"agent":"x"}\n{"no":1}'],
])('a snapshot with %s in it is told of and does no harm', async ([, state = '']) => {
  const journal = createMemoryJournal();
  await append(journal, [chunk('one'), chunk(' two')]);
  const { format } = toSnapshot({ seq: 1, state: INITIAL_STATE }, EMPTY);
  await journal.putSnapshot(sessionId, { seq: 1, format, state });
  const problems: unknown[] = [];
  const transcripts = new SessionTranscripts(journal, (_, error) => problems.push(error));
  expect((await transcripts.read(sessionId)).lastSeq).toBe(2);
  const log = await openLog(journal, sessionId, (error) => problems.push(error));
  expect(log).toMatchObject({ seq: 2, snapshotSeq: 0 });
  expect(problems).toHaveLength(2);
});

test('one of a format that is not known is left alone', async () => {
  const journal = createMemoryJournal();
  await append(journal, [chunk('one')]);
  await journal.putSnapshot(sessionId, { seq: 1, format: 'transcript/9', state: 'anything' });
  expect((await new SessionTranscripts(journal, never).read(sessionId)).lastSeq).toBe(1);
  const log = await openLog(journal, sessionId, (error) => never(sessionId, error));
  expect(log).toMatchObject({ seq: 1, snapshotSeq: 0 });
});

test('one of more than the log holds is not taken', async () => {
  const journal = createMemoryJournal();
  const transcript = toTranscript([1, 2, 3].map((seq) => ({ seq, event: chunk('x') })));
  await journal.putSnapshot(
    sessionId,
    toSnapshot({ seq: 3, state: INITIAL_STATE }, { transcript, landmarks: {} }),
  );
  await append(journal, [chunk('one')]);
  expect((await new SessionTranscripts(journal, never).read(sessionId)).lastSeq).toBe(1);
  const log = await openLog(journal, sessionId, (error) => never(sessionId, error));
  expect(log).toMatchObject({ seq: 1, snapshotSeq: 0 });
});

test('nothing is written for a session that is forgotten', async () => {
  const journal = createMemoryJournal();
  const transcripts = new SessionTranscripts(journal, never);
  transcripts.begin(sessionId, 0);
  const seq = await append(
    journal,
    Array.from({ length: SNAPSHOT_EVERY }, () => chunk('x')),
  );
  await transcripts.forget(sessionId);
  transcripts.note(sessionId, { seq, state: INITIAL_STATE }, []);
  await transcripts.end(sessionId, { seq, state: INITIAL_STATE });
  expect(await journal.snapshot(sessionId)).toBeUndefined();
});

test('those who ask at once share one reading', async () => {
  const { journal, readCount } = countReads(createMemoryJournal());
  await append(journal, [chunk('one'), chunk(' two')]);
  const transcripts = new SessionTranscripts(journal, never);
  const all = await Promise.all([1, 2, 3].map(() => transcripts.read(sessionId)));
  expect(new Set(all).size).toBe(1);
  expect(readCount()).toBe(2);
});
