import type { Clock } from '@signalbox/acp';
import type { Journal, SessionId, SessionSettings } from '@signalbox/core';
import type { AgentEntry } from '../agents/agent-entry.ts';
import type { AgentLink } from '../agents/agent-link.ts';
import type { AgentStart } from '../agents/start-agent.ts';
import { DEFAULT_ENDING_LIMITS, type EndingLimits } from '../agents/agent-process.ts';
import { ELICITATION_TIMEOUT_MS } from '../client-services/elicitations.ts';

/** Something went wrong of which no caller learns, because nobody had asked for it. */
export interface HostProblem {
  readonly kind:
    /** A session that a dead host left could not be taken over. */
    | 'recovery_failed'
    /** A line of the list of sessions could not be written; it is written anew with the next change. */
    | 'list_failed'
    /** A snapshot of a log could not be written or read; the log is read instead. */
    | 'snapshot_failed'
    /** A session could not be given back; it is free when this host is closed. */
    | 'release_failed';
  readonly sessionId: SessionId;
  readonly error: unknown;
}

/** What a host is made of. */
export interface HostOptions {
  /** Where everything is stored. The host closes it. */
  readonly journal: Journal;
  /** Finds an agent by the name that a session was made with. */
  readonly findAgent: (name: string) => AgentEntry | undefined;
  /** The host's own environment; agents get an allowlist of it. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What agents are told about their client. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly settings?: Partial<HostSettings>;
  readonly clock?: Clock;
  /** How agents are reached. Default: child processes, `createProcessLink`. */
  readonly createLink?: (start: AgentStart) => AgentLink;
  /** For logs and counters; must not throw. */
  readonly onProblem?: (problem: HostProblem) => void;
}

/** Time limits and bounds of a host, in ms where they are times. */
export interface HostSettings extends SessionSettings, EndingLimits {
  /** How long a turn may go without anything from the agent before it is ended. */
  readonly turnIdleMs: number;
  /** How long an agent that can find its session again may do nothing before its process is ended. */
  readonly hibernateAfterMs: number;
  /**
   * How long an agent that cannot find its session again may do nothing before its process is ended, while
   * nobody has the session open. The next one is told what was said, which is less than it knew itself.
   */
  readonly endUnusedAfterMs: number;
  /**
   * How many agents may run at a time that do nothing, in sessions that nobody has open. Of more, those that
   * have done nothing for longest are ended.
   */
  readonly unusedAgentsMax: number;
  /** How long a session without process and without clients stays open before others may have it. */
  readonly releaseAfterMs: number;
  /** How long a person may take to answer what an agent asks by `elicitation/create`. */
  readonly elicitationTimeoutMs: number;
}

/** What holds where nothing else is given; times in ms. */
export const DEFAULT_SETTINGS: HostSettings = {
  policyLevel: 'ask',
  permissionTimeoutMs: 10 * 60_000,
  cancelGraceMs: 10_000,
  settleMs: 300,
  settleMaxMs: 3000,
  queueLengthMax: 32,
  turnIdleMs: 30 * 60_000,
  hibernateAfterMs: 15 * 60_000,
  endUnusedAfterMs: 4 * 60 * 60_000,
  unusedAgentsMax: 16,
  releaseAfterMs: 60_000,
  elicitationTimeoutMs: ELICITATION_TIMEOUT_MS,
  ...DEFAULT_ENDING_LIMITS,
};
