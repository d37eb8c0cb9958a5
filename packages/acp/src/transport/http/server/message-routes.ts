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
  readonly #answers = new Map<string, AnswerRoute>();
  readonly #asked = new Map<string, string>();

  /** The client asks something. */
  addRequest(idText: string, method: string, sessionId: string | undefined): void {
    this.#answers.set(idText, {
      sessionId: isAnsweredOnConnection(method) ? undefined : sessionId,
      leaving: leavesSession(method) ? sessionId : undefined,
    });
  }

  /** Where the answer to a request of the client goes. */
  takeAnswer(idText: string): AnswerRoute | undefined {
    const route = this.#answers.get(idText);
    this.#answers.delete(idText);
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
}
