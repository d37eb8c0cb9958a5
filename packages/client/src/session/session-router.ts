import type { NotificationMessage } from '@signalbox/acp';
import type { Link } from '../connection/link.ts';

/** Takes what the server tells of one session over one connection; must not throw. */
export type SessionListener = (message: NotificationMessage, link: Link) => void;

/** What our server tells of sessions begins with this. */
const PREFIX = '_signalbox/session/';

/** Brings what the server tells of a session to whoever has it attached; the rest is ignored (R-FRM-21). */
export class SessionRouter {
  readonly #sessions = new Map<string, SessionListener>();

  /** Whether somebody listens for this session. */
  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  /** Listens for one session. @returns a function that ends that. */
  add(sessionId: string, listener: SessionListener): () => void {
    this.#sessions.set(sessionId, listener);
    return () => {
      if (this.#sessions.get(sessionId) === listener) this.#sessions.delete(sessionId);
    };
  }

  readonly onNotification: SessionListener = (message, link) => {
    if (!message.method.startsWith(PREFIX)) return;
    const { sessionId } = (message.params ?? {}) as { sessionId?: unknown };
    if (typeof sessionId === 'string') this.#sessions.get(sessionId)?.(message, link);
  };
}
