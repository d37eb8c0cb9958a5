import { foldTranscript, type StoredEvent, type Transcript } from '@signalbox/core';

/** What a session is told again and again, of which only the last one counts. */
const TOLD = ['agent', 'modes', 'currentModeId', 'configOptions', 'commands', 'usage'] as const;

/**
 * Where a session's log says last how the session stands: the start of its agent, and the events by which parts
 * of its transcript became what they are. Whoever needs their exact texts reads these events, and not the log.
 */
export type Landmarks = Partial<Record<(typeof TOLD)[number], number>>;

/** Folds the next event into a transcript and its landmarks, in place. */
export function foldWithLandmarks(
  transcript: Transcript,
  landmarks: Landmarks,
  stored: StoredEvent,
): void {
  const { modes, currentModeId, configOptions, commands, usage } = transcript;
  foldTranscript(transcript, stored);
  const { seq, event } = stored;
  if (event.type === 'agent.started') landmarks.agent = seq;
  // What changes in a transcript becomes another object.
  if (transcript.modes !== modes) landmarks.modes = seq;
  if (transcript.currentModeId !== currentModeId) landmarks.currentModeId = seq;
  if (transcript.configOptions !== configOptions) landmarks.configOptions = seq;
  if (transcript.commands !== commands) landmarks.commands = seq;
  if (transcript.usage !== usage) landmarks.usage = seq;
}

/** Reads landmarks that were written as JSON. @throws TypeError for what are none. */
export function readLandmarks(value: unknown): Landmarks {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  const landmarks: Landmarks = {};
  for (const name of TOLD) {
    const seq = given[name];
    if (seq === undefined) continue;
    if (!Number.isSafeInteger(seq)) throw new TypeError(`the landmark ${name} is no event`);
    landmarks[name] = seq as number;
  }
  return landmarks;
}
