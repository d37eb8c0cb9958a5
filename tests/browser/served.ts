import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '@signalbox/core';
import { openSqliteJournal } from '@signalbox/host';
import {
  createLog,
  createServer,
  type ServerOptions,
  type SignalboxServer,
} from '@signalbox/server';
import { afterAll, afterEach } from 'vitest';
import { buildPage } from '../../scripts/build-page.mjs';
import { Stage } from '../serving/stage.ts';

export interface ServedOptions extends Partial<
  Pick<ServerOptions, 'hosts' | 'origins' | 'proxies'>
> {
  /** The program in tests/fixtures/agents. Default `scripted`. */
  readonly agent?: string;
}

const open: Served[] = [];
/** The page, built once for the tests of a file. */
let page: string | undefined;
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});
afterAll(() => {
  if (page !== undefined) rmSync(page, { recursive: true, force: true });
});

/** A host with an agent, behind a real server with the page of this very source. */
export class Served {
  /** Where sessions work, and where the journal is. */
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-served-'));
  /** What the server has logged. */
  readonly logged: string[] = [];
  readonly #options: ServedOptions;
  #stage: Stage | undefined;
  #server: SignalboxServer | undefined;
  /** Any free one at first, and the same again after that. */
  #port = 0;

  private constructor(options: ServedOptions) {
    this.#options = options;
  }

  static async open(options: ServedOptions = {}): Promise<Served> {
    const served = new Served(options);
    open.push(served);
    await served.start();
    return served;
  }

  get stage(): Stage {
    if (this.#stage === undefined) throw new Error('the host is closed');
    return this.#stage;
  }

  get server(): SignalboxServer {
    if (this.#server === undefined) throw new Error('the server is closed');
    return this.#server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts host and server, again with what the journal has. */
  async start(): Promise<void> {
    const { agent = 'scripted', ...options } = this.#options;
    const journal = await openSqliteJournal({ file: join(this.folder, 'journal.db') });
    const stage = await Stage.open({ agent, journal });
    this.#stage = stage;
    this.#server = createServer({
      ...options,
      host: stage.host,
      agents: (name) => (name === agent ? stage.agent : undefined),
      defaultAgent: agent,
      listen: { port: this.#port },
      records: journal.records,
      page: builtPage(),
      log: createLog('info', { write: (line) => void this.logged.push(line) }),
    });
    this.#port = (await this.#server.listen()).port;
  }

  /** Ends server, host and agents at once. */
  async stop(): Promise<void> {
    await this.#server?.close({ graceMs: 0 });
    this.#server = undefined;
    await this.#stage?.close();
    this.#stage = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async newSession(): Promise<SessionId> {
    const { agent = 'scripted' } = this.#options;
    const session = await this.stage.host.createSession({ agent, cwd: this.folder });
    return session.id;
  }

  /** A code with which one browser can sign in. */
  async loginCode(role: 'driver' | 'approver' | 'observer' = 'driver'): Promise<string> {
    return (await this.server.credentials.createLoginCode({ role })).code;
  }
}

function builtPage(): string {
  if (page !== undefined) return page;
  page = mkdtempSync(join(tmpdir(), 'signalbox-page-'));
  buildPage(page);
  return page;
}
