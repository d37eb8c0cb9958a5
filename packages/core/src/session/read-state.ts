import type { PermissionOption, ToolCallLocation } from '@signalbox/acp';
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
import type { PermissionId, PromptId, SessionId, TurnId } from './ids.ts';
import type { KnownPrompt } from './known-prompts.ts';
import { action, actor, jsonText, queuedPrompt, turnEnd } from './read-parts.ts';
import type { SpokenIds } from './spoken-ids.ts';
import type {
  AgentState,
  FinishedTurn,
  Hold,
  PendingPermission,
  SessionState,
  Settling,
  TurnState,
} from './state.ts';
import { STATE_FORMAT } from './state-json.ts';
import type { TakenContent } from './taken-content.ts';
import type { ToolCallState } from './tool-call.ts';

/** What a stored state holds, decoded. */
export type DecodedState = Omit<SessionState, 'permissions' | 'toolCalls'> & {
  readonly format: typeof STATE_FORMAT;
  readonly permissions: readonly PendingPermission[];
  readonly toolCalls: readonly ToolCallState[];
};

const promptId = text<PromptId>();
const turnId = text<TurnId>();

const agent = tagged<AgentState>('kind', {
  absent: object({ kind: oneOf('absent') }),
  running: object<Extract<AgentState, { kind: 'running' }>>({
    kind: oneOf('running'),
    pid: count,
    startTime: nullable(text()),
    agentSessionId: text(),
    restoredBy: oneOf('new', 'load', 'resume', 'transcript'),
  }),
});

type RunningTurn = Extract<TurnState, { kind: 'running' }>;

const turn = tagged<TurnState>('kind', {
  idle: object({ kind: oneOf('idle') }),
  running: object<RunningTurn>({
    kind: oneOf('running'),
    turnId,
    promptId,
    content: jsonText,
    startedAt: number(),
    hasStartedAgent: flag,
    cancel: optional(
      object<NonNullable<RunningTurn['cancel']>>({
        by: actor,
        graceEndsAt: number(),
        hasWithdrawn: optional(onlyTrue),
      }),
    ),
  }),
});

const permission = object<PendingPermission>({
  permissionId: text<PermissionId>(),
  turnId: orAbsent(turnId),
  action,
  options: list(asItCame<PermissionOption>('optionId', 'name', 'kind')),
  deadline: number(),
});

const toolCall = object<ToolCallState>({
  toolCallId: text(),
  title: text(),
  kind: text(),
  status: oneOf('pending', 'in_progress', 'completed', 'failed'),
  locations: list(asItCame<ToolCallLocation>('path')),
  rawInput: optional(jsonText),
});

const settling = object<Settling>({
  turnId,
  isCancelled: flag,
  heardAt: number(),
  quietMs: number(),
  hold: optional(object<Hold>({ quietMs: number(), endsAt: number() })),
});

const spokenLists = object<{ toolCalls: (readonly [string, boolean])[]; messages: string[] }>({
  toolCalls: list(pair(text(), flag)),
  messages: list(text()),
});

const spokenIds: Read<SpokenIds> = (value, path) => {
  const { toolCalls, messages } = spokenLists(value, path);
  return { toolCalls: new Map(toolCalls), messages: new Set(messages) };
};

/** A state as `encodeState` writes it. */
export const readState: Read<DecodedState> = object<DecodedState>({
  // First, because all else may be different in another format.
  format: oneOf(STATE_FORMAT),
  sessionId: orAbsent(text<SessionId>()),
  cwd: text(),
  agentName: text(),
  command: list(text()),
  agent,
  turn,
  queue: list(queuedPrompt),
  permissions: list(permission),
  toolCalls: list(toolCall),
  lastTurn: orAbsent(object<FinishedTurn>({ turnId, promptId, end: turnEnd })),
  runningTerminals: list(text()),
  settling: orAbsent(settling),
  spoken: object<SessionState['spoken']>({ before: spokenIds, now: spokenIds }),
  knownPrompts: list(
    object<KnownPrompt>({ promptId, contentMark: text(), end: optional(turnEnd) }),
  ),
  title: orAbsent(text()),
  takenContent: orAbsent(object<TakenContent>({ image: flag, audio: flag, embeddedContext: flag })),
  lastAgentSessionId: orAbsent(text()),
  turnCount: count,
});

/** A member that is always there in a state, and undefined where JSON has none. */
function orAbsent<T>(read: Read<T>): Read<T | undefined> {
  return (value, path) => (value === undefined ? undefined : read(value, path));
}
