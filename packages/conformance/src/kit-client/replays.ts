import { parseJson, stringAt } from '../json/json.ts';
import type { WireMessage } from '../passive/wire-message.ts';

/** A replay whose stream brings nothing for this long is over. */
const QUIET_MS = 150;

interface Waiting {
  readonly data: string;
  timer: NodeJS.Timeout;
}

/**
 * Brings the messages of several streams into one order. The answer to `session/load` and the history that
 * it stands behind come on different streams, between which there is no order: an answer that is read first
 * waits here until the session's stream is quiet, since nobody can say that it was sent first.
 */
export class Replays {
  readonly #deliver: (data: string) => void;
  /** Sessions of the loads under way, by the ids of the requests. */
  readonly #loads = new Map<string, string>();
  readonly #waiting = new Map<string, Waiting>();

  constructor(deliver: (data: string) => void) {
    this.#deliver = deliver;
  }

  /** A message that the kit sends. */
  note({ method, idText, params }: WireMessage): void {
    const session = stringAt(params, 'sessionId');
    if (method !== 'session/load' || session === undefined || idText === undefined) return;
    this.#loads.set(idText, session);
  }

  /** A message of the agent, from the stream of a session or of the connection. */
  take(data: string, stream: string | undefined): void {
    const session = stream === undefined ? this.#loadAnsweredBy(data) : undefined;
    if (session !== undefined) {
      this.#waiting.set(session, { data, timer: this.#quietly(session) });
      return;
    }
    this.#deliver(data);
    const waiting = stream === undefined ? undefined : this.#waiting.get(stream);
    if (stream === undefined || waiting === undefined) return;
    clearTimeout(waiting.timer);
    waiting.timer = this.#quietly(stream);
  }

  #quietly(session: string): NodeJS.Timeout {
    return setTimeout(() => {
      const waiting = this.#waiting.get(session);
      this.#waiting.delete(session);
      if (waiting !== undefined) this.#deliver(waiting.data);
    }, QUIET_MS);
  }

  #loadAnsweredBy(data: string): string | undefined {
    if (this.#loads.size === 0) return undefined;
    const value = parseJson(data) as { id?: unknown; method?: unknown } | undefined;
    if (value?.method !== undefined) return undefined;
    const key = JSON.stringify(value?.id) ?? '';
    const session = this.#loads.get(key);
    this.#loads.delete(key);
    return session;
  }
}
