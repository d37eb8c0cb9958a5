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
import { readLandmarks, type Landmarks } from './landmarks.ts';

/** A session's state at one place of its log. */
export interface StateAt {
  /** The last event that is in it. */
  readonly seq: number;
  readonly state: SessionState;
}

/** What people see of a session. */
export interface SessionOutline {
  readonly transcript: Transcript;
  readonly landmarks: Landmarks;
}

/** Names what is in a snapshot; one that is called otherwise is left alone. */
const FORMAT = `${STATE_FORMAT} landmarks/1 ${TRANSCRIPT_FORMAT}`;

/**
 * A snapshot that stands beside a log: lines of JSON, so that whoever only opens the session need not read
 * what people see of it.
 *
 * @param outline up to the same place or behind it.
 */
export function toSnapshot(
  { seq, state }: StateAt,
  { transcript, landmarks }: SessionOutline,
): Snapshot {
  const lines = [encodeState(state), landmarks, encodeTranscript(transcript)];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return { seq, format: FORMAT, state: text };
}

/**
 * The state in a snapshot; undefined if it is none of ours.
 *
 * @throws SyntaxError or CoreError `state_malformed` when it cannot be read.
 */
export function stateOf(snapshot: Snapshot): StateAt | undefined {
  const { seq, format, state } = snapshot;
  if (format !== FORMAT) return undefined;
  const [line = ''] = state.split('\n', 1);
  return { seq, state: decodeState(JSON.parse(line)) };
}

/**
 * What people see, in a snapshot; undefined if it is none of ours.
 *
 * @throws SyntaxError, TypeError or CoreError `transcript_malformed` when it cannot be read.
 */
export function outlineOf({ format, state }: Snapshot): SessionOutline | undefined {
  if (format !== FORMAT) return undefined;
  const [, landmarks = '', transcript = ''] = state.split('\n');
  return {
    transcript: decodeTranscript(JSON.parse(transcript)),
    landmarks: readLandmarks(JSON.parse(landmarks)),
  };
}
