/** Names how a context snapshot is written. */
export const CONTEXT_FORMAT = 'context/1';

/**
 * What a new agent needs to go on with a session that it cannot load: bounded, and readable by any version
 * that knows the format. Everything in it is data of an agent or a user, and nothing in it is trusted.
 *
 * Lists begin with the oldest; what was left out is counted in `omitted`.
 */
export interface ContextSnapshot {
  readonly format: typeof CONTEXT_FORMAT;
  /** The session that this was taken from. */
  readonly sessionId: string;
  /** The name of the agent that worked on it. */
  readonly agent: string;
  readonly cwd: string;
  /** The place in the session's log that this was taken at. */
  readonly cursor?: string;
  /** Files that the agent has worked with. */
  readonly openFiles: readonly ContextFile[];
  readonly diagnostics: readonly ContextDiagnostic[];
  readonly history: readonly ContextHistoryItem[];
  /** Of these nobody knows how far they got. */
  readonly unfinishedToolCalls: readonly ContextToolCall[];
  readonly plan: readonly ContextPlanEntry[];
  readonly omitted: ContextOmitted;
}

/** A file, with the last access to it. */
export interface ContextFile {
  readonly path: string;
  /** SHA-256 of the whole file behind the access; absent when it is not known. */
  readonly digest?: string;
  readonly access: 'read' | 'written';
  /** Ms since 1970. */
  readonly at: number;
}

/** Something that a compiler, a linter or the like says of a file. */
export interface ContextDiagnostic {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** What says so: `tsc`. */
  readonly source?: string;
}

/** Something that was said, thought or done. */
export interface ContextHistoryItem {
  readonly role: 'user' | 'agent' | 'thought' | 'tool';
  /** Of a tool call: its title and how it ended. */
  readonly text: string;
  /** Ms since 1970. */
  readonly at: number;
}

/** A tool call without an end. */
export interface ContextToolCall {
  readonly toolCallId: string;
  readonly title: string;
  readonly kind: string;
  readonly status: 'pending' | 'in_progress' | 'interrupted';
  readonly locations: readonly ContextLocation[];
}

/** A place that a tool call is about. */
export interface ContextLocation {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}

/** A step that the agent has planned. */
export interface ContextPlanEntry {
  readonly content: string;
  readonly priority: string;
  readonly status: string;
}

/** How many items of each list were left out, always the oldest ones. */
export interface ContextOmitted {
  readonly openFiles: number;
  readonly diagnostics: number;
  readonly history: number;
  readonly unfinishedToolCalls: number;
  readonly plan: number;
}

/** UTF-8 bytes of a snapshot as JSON, unless another number is given. */
export const CONTEXT_BYTES_DEFAULT = 256 * 1024;
/** The least that may be given. It holds any session with paths and names of usual lengths. */
export const CONTEXT_BYTES_MIN = 4 * 1024;
/** The most that may be given, and that is accepted from a client. */
export const CONTEXT_BYTES_MAX = 4 * 1024 * 1024;

/** The bounds of a snapshot's members: items of lists, and UTF-16 units of strings. */
export const CONTEXT_LIMITS = {
  openFiles: 200,
  diagnostics: 200,
  history: 10_000,
  unfinishedToolCalls: 100,
  locations: 20,
  plan: 100,
  /** Of one item of the history; longer ones are cut and say so. */
  historyTextLength: 16 * 1024,
  /** Titles, messages and steps of a plan; longer ones are cut. */
  lineLength: 1024,
  /** Ids, names, kinds and digests. */
  nameLength: 256,
  /** Longer than any that a system takes. */
  pathLength: 32 * 1024,
} as const;
