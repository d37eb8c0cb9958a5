import {
  createContextRecord,
  foldContextRecord,
  shortenContextRecord,
  toContextSnapshot,
  toCursor,
  toStoredEvent,
  type ContextDiagnostic,
  type ContextSnapshot,
  type Journal,
  type SessionId,
} from '@signalbox/core';

const PAGE_LENGTH = 1024;
/** How long events may be together that are folded before long texts are shortened, in characters. */
const FOLDED_LENGTH_MAX = 16 * 1024 * 1024;

/** What a session's context is to hold. */
export interface ContextRequest {
  /** UTF-8 bytes of it as JSON. */
  readonly bytesMax: number;
  /** What whoever asks knows to be wrong in the files. */
  readonly diagnostics?: readonly ContextDiagnostic[];
}

/** A session's context up to the end of its log, by one pass over it. */
export async function readContext(
  journal: Journal,
  sessionId: SessionId,
  { bytesMax, diagnostics = [] }: ContextRequest,
): Promise<ContextSnapshot> {
  const record = createContextRecord();
  let length = 0;
  for (;;) {
    const { lastSeq } = record.transcript;
    const page = await journal.read(sessionId, lastSeq, PAGE_LENGTH);
    if (page.length === 0) {
      const cursor = toCursor(sessionId, lastSeq);
      return toContextSnapshot(record, { bytesMax, cursor, diagnostics });
    }
    for (const entry of page) {
      foldContextRecord(record, toStoredEvent(entry));
      length += entry.body.length;
    }
    if (length <= FOLDED_LENGTH_MAX) continue;
    shortenContextRecord(record);
    length = 0;
  }
}
