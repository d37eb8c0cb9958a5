import {
  isCoreError,
  type Records,
  type SessionId,
  type SessionState,
  type StoredRecord,
} from '@signalbox/core';

/** One line of a list of sessions. */
export interface SessionSummary {
  readonly sessionId: SessionId;
  readonly cwd: string;
  readonly agent: string;
  /** From the agent if it gave one, else the beginning of the first prompt. */
  readonly title: string;
  /** Ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turnCount: number;
  /**
   * What the session is doing, or how its last turn ended: a stop reason or the name of a failure.
   * `unreadable`: the line itself is damaged; opening the session mends it.
   */
  readonly status: string;
}

/** Which sessions are listed. */
export interface SessionQuery {
  /** At most so many. */
  readonly limit: number;
  /** The last session of the page before, in the same order. */
  readonly after?: SessionId;
  /** Which sessions come first. Default: the oldest. */
  readonly order?: 'oldest' | 'newest';
  /** Only sessions whose id begins so. */
  readonly prefix?: string;
}

/** What a session's state says for its line; the title only when the state tells it. */
export type ListChange = Omit<SessionSummary, 'title' | 'createdAt'> & {
  readonly title: string | undefined;
};

const PREFIX = 'session/';
const TITLE_LENGTH_MAX = 80;
const TITLE_LOOKED_AT_MAX = 2000;

/** The list of sessions: derived from the logs, kept as records so that listing is cheap. */
export class SessionList {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  /** Writes the line of one session anew. The last writer wins: it is the session's owner. */
  async put(change: ListChange): Promise<void> {
    const key = PREFIX + change.sessionId;
    for (;;) {
      const record = await this.#records.get(key);
      const known = record && parseLine(record.value);
      const value = JSON.stringify(toSummary(change, known));
      try {
        if (record === undefined) await this.#records.create(key, value);
        else await this.#records.put(key, value, record.revision);
        return;
      } catch (error) {
        if (!isCoreError(error, 'record_conflict')) throw error;
      }
    }
  }

  async get(sessionId: SessionId): Promise<SessionSummary | undefined> {
    const record = await this.#records.get(PREFIX + sessionId);
    return record && toLine(record);
  }

  async remove(sessionId: SessionId): Promise<void> {
    await this.#records.delete(PREFIX + sessionId);
  }

  /** Sessions in the order of their ids, which is the order of their making. */
  async list({ limit, after, order, prefix = '' }: SessionQuery): Promise<SessionSummary[]> {
    const page = await this.#records.list(PREFIX + prefix, {
      limit,
      reverse: order === 'newest',
      ...(after === undefined ? {} : { after: PREFIX + after }),
    });
    return page.map(toLine);
  }
}

/** A line that is damaged hides no other one, and its session can be opened and deleted (B125). */
function toLine({ key, value }: StoredRecord): SessionSummary {
  const sessionId = key.slice(PREFIX.length) as SessionId;
  const times = { createdAt: 0, updatedAt: 0, turnCount: 0 };
  const unreadable = { sessionId, cwd: '', agent: '', title: '', ...times, status: 'unreadable' };
  return parseLine(value) ?? unreadable;
}

function parseLine(value: string): SessionSummary | undefined {
  try {
    const line = JSON.parse(value) as SessionSummary | null;
    return typeof line?.sessionId === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

/** What the list is to say of a session in this state. Undefined: there is no such session yet. */
export function toListChange(state: SessionState, now: number): ListChange | undefined {
  if (state.sessionId === undefined) return undefined;
  return {
    sessionId: state.sessionId,
    cwd: state.cwd,
    agent: state.agentName,
    title: toTitle(state),
    updatedAt: now,
    turnCount: state.turnCount,
    status: toStatus(state),
  };
}

function toSummary(change: ListChange, known: SessionSummary | undefined): SessionSummary {
  const { sessionId, cwd, agent, updatedAt, turnCount, status } = change;
  const title = change.title ?? known?.title ?? '';
  const createdAt = known?.createdAt ?? updatedAt;
  return { sessionId, cwd, agent, title, createdAt, updatedAt, turnCount, status };
}

function toStatus(state: SessionState): string {
  if (state.turn.kind === 'running') return 'running';
  const end = state.lastTurn?.end;
  if (end === undefined) return 'new';
  return end.kind === 'stopped' ? end.stopReason : end.failure;
}

function toTitle(state: SessionState): string | undefined {
  if (state.title !== undefined) return shorten(state.title);
  if (state.turnCount !== 1 || state.turn.kind !== 'running') return undefined;
  const blocks = state.turn.content.value as { type?: string; text?: string }[];
  const text = blocks.find((block) => block.type === 'text')?.text;
  return text === undefined ? undefined : shorten(text);
}

/** One line, cut between whole characters. Of a very long text only the beginning is looked at. */
function shorten(text: string): string {
  const head = text.slice(0, TITLE_LOOKED_AT_MAX).replace(/\s+/g, ' ').trim();
  const characters = Array.from(head);
  if (characters.length <= TITLE_LENGTH_MAX) return head.toWellFormed();
  return `${characters.slice(0, TITLE_LENGTH_MAX - 1).join('')}…`.toWellFormed();
}
