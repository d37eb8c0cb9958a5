import type { PermissionOption } from '@signalbox/acp';
import type { Action } from '../policy/action.ts';
import type { Actor, RestoredBy, TurnEnd } from './event.ts';
import type { PermissionId, PromptId, SessionId, TurnId } from './ids.ts';
import type { KnownPrompt } from './known-prompts.ts';
import { NOTHING_SPOKEN, type Spoken } from './spoken-ids.ts';
import type { TakenContent } from './taken-content.ts';
import type { ToolCallState } from './tool-call.ts';
import type { RawJson } from '@signalbox/acp';

/** The agent's process, as far as the log knows it. */
export type AgentState =
  /** No process. Left by `agent.started`. */
  | { readonly kind: 'absent' }
  /** A process with a session of ours. Left by `agent.exited`. */
  | {
      readonly kind: 'running';
      readonly pid: number;
      readonly startTime: string | null;
      readonly agentSessionId: string;
      readonly restoredBy: RestoredBy;
    };

/** What the session is doing. */
export type TurnState =
  /** Nothing; a prompt starts a turn, at once unless the session is settling. Left by `turn.started`. */
  | { readonly kind: 'idle' }
  /** A turn that the agent works on, or will when its process is ready. Left by `turn.finished`. */
  | {
      readonly kind: 'running';
      readonly turnId: TurnId;
      readonly promptId: PromptId;
      readonly content: RawJson;
      readonly startedAt: number;
      /** An agent was started for this turn. */
      readonly hasStartedAgent: boolean;
      /** Set by the first cancel; the turn still ends by the agent's answer or by the grace's end. */
      readonly cancel?: {
        readonly by: Actor;
        readonly graceEndsAt: number;
        /** The cancel has withdrawn a permission request of this turn: the agent was still at work. */
        readonly hasWithdrawn?: true;
      };
    };

/** A prompt that waits for the turn before it, or for the agent to be quiet behind it. */
export interface QueuedPrompt {
  readonly promptId: PromptId;
  readonly content: RawJson;
  readonly by: Actor;
}

/**
 * The time behind a turn that was stopped, in which its agent may still speak of it. An update names no
 * turn in ACP, so nothing new goes to the agent until it has been quiet for a while (B52). Left by the
 * next turn and by the end of the agent's process.
 */
export interface Settling {
  /** The turn that was stopped. */
  readonly turnId: TurnId;
  /** Whether somebody stopped it; otherwise it failed. */
  readonly isCancelled: boolean;
  /** When the agent last did anything: ms since 1970. */
  readonly heardAt: number;
  /** The longest time behind the turn's end in which the agent did nothing, in ms. */
  readonly quietMs: number;
  /** Set while a prompt waits for the agent to be quiet. */
  readonly hold?: Hold;
}

/** How long a prompt waits for an agent to be quiet. */
export interface Hold {
  /** For how long the agent has to be quiet, in ms. */
  readonly quietMs: number;
  /** When the agent's process is ended if it has not been: ms since 1970. */
  readonly endsAt: number;
}

/** A permission request that waits for an answer. */
export interface PendingPermission {
  readonly permissionId: PermissionId;
  readonly turnId: TurnId | undefined;
  readonly action: Action;
  readonly options: readonly PermissionOption[];
  readonly deadline: number;
}

/** The last turn that ended. */
export interface FinishedTurn {
  readonly turnId: TurnId;
  readonly promptId: PromptId;
  readonly end: TurnEnd;
}

/**
 * All that decisions about a session need: small, immutable, a fold of the log. What people see of a
 * session is another fold, the transcript.
 */
export interface SessionState {
  readonly sessionId: SessionId | undefined;
  readonly cwd: string;
  readonly agentName: string;
  readonly command: readonly string[];
  readonly agent: AgentState;
  readonly turn: TurnState;
  readonly queue: readonly QueuedPrompt[];
  readonly permissions: ReadonlyMap<PermissionId, PendingPermission>;
  /** Tool calls that have not ended: of the turn under way, or else since the last one ended. */
  readonly toolCalls: ReadonlyMap<string, ToolCallState>;
  readonly lastTurn: FinishedTurn | undefined;
  /** Commands that the host runs for the agent, by terminal id. */
  readonly runningTerminals: readonly string[];
  /** Set while the agent may still go on about the last turn, which was stopped. */
  readonly settling: Settling | undefined;
  /** What the agent's process has named. */
  readonly spoken: Spoken;
  /** Prompts that wait or run, and the last that have ended. */
  readonly knownPrompts: readonly KnownPrompt[];
  readonly title: string | undefined;
  /** What the last agent takes in prompts; undefined before the first. */
  readonly takenContent: TakenContent | undefined;
  /** The last agent's own id for the session, by which a restarted agent may find it again. */
  readonly lastAgentSessionId: string | undefined;
  readonly turnCount: number;
}

/** The state before the first event. */
export const INITIAL_STATE: SessionState = {
  sessionId: undefined,
  cwd: '',
  agentName: '',
  command: [],
  agent: { kind: 'absent' },
  turn: { kind: 'idle' },
  queue: [],
  permissions: new Map(),
  toolCalls: new Map(),
  lastTurn: undefined,
  runningTerminals: [],
  settling: undefined,
  spoken: NOTHING_SPOKEN,
  knownPrompts: [],
  title: undefined,
  takenContent: undefined,
  lastAgentSessionId: undefined,
  turnCount: 0,
};
