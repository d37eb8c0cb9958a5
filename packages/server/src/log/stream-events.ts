import { toCursor, type SessionId } from '@signalbox/core';
import type { Clock } from '@signalbox/host';
import { toNotice, toPrimer, toStreamBytes } from './event-text.ts';
import type { LogReader } from './log-reader.ts';
import type { StreamEnding } from './open-streams.ts';
import type { SseWriter } from './sse-writer.ts';

/** Why an event stream has ended. */
export type StreamOutcome = StreamEnding | 'slow' | 'deleted' | 'failed';

/** What an event stream is made of. */
export interface EventStreamParts {
  readonly sessionId: SessionId;
  readonly reader: LogReader;
  readonly writer: SseWriter;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** After how long a quiet stream gets a comment, in ms. */
  readonly heartbeatMs: number;
  /** Whether the session is still there. */
  readonly exists: () => Promise<boolean>;
  /** The log cannot be read; the stream is ended. */
  readonly onFailed: (error: unknown) => void;
  /** What stands before the first event, when the reader's place was not in the log. */
  readonly gap?: string;
}

/** Events that are read from the log at a time. */
const READ_LENGTH = 100;

/** Sends a session's log from where the reader stands, and what comes, until one side ends it. */
export async function streamEvents(parts: EventStreamParts): Promise<StreamOutcome> {
  const { writer, onFailed } = parts;
  try {
    return await writeAll(parts);
  } catch (error) {
    onFailed(error);
    await writer.write(toNotice('ended', { reason: 'failed' }));
    writer.end('failed');
    return 'failed';
  }
}

async function writeAll(parts: EventStreamParts): Promise<StreamOutcome> {
  const { writer, signal } = parts;
  for await (const piece of toPieces(parts)) {
    const written = await writer.write(piece);
    if (written === 'over') break;
    if (written === 'slow') {
      writer.drop();
      return 'slow';
    }
  }
  const outcome: StreamOutcome = signal.aborted ? (signal.reason as StreamEnding) : 'deleted';
  writer.end(outcome);
  return outcome;
}

/** The pieces of the stream, each made when the one before has been written. */
async function* toPieces(parts: EventStreamParts): AsyncGenerator<string | Buffer> {
  const { sessionId, reader, signal, clock, heartbeatMs, exists, gap = '' } = parts;
  yield gap + toPrimer(sessionId, reader.seq);
  let isCaughtUp = false;
  for (;;) {
    const entries = await reader.read(READ_LENGTH);
    for (const entry of entries) yield toStreamBytes(sessionId, entry);
    if (entries.length > 0) continue;
    if (!isCaughtUp) {
      yield toNotice('caught_up', { cursor: toCursor(sessionId, reader.seq) });
      isCaughtUp = true;
    }
    const waking = await reader.whenMoved(clock, heartbeatMs, signal);
    if (waking === 'aborted') return;
    if (waking === 'moved') continue;
    if (!(await exists())) {
      yield toNotice('ended', { reason: 'deleted' });
      return;
    }
    yield ':\n\n';
  }
}
