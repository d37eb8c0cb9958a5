import { toStoredEvent, type Journal, type StoredEvent } from '@signalbox/core';
import { openSqliteJournal } from '@signalbox/host';
import { createNodeClient } from '../../packages/client/src/node.ts';
import type { SignalboxClient } from '../../packages/client/src/index.ts';
import { ServerProcess } from './server-process.ts';

/** A server in a process, and its journal as seen from outside. */
export class World {
  readonly server: ServerProcess;
  readonly #journal: Journal;
  /** Makes and deletes sessions, over connections that nobody cuts. */
  readonly #admin: SignalboxClient;
  #restarted: Promise<void> = Promise.resolve();

  private constructor(server: ServerProcess, journal: Journal) {
    this.server = server;
    this.#journal = journal;
    this.#admin = createNodeClient({
      url: server.url,
      clientInfo: { name: 'admin', version: '1' },
      doors: ['websocket'],
      limits: { reconnect: { firstMs: 10, maxMs: 100 } },
    });
  }

  static async open(): Promise<World> {
    const server = await ServerProcess.start({
      more: {
        webSocketLimits: { pingMs: 500, closeMs: 200 },
        httpLimits: { idleMs: 5000, keepAliveMs: 300, pollMs: 500 },
      },
    });
    return new World(server, await openSqliteJournal({ file: server.journalFile }));
  }

  readonly port = (): number => this.server.port;

  async createSession(): Promise<string> {
    for (;;) {
      try {
        const { sessionId } = await this.#admin.newSession({ cwd: this.server.folder });
        return sessionId;
      } catch (error) {
        // The server was killed meanwhile: then nobody knows of the session, if there is one.
        if ((error as { code?: unknown }).code !== 'connection_lost') throw error;
      }
    }
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#admin.deleteSession(sessionId);
  }

  async headSeq(sessionId: string): Promise<number> {
    return (await this.#journal.head(sessionId)).seq;
  }

  /** The whole log of a session. */
  async log(sessionId: string): Promise<StoredEvent[]> {
    return (await this.#journal.read(sessionId, 0, Infinity)).map(toStoredEvent);
  }

  /** Kills the server and starts it again, behind the restarts that were asked for before. */
  restart(): Promise<void> {
    this.#restarted = this.#restarted.then(() => this.#restart());
    return this.#restarted;
  }

  async close(): Promise<void> {
    await this.#admin.close();
    await this.server.stop();
    await this.#journal.close();
  }

  async #restart(): Promise<void> {
    await this.server.kill();
    await this.server.start();
  }
}
