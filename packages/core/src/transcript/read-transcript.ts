import type {
  AvailableCommand,
  Cost,
  PlanEntry,
  SessionConfigOption,
  SessionMode,
} from '@signalbox/acp';
import type { ContentRef } from '../session/content-ref.ts';
import type { PromptId, TurnId } from '../session/ids.ts';
import { actor, jsonText } from '../session/read-parts.ts';
import {
  asItCame,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  onlyTrue,
  optional,
  pair,
  tagged,
  text,
  type Read,
} from '../shape/read.ts';
import type { TranscriptEntry } from './entry.ts';
import type { PromptText } from './echo.ts';
import type { LeftOutCall } from './left-out.ts';
import { entry, textCut } from './read-entry.ts';
import type {
  Diagnostics,
  Omitted,
  QueuedPromptView,
  TerminalExit,
  TerminalView,
  Transcript,
  TurnSummary,
  Usage,
} from './transcript.ts';
import { TRANSCRIPT_FORMAT, type FoldingJson, type TranscriptJson } from './transcript-json.ts';

/** What {@link TranscriptJson} holds, decoded. */
export type DecodedTranscript = Pick<
  TranscriptJson,
  'format' | 'usage' | 'currentModeId' | 'title' | 'terminals'
> &
  Omit<Transcript, 'usage' | 'currentModeId' | 'title' | 'terminals'> & {
    readonly folding: Omit<FoldingJson, 'openMessage'> & {
      readonly openMessage?: number | TranscriptEntry;
    };
  };

const cost: Read<Cost> = (value, path) => {
  const given = asItCame<Cost>('currency')(value, path);
  number()(given.amount, `${path}/amount`);
  return given;
};

const turn = tagged<TurnSummary>('kind', {
  idle: object({ kind: oneOf('idle') }),
  running: object<Extract<TurnSummary, { kind: 'running' }>>({
    kind: oneOf('running'),
    turnId: text<TurnId>(),
    promptId: text<PromptId>(),
    startedAt: number(),
    cancel: optional(object({ by: actor, graceEndsAt: number() })),
  }),
});

const terminal = object<TerminalView>({
  argv: list(text()),
  cwd: text(),
  exit: optional(
    object<TerminalExit>({
      exitCode: nullable(number()),
      signal: nullable(text()),
      outputBytes: number(),
      output: text(),
      truncated: flag,
      lost: optional(onlyTrue),
      outputRef: optional(
        object<ContentRef>({
          seq: optional(count),
          pointer: text(),
          bytes: count,
          digest: text(),
        }),
      ),
      cut: optional(textCut),
    }),
  ),
});

const queuedPrompt = object<QueuedPromptView>({
  promptId: text<PromptId>(),
  content: jsonText,
  by: actor,
  cut: optional(textCut),
});

const leftOutCall = object<LeftOutCall>({
  firstSeq: count,
  turnId: optional(text<TurnId>()),
  isOver: flag,
});

/** A transcript as `encodeTranscript` writes it. */
export const readTranscript: Read<DecodedTranscript> = object<DecodedTranscript>({
  // First, because all else may be different in another format.
  format: oneOf(TRANSCRIPT_FORMAT),
  entries: list(entry),
  lastSeq: count,
  turn,
  queue: list(queuedPrompt),
  isAgentRunning: flag,
  plan: list(asItCame<PlanEntry>('content', 'priority', 'status')),
  usage: optional(
    object<Usage>({
      used: number(),
      size: number(),
      cost: optional(cost),
    }),
  ),
  modes: list(asItCame<SessionMode>('id', 'name')),
  currentModeId: optional(text()),
  configOptions: list(asItCame<SessionConfigOption>('id', 'name', 'type')),
  commands: list(asItCame<AvailableCommand>('name', 'description')),
  title: optional(text()),
  terminals: list(pair(text(), terminal)),
  diagnostics: object<Diagnostics>({
    count,
    last: optional(object({ seq: count, problem: text() })),
  }),
  omitted: optional(object<Omitted>({ entries: count, beforeSeq: count })),
  folding: object<DecodedTranscript['folding']>({
    openMessage: optional((value, path) =>
      typeof value === 'number' ? count(value, path) : entry(value, path),
    ),
    echoed: optional(count),
    prompt: optional(object<PromptText>({ text: text(), length: count, types: list(text()) })),
    leftOutCalls: optional(list(pair(text(), leftOutCall))),
    hasForgotten: optional(onlyTrue),
    leftOutCompactions: optional(list(text())),
  }),
});
