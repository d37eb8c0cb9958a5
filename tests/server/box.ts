import { createMemoryJournal, type Journal } from '@signalbox/core';
import type { ServedAgent } from '@signalbox/host';
import { pino } from 'pino';
import { afterEach } from 'vitest';
import {
  createServer,
  type Role,
  type ServerOptions,
  type SignalboxServer,
} from '../../packages/server/src/index.ts';
import { Stage, type StageOptions } from '../serving/stage.ts';
import { ask, type Answer, type Question } from './ask.ts';

export type BoxOptions = Partial<Omit<ServerOptions, 'host' | 'agents'>> & {
  readonly stage?: StageOptions;
};

const open: Box[] = [];

// Runs before the hook of the stage, which ends the host.
afterEach(async () => {
  for (const box of open.splice(0)) await box.server.close({ graceMs: 200 });
});

/** A host with a scripted agent behind a real server. */
export class Box {
  readonly stage: Stage;
  readonly server: SignalboxServer;
  readonly journal: Journal;
  /** What the server has logged. */
  readonly logged: Record<string, unknown>[];

  private constructor(parts: Pick<Box, 'stage' | 'server' | 'journal' | 'logged'>) {
    this.stage = parts.stage;
    this.server = parts.server;
    this.journal = parts.journal;
    this.logged = parts.logged;
  }

  static async open({ stage: stageOptions, ...options }: BoxOptions = {}): Promise<Box> {
    const journal = stageOptions?.journal ?? createMemoryJournal();
    const stage = await Stage.open({ ...stageOptions, journal });
    const logged: Record<string, unknown>[] = [];
    const log = pino(
      { level: 'debug' },
      { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const agents = (name: string): ServedAgent | undefined =>
      name === stage.agent.name ? stage.agent : undefined;
    const server = createServer({
      host: stage.host,
      agents,
      defaultAgent: stage.agent.name,
      records: journal.records,
      listen: { port: 0 },
      log,
      ...options,
    });
    await server.listen();
    const box = new Box({ stage, server, journal, logged });
    open.push(box);
    return box;
  }

  get port(): number {
    return this.server.address?.port ?? 0;
  }

  /** The address of a path, under the server's own address. */
  url(path: string): string {
    return (this.server.urls.at(-1) ?? '').slice(0, -1) + path;
  }

  ask(path: string, question?: Question): Promise<Answer> {
    return ask(this.url(path), question);
  }

  /** Headers of a program with a new token. */
  async token(role: Role = 'driver'): Promise<{ authorization: string }> {
    const { secret } = await this.server.credentials.createToken({ name: `test ${role}`, role });
    return { authorization: `Bearer ${secret}` };
  }

  /** Headers of a browser that has just signed in. */
  async cookie(role: Role = 'driver'): Promise<{ cookie: string }> {
    const { code } = await this.server.credentials.createLoginCode({ role });
    const { headers } = await this.ask('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
  }
}
