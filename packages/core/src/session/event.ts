import type { RawJson, StopReason } from '@signalbox/acp';
import type { Action } from '../policy/action.ts';
import type { PermissionId, PromptId, SessionId, TurnId } from './ids.ts';

/** Who did something. */
export type Actor =
  | { readonly kind: 'client'; readonly name: string }
  | { readonly kind: 'policy'; readonly rule: string }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'host' };

/** Why a turn failed. A turn that fails has no stop reason. */
export type TurnFailure =
  /** The agent could not be started, or refused the session. */
  | 'agent_start'
  /** The agent's process ended during the turn. */
  | 'agent_exited'
  /** The agent answered the prompt with an error. */
  | 'agent_error'
  /** The agent wants its user to sign in first. */
  | 'auth_required'
  /** The agent's answer to the prompt has no stop reason that the protocol knows. */
  | 'invalid_response'
  /** The agent did nothing for longer than the idle limit. */
  | 'turn_idle'
  /** The host ended while the turn ran: nobody knows how far the agent got. */
  | 'interrupted';

/** How a turn ended. Exactly one of these per turn. */
export type TurnEnd =
  | {
      readonly kind: 'stopped';
      readonly stopReason: StopReason;
      /** The agent did not end the cancelled turn itself, so its process was ended. */
      readonly forced?: true;
    }
  | {
      readonly kind: 'failed';
      readonly failure: TurnFailure;
      /** What happened, for people. */
      readonly message: string;
      /** The JSON-RPC error code of the agent, where there was one. */
      readonly code?: number;
    };

/** How an agent's process ended. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to stderr. */
  readonly stderrTail: string;
  /** Lines on its stdout that were no messages. */
  readonly noiseCount: number;
  /**
   * What made its connection useless, so that the host ended it: a part of a sentence. Absent when it ended by
   * itself, or was to end.
   */
  readonly cause?: string;
}

/** How an agent's session came to be. */
export type RestoredBy = 'new' | 'load' | 'resume' | 'transcript';

/** The outcome of a permission request, as the agent is told. */
export type PermissionOutcome =
  { readonly kind: 'selected'; readonly optionId: string } | { readonly kind: 'cancelled' };

/** Why a permission request ended without anybody having decided it. */
export type PermissionWithdrawal =
  /** The turn was cancelled while the request waited, or before it came. */
  | 'turn_cancelled'
  /** The agent ended its turn with this request of its own still open. */
  | 'turn_ended'
  /** The agent took it back while its turn went on. */
  | 'taken_back'
  /** Nobody is there any more who could be told. */
  | 'agent_gone'
  /** It was denied, but the agent offers no option that says so. */
  | 'no_fitting_option';

/** One access to a file, with what was there before and after. */
export interface FileAccessed {
  readonly kind: 'read' | 'write';
  /** As the agent spelled it. */
  readonly path: string;
  /** The file behind it, without links; null when a client of ours served it. */
  readonly realPath: string | null;
  readonly bytes: number;
  /** SHA-256 of the whole file; null when there was none, or when it is not known. */
  readonly digestBefore: string | null;
  readonly digestAfter: string | null;
}

/** A command as it was run. */
export interface TerminalStarted {
  readonly terminalId: string;
  readonly argv: readonly string[];
  /** The agent gave a whole line, which a shell runs. */
  readonly isShellLine: boolean;
  readonly cwd: string;
  /** Variables that the agent set, by name and by the SHA-256 of the value. */
  readonly env: readonly { readonly name: string; readonly valueDigest: string }[];
}

/** How a command ended, with the end of its output for those who look later. */
export interface TerminalExited {
  readonly terminalId: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outputBytes: number;
  readonly output: string;
  readonly truncated: boolean;
  /** The host ended while the command ran: how it ended and what it wrote is unknown. */
  readonly lost?: true;
}

interface EventData {
  /** First event of every log. */
  'session.created': {
    readonly sessionId: SessionId;
    readonly cwd: string;
    readonly agent: string;
    readonly command: readonly string[];
  };
  'agent.started': {
    readonly pid: number;
    /** Start time of the process as the system tells it; with the pid it names one process for ever. */
    readonly startTime: string | null;
    readonly agentSessionId: string;
    readonly restoredBy: RestoredBy;
    /** The agent's answer to `initialize`, exactly. */
    readonly initialized: RawJson;
    /** The agent's answer to `session/new`, `session/load` or `session/resume`, exactly. */
    readonly session: RawJson;
  };
  'agent.exited': AgentExit & { readonly isExpected: boolean };
  'prompt.queued': {
    readonly promptId: PromptId;
    readonly content: RawJson;
    readonly by: Actor;
  };
  /**
   * A queued prompt waits for the agent, which may go on about the turn that was stopped (it is the
   * event's turn) until it has been quiet for `quietMs`.
   */
  'prompt.held': {
    readonly promptId: PromptId;
    readonly quietMs: number;
    /** When the agent's process is ended if it has not been quiet: ms since 1970. */
    readonly endsAt: number;
  };
  /** A queued prompt that will not run. */
  'prompt.dropped': { readonly promptId: PromptId; readonly by: Actor };
  'turn.started': {
    readonly promptId: PromptId;
    /** The prompt's content blocks, exactly. */
    readonly content: RawJson;
    readonly by: Actor;
  };
  /** One `session/update` of the agent, exactly. Without a turn id: it came outside of any turn. */
  update: {
    /** Protocol version in which it came. */
    readonly v: 1;
    readonly update: RawJson;
    /** Why the update does not fit the protocol; it is kept, but not folded. */
    readonly problem?: string;
    /** Who caused it, where the host wrote it: a client that changed the mode, told to all others. */
    readonly by?: Actor;
  };
  /** The agent read or wrote a file through its client. */
  'file.accessed': FileAccessed;
  /** The agent started a command through its client. */
  'terminal.started': TerminalStarted;
  'terminal.exited': TerminalExited;
  'permission.requested': {
    readonly permissionId: PermissionId;
    readonly toolCall: RawJson;
    readonly options: RawJson;
    readonly action: Action;
    /** When the request is denied if nobody has answered: ms since 1970. Absent: decided at once. */
    readonly deadline?: number;
  };
  'permission.resolved': {
    readonly permissionId: PermissionId;
    readonly outcome: PermissionOutcome;
    readonly by: Actor;
    readonly withdrawal?: PermissionWithdrawal;
  };
  'turn.cancel_requested': {
    readonly by: Actor;
    /** When the agent's process is ended if the turn has not: ms since 1970. */
    readonly graceEndsAt: number;
  };
  'turn.finished': { readonly promptId: PromptId; readonly end: TurnEnd };
}

/** The kinds of fact that a session's log holds. */
export type SessionEventType = keyof EventData;

/** One fact of one kind. */
export type EventOf<T extends SessionEventType> = T extends SessionEventType
  ? {
      readonly type: T;
      /** When it happened, by the host's clock: ms since 1970. */
      readonly time: number;
      readonly turnId?: TurnId;
      readonly data: EventData[T];
    }
  : never;

/** A persisted fact about a session. What is not in the log did not happen. */
export type SessionEvent = EventOf<SessionEventType>;
