import type { CompactionSummaryChunk, CompactionUpdate, Notice, RawJson } from '@signalbox/acp';
import { appendBlock } from './blocks.ts';
import { closeMessage, placeOf, push, type Draft } from './draft.ts';
import type { CompactionEntry } from './entry.ts';
import type { StoredEvent } from './stored-event.ts';
import { cutWithout } from './text-cut.ts';

/** A notice stands for itself and does not interrupt the message under way. */
export function foldNotice(draft: Draft, stored: StoredEvent, notice: Notice): void {
  const { severity, title, description } = notice;
  const entry = { ...placeOf('notice', stored), kind: 'notice', severity, title } as const;
  push(draft, description == null ? entry : { ...entry, description });
}

/** Keeps an update of an unknown kind where it came. What it means to a message is unknown: nothing. */
export function foldUnknownUpdate(
  draft: Draft,
  stored: StoredEvent,
  updateKind: string,
  raw: RawJson,
): void {
  push(draft, { ...placeOf('unknown_update', stored), kind: 'unknown_update', updateKind, raw });
}

/** Absent members change nothing; here null has a meaning of its own: the member is cleared. */
export function foldCompaction(draft: Draft, stored: StoredEvent, news: CompactionUpdate): void {
  change(draft, stored, news.compactionId, (known) => {
    const { error: knownError, cut, ...rest } = known;
    const error = news.error === undefined ? knownError : (news.error ?? undefined);
    const summary = news.summary === undefined ? known.summary : (news.summary ?? []);
    const left = cutWithout(cut, news.summary === undefined ? [] : ['summary']);
    const entry = { ...rest, status: news.status, summary, ...left };
    return error === undefined ? entry : { ...entry, error };
  });
}

/** A piece of a compaction's summary; it may be the first that is heard of the compaction. */
export function foldCompactionSummary(
  draft: Draft,
  stored: StoredEvent,
  { compactionId, content }: CompactionSummaryChunk,
): void {
  change(draft, stored, compactionId, (known) => ({
    ...known,
    summary: appendBlock(known.summary, content),
  }));
}

function change(
  draft: Draft,
  stored: StoredEvent,
  compactionId: string,
  toNext: (known: CompactionEntry) => CompactionEntry,
): void {
  const position = draft.index.compactions.get(compactionId);
  if (position !== undefined) {
    const known = draft.entries[position] as CompactionEntry;
    draft.entries[position] = { ...toNext(known), lastSeq: stored.seq };
    return;
  }
  if (draft.index.leftOut.compactions.has(compactionId)) return;
  closeMessage(draft);
  const created: CompactionEntry = {
    ...placeOf('compaction', stored),
    kind: 'compaction',
    compactionId,
    status: 'in_progress',
    summary: [],
  };
  draft.index.compactions.set(compactionId, push(draft, toNext(created)));
}
