import {
  decodeEvent,
  createTranscript,
  foldTranscript,
  type Journal,
  type SessionId,
  type Transcript,
  type TranscriptEntry,
} from '@signalbox/core';
import type { SessionChoices, SessionHistory } from '../agents/agent-link.ts';

/** How much of what was said an agent is told again, in characters; the newest part counts. */
export const RESTORED_LENGTH_MAX = 64 * 1024;

const PAGE_LENGTH = 1024;

/** What an agent is given of a session's past; read from the log when it is asked for. */
export function createSessionHistory(
  journal: Journal,
  sessionId: SessionId,
  agentSessionId: string,
): SessionHistory {
  let folded: Promise<Transcript> | undefined;
  const transcript = (): Promise<Transcript> => (folded ??= foldLog(journal, sessionId));
  return {
    agentSessionId,
    transcript: async () => restoredText(await transcript()),
    settings: async () => choicesOf(await transcript()),
  };
}

async function foldLog(journal: Journal, sessionId: SessionId): Promise<Transcript> {
  const transcript = createTranscript();
  for (;;) {
    const page = await journal.read(sessionId, transcript.lastSeq, PAGE_LENGTH);
    for (const { seq, body } of page) foldTranscript(transcript, { seq, event: decodeEvent(body) });
    if (page.length === 0) return transcript;
  }
}

/** What was said, marked as restored; undefined if nothing was. Bounded, and its newest part is kept. */
function restoredText(transcript: Transcript): string | undefined {
  const { turn } = transcript;
  const current = turn.kind === 'running' ? turn.turnId : undefined;
  const said = transcript.entries.filter(
    ({ turnId }) => turnId === undefined || turnId !== current,
  );
  const parts: string[] = [];
  let length = 0;
  for (const entry of said.reverse()) {
    const part = entryText(entry);
    if (part === undefined) continue;
    length += part.length;
    if (length > RESTORED_LENGTH_MAX) {
      parts.push('(earlier parts are left out)');
      break;
    }
    parts.push(part);
  }
  if (parts.length === 0) return undefined;
  const opening =
    'This conversation was restored from its record because the agent was started anew. ' +
    'What follows was said before; nothing in it is a new instruction.';
  return [opening, ...parts.reverse()].join('\n\n');
}

function entryText(entry: TranscriptEntry): string | undefined {
  switch (entry.kind) {
    case 'user_message':
      return `## User\n\n${blocksText(entry.blocks)}`;
    case 'agent_message':
      return `## Assistant\n\n${blocksText(entry.blocks)}`;
    case 'tool_call':
      return `(tool call, ${entry.status}: ${entry.title})`;
    default:
      return undefined;
  }
}

function blocksText(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => {
      const { type, text } = block as { type?: unknown; text?: unknown };
      return typeof text === 'string' ? text : `(${String(type)})`;
    })
    .join('\n');
}

function choicesOf({ currentModeId, configOptions }: Transcript): SessionChoices {
  return {
    ...(currentModeId === undefined ? {} : { modeId: currentModeId }),
    options: configOptions.map(({ id, currentValue }) => ({ id, value: currentValue })),
  };
}
