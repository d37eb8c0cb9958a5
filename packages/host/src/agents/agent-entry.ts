import type { Quirk } from './quirks.ts';

/** How an agent is started, and what it needs. */
export interface AgentEntry {
  /** The name that people use for it. */
  readonly name: string;
  /** What it is, in a few words. */
  readonly title?: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Variables that are set for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that it gets from the host's environment, such as its API key. */
  readonly passEnv?: readonly string[];
  /**
   * How long it may take for each step of its start, and for a change of its mode or options, in ms; a first
   * start may download. Default 60,000.
   */
  readonly startTimeoutMs?: number;
  /** What its user does when its program cannot be started, in a sentence. */
  readonly install?: string;
  /** What it must have before it can work, in a sentence; told when it does not get through its start. */
  readonly needs?: string;
  /** What is known of its oddities. */
  readonly quirks?: readonly Quirk[];
}

/** How long an agent may take to start where its entry does not say it, in ms. */
export const START_TIMEOUT_MS = 60_000;
