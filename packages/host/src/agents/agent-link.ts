import type { PermissionOption, RawJson, ToolCallUpdate } from '@signalbox/acp';
import type { AgentExit, PermissionOutcome, PromptAnswer, RestoredBy } from '@signalbox/core';

/** What a running agent tells the session. Called in the order in which it arrived. */
export interface AgentEvents {
  /** The process runs, and its start goes on. @param lastWords gives the end of its stderr at any time. */
  onSpawned(lastWords: () => string): void;
  onUpdate(update: RawJson, problem: string | undefined): void;
  /**
   * The agent asks; it waits until the promise resolves.
   *
   * @param takenBack aborted when it does not want the answer any more, while it still lives.
   */
  onPermission(
    request: AgentPermissionRequest,
    takenBack?: AbortSignal,
  ): Promise<PermissionOutcome>;
  /**
   * Called once, when the process tree has ended and everything it wrote has been told. Also when that
   * happens during the start, which then fails.
   */
  onExit(exit: AgentExit): void;
  /** While the promise is pending, nothing more is read from the agent. */
  readyForMore(): void | Promise<void>;
}

/** What an agent asks permission for, decoded and exactly as it asked. */
export interface AgentPermissionRequest {
  readonly toolCall: ToolCallUpdate;
  readonly toolCallRaw: RawJson;
  readonly options: readonly PermissionOption[];
  readonly optionsRaw: RawJson;
}

/** What an agent said of itself and of the session that it made. */
export interface AgentFacts {
  /** Its answer to `initialize`, exactly. */
  readonly initialized: RawJson;
  /** Its answer to `session/new`, `session/load` or `session/resume`, exactly. */
  readonly session: RawJson;
}

/** An agent with one session, ready for prompts. */
export interface RunningAgent extends AgentFacts {
  readonly pid: number;
  readonly startTime: string | null;
  readonly agentSessionId: string;
  readonly restoredBy: RestoredBy;
  /** Updates that say what was set anew for an agent that does not remember it. */
  readonly settingUpdates: readonly RawJson[];
  /**
   * Calls a method about the session; the session id in `params` is replaced by the agent's own.
   *
   * @returns the exact result. @throws RpcError or PeerError.
   */
  request(method: string, params: RawJson): Promise<RawJson>;
  /** Sends a notification about the session, likewise. */
  notify(method: string, params: RawJson): void;
  /** Sends a prompt. Undefined: the agent is gone, which `onExit` tells. */
  prompt(content: RawJson): Promise<PromptAnswer | undefined>;
  /** Sends `session/cancel`. */
  cancel(): void;
  /** Ends the process tree; resolves, never rejects, when it has ended and `onExit` was told. */
  end(): Promise<void>;
}

/** What an agent is given of a session that had an agent before. */
export interface SessionHistory {
  /** The earlier agent's own id for the session. */
  readonly agentSessionId: string;
  /** What was said, for an agent that cannot find the session again; undefined if nothing was. */
  transcript(): Promise<string | undefined>;
  /** The mode and options that were set. */
  settings(): Promise<SessionChoices>;
}

/** What was chosen in a session beside what was said. */
export interface SessionChoices {
  readonly modeId?: string;
  readonly options: readonly { readonly id: string; readonly value: string | boolean }[];
}

/** Starts agents for one session. A parameter of the session, so that tests need no processes. */
export interface AgentLink {
  /**
   * Starts the agent and gives it a session.
   *
   * @param history of a session that had an agent before.
   * @param signal aborting ends what was started so far.
   * @throws HostError with the step that failed.
   */
  start(events: AgentEvents, signal: AbortSignal, history?: SessionHistory): Promise<RunningAgent>;
}
