import {
  decodeState,
  decodeTranscript,
  encodeState,
  encodeTranscript,
  STATE_FORMAT,
  TRANSCRIPT_FORMAT,
  type SessionState,
  type Snapshot,
  type Transcript,
} from '@signalbox/core';

/** A session's state at one place of its log. */
export interface StateAt {
  /** The last event that is in it. */
  readonly seq: number;
  readonly state: SessionState;
}

/** Names what is in a snapshot; one that is called otherwise is left alone. */
const FORMAT = `${STATE_FORMAT} ${TRANSCRIPT_FORMAT}`;

/**
 * A snapshot that stands beside a log: two lines of JSON, so that whoever only opens the session need not
 * read what people see of it.
 *
 * @param transcript up to the same place or behind it.
 */
export function toSnapshot({ seq, state }: StateAt, transcript: Transcript): Snapshot {
  const lines = [encodeState(state), encodeTranscript(transcript)].map((line) =>
    JSON.stringify(line),
  );
  return { seq, format: FORMAT, state: lines.join('\n') };
}

/**
 * The state in a snapshot; undefined if it is none of ours.
 *
 * @throws SyntaxError or CoreError `state_malformed` when it cannot be read.
 */
export function stateOf(snapshot: Snapshot): StateAt | undefined {
  const { seq, format, state } = snapshot;
  if (format !== FORMAT) return undefined;
  const line = state.slice(0, Math.max(0, state.indexOf('\n')));
  return { seq, state: decodeState(JSON.parse(line)) };
}

/**
 * The transcript in a snapshot; undefined if it is none of ours.
 *
 * @throws SyntaxError or CoreError `transcript_malformed` when it cannot be read.
 */
export function transcriptOf({ format, state }: Snapshot): Transcript | undefined {
  if (format !== FORMAT) return undefined;
  return decodeTranscript(JSON.parse(state.slice(state.indexOf('\n') + 1)));
}
