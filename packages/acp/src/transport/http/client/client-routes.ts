import { readEnvelope, sessionIdOf, type Envelope } from '../envelope.ts';
import { leavesSession } from '../session-methods.ts';

/** What a received frame means for the streams. */
export interface StreamChange {
  /** The session whose stream is needed from now on. */
  readonly opened?: string;
  /** The session whose stream is not needed any more. */
  readonly left?: string;
}

/** What stands before the name of a notification, and where it differs from a response. */
const BEFORE_NAME = '{"jsonrpc":"2.0","method":"';
const IN_METHOD = BEFORE_NAME.indexOf('m');
/**
 * How the names of those begin that come in large numbers: `session/update` and `_signalbox/session/events`. Twelve
 * characters are compared several times faster than more.
 */
const FREQUENT = { update: 'session/upda', events: '_signalbox/s' };
const NAME_END = BEFORE_NAME.length + FREQUENT.update.length;

const NO_CHANGE: StreamChange = {};

/** Whether a frame is one of the many that no stream and no request depends on. */
export function isUpdate(frame: string): boolean {
  if (frame.charCodeAt(IN_METHOD) !== BEFORE_NAME.charCodeAt(IN_METHOD)) return false;
  const name = frame.slice(BEFORE_NAME.length, NAME_END);
  return name === FREQUENT.update || name === FREQUENT.events;
}

/** Knows of a client's messages which session each belongs to, by the ids of the requests. */
export class ClientRoutes {
  /** Requests that may be answered with the id of a new session. */
  readonly #mayName = new Set<string>();
  /** Requests that leave a session. */
  readonly #leaving = new Map<string, string>();
  /** Requests of the agent that belong to a session. */
  readonly #asked = new Map<string, string>();

  /** The session that a frame to be sent belongs to (R-HTTP-10). */
  sending({ kind, idText, method, sessionId }: Envelope): string | undefined {
    if (kind === 'response' && idText !== undefined) {
      const asked = this.#asked.get(idText);
      this.#asked.delete(idText);
      return asked;
    }
    if (kind === 'request' && idText !== undefined && method !== undefined) {
      if (sessionId === undefined) this.#mayName.add(idText);
      else if (leavesSession(method)) this.#leaving.set(idText, sessionId);
      else this.#stay(sessionId);
    }
    return sessionId;
  }

  /**
   * Takes note of a frame that was received.
   *
   * @param stream the session on whose stream it came; undefined for the connection's.
   */
  received(frame: string, stream: string | undefined): StreamChange {
    const { kind, idText, sessionId, isError } = readEnvelope(frame);
    if (idText === undefined) return NO_CHANGE;
    if (kind === 'request') {
      const session = sessionId ?? stream;
      if (session !== undefined) this.#asked.set(idText, session);
      return NO_CHANGE;
    }
    const left = this.#leaving.get(idText);
    this.#leaving.delete(idText);
    if (left !== undefined) return isError === true ? NO_CHANGE : { left };
    if (!this.#mayName.delete(idText) || isError === true) return NO_CHANGE;
    const opened = sessionIdOf((JSON.parse(frame) as { result?: unknown }).result);
    return opened === undefined ? NO_CHANGE : { opened };
  }

  /** What is asked behind the leaving of a session is answered on its stream, which is read on. */
  #stay(sessionId: string): void {
    for (const [idText, left] of this.#leaving)
      if (left === sessionId) this.#leaving.delete(idText);
  }
}
