import { RawJson } from '@signalbox/acp';
import {
  createMemoryJournal,
  encodeEvent,
  toTranscript,
  type Journal,
  type SessionEvent,
  type SessionId,
  type TurnId,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import { SessionTranscripts, SNAPSHOT_EVERY } from './session-transcripts.ts';

const sessionId = 's' as SessionId;
const turnId = 'T1' as TurnId;

function chunk(text: string): SessionEvent {
  const content = { type: 'text', text };
  const update = new RawJson(JSON.stringify({ sessionUpdate: 'agent_message_chunk', content }));
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
  const counting: Journal = {
    read,
    append: (...args) => journal.append(...args),
    head: (stream) => journal.head(stream),
    snapshot: (stream) => journal.snapshot(stream),
    putSnapshot: (stream, snapshot) => journal.putSnapshot(stream, snapshot),
    watch: (stream, onMoved) => journal.watch(stream, onMoved),
    streams: (options) => journal.streams(options),
    delete: (stream) => journal.delete(stream),
    records: journal.records,
    close: () => journal.close(),
  };
  return { journal: counting, readCount: () => count };
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
  for (let from = 0; from < events.length; from += 100) {
    const head = await append(journal, events.slice(from, from + 100));
    writing.noteHead(sessionId, head);
    await writing.read(sessionId);
  }
  const snapshot = await journal.snapshot(sessionId);
  expect(snapshot?.seq).toBeGreaterThanOrEqual(2 * SNAPSHOT_EVERY);
  const before = readCount();
  const transcript = await new SessionTranscripts(journal, never).read(sessionId);
  expect(readCount() - before).toBe(events.length - (snapshot?.seq ?? 0));
  expect(transcript).toEqual(toTranscript(events.map((event, i) => ({ seq: i + 1, event }))));
});

test('a snapshot that cannot be read is told of and does no harm', async () => {
  const journal = createMemoryJournal();
  await append(journal, [chunk('one'), chunk(' two')]);
  await journal.putSnapshot(sessionId, { seq: 1, format: 'transcript/1', state: '{"no":1}' });
  const problems: unknown[] = [];
  const transcripts = new SessionTranscripts(journal, (_, error) => problems.push(error));
  expect((await transcripts.read(sessionId)).lastSeq).toBe(2);
  expect(problems).toHaveLength(1);
});

test('one of a format that is not known is left alone', async () => {
  const journal = createMemoryJournal();
  await append(journal, [chunk('one')]);
  await journal.putSnapshot(sessionId, { seq: 1, format: 'transcript/9', state: 'anything' });
  expect((await new SessionTranscripts(journal, never).read(sessionId)).lastSeq).toBe(1);
});

test('those who ask at once share one reading', async () => {
  const { journal, readCount } = countReads(createMemoryJournal());
  await append(journal, [chunk('one'), chunk(' two')]);
  const transcripts = new SessionTranscripts(journal, never);
  const all = await Promise.all([1, 2, 3].map(() => transcripts.read(sessionId)));
  expect(new Set(all).size).toBe(1);
  expect(readCount()).toBe(2);
});
