import { ClientError } from './client-error.ts';

/** One line of a list of sessions. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly cwd: string;
  readonly agent: string;
  /** From the agent if it gave one, else the beginning of the first prompt. */
  readonly title: string;
  /** Ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turnCount: number;
  /** What the session is doing, or how its last turn ended: a stop reason or the name of a failure. */
  readonly status: string;
}

/** A page of the list. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  /** What to give as `after` for the next page; undefined on the last one. */
  readonly next?: string;
}

/** @throws ClientError `invalid_response`. */
export function toSessionPage(result: unknown): SessionPage {
  const { sessions, next } = (result ?? {}) as { sessions?: unknown; next?: unknown };
  if (!Array.isArray(sessions)) {
    throw new ClientError('invalid_response', 'the answer to session/list has no list');
  }
  const page = { sessions: sessions as SessionSummary[] };
  return typeof next === 'string' ? { ...page, next } : page;
}
