import { isOverBytes } from '@signalbox/acp';
import { CoreError } from '../core-error.ts';
import { JOURNAL_ENTRY_BYTES_MAX } from './journal.ts';
import type {
  AppendPosition,
  Head,
  Journal,
  JournalEntry,
  Snapshot,
  StoredEntry,
  StreamId,
} from './journal.ts';
import { createMemoryRecords } from './memory-records.ts';
import { createMemoryWatchers } from './memory-watchers.ts';
import { compareText } from './text-order.ts';

interface Stream {
  generation: number;
  readonly bodies: string[];
}

/**
 * A journal that lives in memory and ends with the process: for tests and for the browser. Every
 * call takes effect in a microtask of its own, in the order of the calls.
 */
export function createMemoryJournal(): Journal {
  const streams = new Map<StreamId, Stream>();
  const snapshots = new Map<StreamId, Snapshot>();
  const watchers = createMemoryWatchers();
  let isClosed = false;

  // Microtasks run first in, first out, so this alone keeps the order of the calls.
  async function enter<T>(work: () => T): Promise<T> {
    if (isClosed) throw closedError();
    await Promise.resolve();
    return work();
  }

  return {
    append: (id, at, entries) =>
      enter(() => {
        const head = append(streams, id, at, entries);
        if (entries.length > 0) watchers.moved(id, head);
        return head;
      }),
    read: (id, afterSeq, limit) => enter(() => read(streams.get(id), afterSeq, limit)),
    head: (id) => enter(() => headOf(streams.get(id))),
    snapshot: (id) => enter(() => snapshots.get(id)),
    putSnapshot: (id, snapshot) =>
      enter(() => {
        if (snapshot.seq >= (snapshots.get(id)?.seq ?? 0)) snapshots.set(id, { ...snapshot });
      }),
    watch(id, onMoved) {
      if (isClosed) throw closedError();
      return watchers.watch(id, onMoved);
    },
    streams: ({ after, limit = Infinity } = {}) =>
      enter(() =>
        [...streams.keys()]
          .filter((id) => after === undefined || compareText(id, after) > 0)
          .sort(compareText)
          .slice(0, limit),
      ),
    delete: (id) =>
      enter(() => {
        streams.delete(id);
        snapshots.delete(id);
      }),
    records: createMemoryRecords(enter),
    async close() {
      isClosed = true;
      await Promise.resolve();
      watchers.clear();
    },
  };
}

function append(
  streams: Map<StreamId, Stream>,
  id: StreamId,
  at: AppendPosition,
  entries: readonly JournalEntry[],
): number {
  if (!id.isWellFormed()) throw new TypeError('a stream id holds half a surrogate pair');
  for (const { body } of entries) assertBody(body);
  const stream = streams.get(id) ?? { generation: 0, bodies: [] };
  const head = stream.bodies.length;
  if (at.generation < stream.generation) {
    const message = `generation ${at.generation} of "${id}" was followed by ${stream.generation}`;
    throw new CoreError('stale_generation', message);
  }
  if (at.expectedSeq !== head) {
    throw new CoreError('seq_conflict', `"${id}" is at ${head}, expected ${at.expectedSeq}`);
  }
  if (entries.length === 0) return head;
  stream.generation = at.generation;
  for (const { body } of entries) stream.bodies.push(body);
  streams.set(id, stream);
  return stream.bodies.length;
}

function read(stream: Stream | undefined, afterSeq: number, limit: number): StoredEntry[] {
  const from = Math.max(0, afterSeq);
  const bodies = stream?.bodies.slice(from, from + Math.max(1, limit)) ?? [];
  return bodies.map((body, index) => ({ seq: from + index + 1, body }));
}

function headOf(stream: Stream | undefined): Head {
  return { seq: stream?.bodies.length ?? 0, generation: stream?.generation ?? 0 };
}

/** Guards against our own bugs: a durable journal could not keep such a text exactly. */
function assertBody(body: string): void {
  if (body.includes('\n')) throw new TypeError('an event body holds a line feed');
  if (!body.isWellFormed()) throw new TypeError('an event body holds half a surrogate pair');
  if (isOverBytes(body, JOURNAL_ENTRY_BYTES_MAX)) {
    throw new RangeError(`an event body is larger than ${JOURNAL_ENTRY_BYTES_MAX} bytes`);
  }
}

function closedError(): CoreError {
  return new CoreError('journal_closed', 'the journal is closed');
}
