import { Misfit } from '../shape/read.ts';
import type { Draft, Index, OpenMessage } from './draft.ts';
import { createEcho, type PromptEcho } from './echo.ts';
import type { MessageEntry, TranscriptEntry } from './entry.ts';
import { indexEntries } from './index-entries.ts';
import type { DecodedTranscript } from './read-transcript.ts';

/**
 * A draft with all that a decoded transcript says, and with what follows from it.
 *
 * @throws Misfit when its parts do not fit together.
 */
export function restoreDraft(given: DecodedTranscript): Draft {
  const { format: _, folding, usage, currentModeId, title, terminals, ...rest } = given;
  refuseSameIds(rest.entries);
  return {
    ...rest,
    entries: [...rest.entries],
    usage,
    currentModeId,
    title,
    terminals: new Map(terminals),
    index: toIndex(given),
  };
}

function toIndex(given: DecodedTranscript): Index {
  const { leftOutCalls, hasForgotten = false, leftOutCompactions } = given.folding;
  const calls = new Map(leftOutCalls);
  const index = indexEntries(given.entries, calls);
  return {
    ...index,
    openMessage: toOpenMessage(given),
    echo: toEcho(given, index),
    leftOut: { calls, hasForgotten, compactions: new Set(leftOutCompactions) },
  };
}

function toOpenMessage({ entries, folding }: DecodedTranscript): OpenMessage | undefined {
  const { openMessage } = folding;
  if (openMessage === undefined) return undefined;
  const position = typeof openMessage === 'number' ? openMessage : undefined;
  const entry = typeof openMessage === 'number' ? entries[openMessage] : openMessage;
  if (entry === undefined || !isMessage(entry)) {
    throw new Misfit('/folding/openMessage', 'must be a message');
  }
  return { entry, position };
}

/** The first entry of the running turn is its prompt. */
function toEcho(
  { entries, turn, folding }: DecodedTranscript,
  { turns }: Pick<Index, 'turns'>,
): PromptEcho | undefined {
  const { echoed, prompt: compared } = folding;
  if (turn.kind === 'idle') {
    if (echoed === undefined) return undefined;
    throw new Misfit('/folding/echoed', 'must not be there without a turn');
  }
  const prompt = entries[turns.get(turn.turnId)?.from ?? -1];
  if (prompt?.kind !== 'user_message') {
    throw new Misfit('/turn/turnId', 'must be a turn whose prompt is one of the entries');
  }
  const echo = compared ?? createEcho(prompt.blocks);
  if (echoed === undefined || echoed > echo.length) {
    throw new Misfit('/folding/echoed', 'must be a length within the prompt of the turn');
  }
  return { ...echo, repeated: echoed };
}

function isMessage(entry: TranscriptEntry): entry is MessageEntry {
  const { kind } = entry;
  return kind === 'user_message' || kind === 'agent_message' || kind === 'thought';
}

function refuseSameIds(entries: readonly TranscriptEntry[]): void {
  const ids = new Set<string>();
  for (const [position, { id }] of entries.entries()) {
    if (ids.has(id)) throw new Misfit(`/entries/${position}/id`, 'must not be there twice');
    ids.add(id);
  }
}
