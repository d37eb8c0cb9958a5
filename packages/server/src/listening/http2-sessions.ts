import type { Http2Server, ServerHttp2Session } from 'node:http2';

/**
 * The HTTP/2 connections of a server. One that has had no stream for a while is closed, whatever else
 * comes on it: Node has no time limit for requests that trickle in. One with streams never is.
 */
export class Http2Sessions {
  readonly #idleMs: number;
  readonly #sessions = new Set<ServerHttp2Session>();
  #isClosing = false;

  constructor(server: Http2Server, idleMs: number) {
    this.#idleMs = idleMs;
    server.on('session', (session) => this.#watch(session));
  }

  /** Tells every client to open nothing more; streams under way go on. */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#sessions) session.close();
  }

  #watch(session: ServerHttp2Session): void {
    if (this.#isClosing) session.close();
    this.#sessions.add(session);
    let openCount = 0;
    let idle: NodeJS.Timeout | undefined;
    const rest = (): void => {
      idle = setTimeout(() => session.destroy(), this.#idleMs).unref();
    };
    session.on('stream', (stream) => {
      openCount++;
      clearTimeout(idle);
      stream.once('close', () => {
        openCount--;
        if (openCount === 0 && !session.destroyed) rest();
      });
    });
    session.once('close', () => {
      clearTimeout(idle);
      this.#sessions.delete(session);
    });
    rest();
  }
}
