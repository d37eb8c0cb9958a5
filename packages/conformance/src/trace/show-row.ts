import type { Direction } from './trace-entry.ts';

/** What a line of a connection is. `noise` is no message at all. */
export type RowKind = 'request' | 'notification' | 'result' | 'error' | 'noise';

/** One row of a trace as people read it: a line, or a run of streamed chunks. */
export interface TraceRow {
  /** The line of the trace file; of the first chunk of a run. */
  readonly number: number;
  /** Lines that the row stands for: more than 1 for a run of chunks. */
  readonly count: number;
  /** Ms since the recording began; of the first chunk of a run. */
  readonly t: number;
  /** Ms since the line before this one, whether that is shown or not. */
  readonly gapMs: number;
  readonly dir: Direction;
  readonly kind: RowKind;
  /** The method; of an answer that of its request, empty where that is not known. */
  readonly method: string;
  /** What a `session/update` tells of: `agent_message_chunk`. */
  readonly update?: string;
  /** The exact text of the id of requests and answers. */
  readonly idText?: string;
  /** Ms between the request and this answer. */
  readonly latencyMs?: number;
  /** The beginning of the params, the result, the error or the text. As it was sent; not printable. */
  readonly detail: string;
  /** Whether the stream ended before the line did. */
  readonly isCut: boolean;
}
