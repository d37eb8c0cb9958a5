/** Which way a line went: client to agent, or agent to client. */
export type Direction = 'c2a' | 'a2c';

/** One line of a connection, as it crossed the wire. */
export interface TraceEntry {
  readonly dir: Direction;
  /** When the line was complete, in ms since the recording began. */
  readonly t: number;
  /** The exact text, without the line feed. Where the bytes are not UTF-8, a readable version. */
  readonly text: string;
  /** The exact bytes; present exactly when they are not UTF-8. */
  readonly bytes?: Uint8Array;
  /** True when the stream ended before the line did, so that the text may be cut short. */
  readonly isCut?: true;
}

/** A recorded connection, in the order in which the lines were seen. */
export type Trace = readonly TraceEntry[];
