import { readAs } from '../shape/read-as.ts';
import type { Draft, OpenMessage } from './draft.ts';
import { createEcho, type PromptEcho, type PromptText } from './echo.ts';
import { encodeEntry } from './encode-entry.ts';
import { readTranscript } from './read-transcript.ts';
import { restoreDraft } from './restore-draft.ts';
import type { Transcript } from './transcript.ts';
import {
  TRANSCRIPT_FORMAT,
  type EntryJson,
  type FoldingJson,
  type TranscriptJson,
} from './transcript-json.ts';

/**
 * A transcript as a JSON value, from which {@link decodeTranscript} makes one that further events can be
 * folded into just as well. It shares the transcript's immutable parts, so it is cheap to make and stays as
 * it is.
 *
 * Somebody else's JSON keeps its exact text. Numbers in content blocks that JSON cannot write (infinite
 * ones, a negative zero) come out as `JSON.stringify` has them.
 */
export function encodeTranscript(transcript: Transcript): TranscriptJson {
  const draft = transcript as Draft;
  const { index: _, entries, queue, terminals, usage, currentModeId, title, ...rest } = draft;
  return {
    format: TRANSCRIPT_FORMAT,
    ...rest,
    entries: entries.map(encodeEntry),
    queue: queue.map((prompt) => ({ ...prompt, content: prompt.content.text })),
    ...(usage === undefined ? {} : { usage }),
    ...(currentModeId === undefined ? {} : { currentModeId }),
    ...(title === undefined ? {} : { title }),
    terminals: [...terminals],
    folding: encodeFolding(draft),
  };
}

/**
 * Makes a transcript of what {@link encodeTranscript} wrote. Folding further events into it gives the same
 * as folding them into the original. It keeps parts of the value, so leave that as it is.
 *
 * @throws CoreError `transcript_malformed` for anything else, also for one of a newer format; then the log
 *   has to be folded from its start.
 */
export function decodeTranscript(value: unknown): Transcript {
  return readAs(value, (json, path) => restoreDraft(readTranscript(json, path)), {
    code: 'transcript_malformed',
    what: `a transcript of the format ${TRANSCRIPT_FORMAT}`,
  });
}

function encodeFolding(draft: Draft): FoldingJson {
  const { openMessage, echo, leftOut } = draft.index;
  const { calls, hasForgotten, compactions } = leftOut;
  return {
    ...(openMessage === undefined ? {} : { openMessage: encodeOpen(openMessage) }),
    ...(echo === undefined ? {} : encodeEcho(draft, echo)),
    ...(calls.size === 0 ? {} : { leftOutCalls: [...calls] }),
    ...(hasForgotten ? { hasForgotten } : {}),
    ...(compactions.size === 0 ? {} : { leftOutCompactions: [...compactions] }),
  };
}

/** What is compared follows from the prompt's entry, unless a part of that was left out. */
function encodeEcho(
  { turn, entries, index }: Draft,
  { repeated: echoed, ...compared }: PromptEcho,
): FoldingJson {
  const turnId = turn.kind === 'running' ? turn.turnId : undefined;
  const range = turnId === undefined ? undefined : index.turns.get(turnId);
  const entry = range && entries[range.from];
  const following = createEcho(entry?.kind === 'user_message' ? entry.blocks : []);
  return isSame(following, compared) ? { echoed } : { echoed, prompt: compared };
}

function isSame(a: PromptText, b: PromptText): boolean {
  return a.text === b.text && a.length === b.length && a.types.join() === b.types.join();
}

function encodeOpen({ entry, position }: OpenMessage): number | EntryJson {
  return position ?? encodeEntry(entry);
}
