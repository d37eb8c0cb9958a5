import { isAnsweredOnConnection, leavesSession } from '../session-methods.ts';

/** The stream that a request of the client is answered on. */
export interface AnswerRoute {
  /** The session's stream; undefined for the connection's. */
  readonly sessionId: string | undefined;
  /** The session that the client leaves if the request succeeds. */
  readonly leaving: string | undefined;
}

/** Own requests whose answers are waited for; older ones are forgotten. */
const ASKED_MAX = 65_536;

/** Knows which messages of a connection belong to which session, by the ids of the requests. */
export class MessageRoutes {
  /** The sessions on whose streams requests are answered; undefined for the connection's. */
  readonly #answers = new Map<string, string | undefined>();
  /** Requests that leave a session, behind which the client has asked nothing of it. */
  readonly #leaving = new Map<string, string>();
  readonly #asked = new Map<string, string>();

  /** The client asks something. */
  addRequest(idText: string, method: string, sessionId: string | undefined): void {
    this.#answers.set(idText, isAnsweredOnConnection(method) ? undefined : sessionId);
    if (sessionId === undefined) return;
    if (leavesSession(method)) this.#leaving.set(idText, sessionId);
    else this.#stay(sessionId);
  }

  /** Where the answer to a request of the client goes. */
  takeAnswer(idText: string): AnswerRoute {
    const route = { sessionId: this.#answers.get(idText), leaving: this.#leaving.get(idText) };
    this.#answers.delete(idText);
    this.#leaving.delete(idText);
    return route;
  }

  /** The client is asked something about a session. */
  addAsked(idText: string, sessionId: string): void {
    this.#asked.set(idText, sessionId);
    if (this.#asked.size <= ASKED_MAX) return;
    for (const [oldest] of this.#asked) {
      this.#asked.delete(oldest);
      break;
    }
  }

  /** The session of a request that the client answers; undefined when it belongs to none. */
  askedSession(idText: string): string | undefined {
    return this.#asked.get(idText);
  }

  /** The client has answered. */
  deleteAsked(idText: string): void {
    this.#asked.delete(idText);
  }

  #stay(sessionId: string): void {
    for (const [idText, left] of this.#leaving)
      if (left === sessionId) this.#leaving.delete(idText);
  }
}
