import type { PermissionOption, RawJson, ToolCallUpdate } from '@signalbox/acp';
import type { AgentExit, PermissionOutcome, PromptAnswer, RestoredBy } from '@signalbox/core';

/** What a running agent tells the session. Called in the order in which it arrived. */
export interface AgentEvents {
  onUpdate(update: RawJson, problem: string | undefined): void;
  /** The agent asks; it waits until the promise resolves. */
  onPermission(request: AgentPermissionRequest): Promise<PermissionOutcome>;
  /**
   * Called once, when the process tree has ended and everything it wrote has been told. Also when that
   * happens during the start, which then fails.
   */
  onExit(exit: AgentExit): void;
  /** While the promise is pending, nothing more is read from the agent. */
  readyForMore(): void | Promise<void>;
}

export interface AgentPermissionRequest {
  readonly toolCall: ToolCallUpdate;
  readonly toolCallRaw: RawJson;
  readonly options: readonly PermissionOption[];
  readonly optionsRaw: RawJson;
}

/** An agent with one session, ready for prompts. */
export interface RunningAgent {
  readonly pid: number;
  readonly startTime: string | null;
  readonly agentSessionId: string;
  readonly restoredBy: RestoredBy;
  readonly initialized: RawJson;
  readonly session: RawJson;
  /** Sends a prompt. Undefined: the agent is gone, which `onExit` tells. */
  prompt(content: RawJson): Promise<PromptAnswer | undefined>;
  /** Sends `session/cancel`. */
  cancel(): void;
  /** Ends the process tree; resolves, never rejects, when it has ended and `onExit` was told. */
  end(): Promise<void>;
}

/** Starts agents for one session. A parameter of the session, so that tests need no processes. */
export interface AgentLink {
  /**
   * Starts the agent and gives it a session.
   *
   * @param signal aborting ends what was started so far.
   * @throws HostError with the step that failed.
   */
  start(events: AgentEvents, signal: AbortSignal): Promise<RunningAgent>;
}
