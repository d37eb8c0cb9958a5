import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryTransports, type Transport } from '@signalbox/acp';
import {
  createMemoryJournal,
  decodeEvent,
  type EventOf,
  type Journal,
  type SessionEvent,
  type SessionEventType,
  type SessionId,
} from '@signalbox/core';
import { afterEach, expect } from 'vitest';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import {
  DEFAULT_SETTINGS,
  Host,
  serveAcp,
  ServedAgent,
  type AcpServer,
  type AgentEntry,
  type Clock,
  type HostSettings,
  type ServeAcpOptions,
} from '../../packages/host/src/index.ts';
import { Editor, type EditorOptions } from './editor.ts';

export interface StageOptions {
  /** The program in tests/fixtures/agents. Default `scripted`. */
  readonly agent?: string;
  readonly env?: Record<string, string>;
  readonly entry?: Partial<AgentEntry>;
  readonly settings?: Partial<HostSettings>;
  readonly clock?: Clock;
  readonly journal?: Journal;
  /** False: no name is that of an agent, as after a change of the configuration. */
  readonly knowsAgents?: boolean;
  /** How long a sign-in may take, in ms. */
  readonly signInMs?: number;
}

const CLIENT_INFO = { name: 'signalbox', version: '1.2.3' };
const SHORT = { eofGraceMs: 150, termGraceMs: 150 };

const open: Stage[] = [];
const unhandled: unknown[] = [];
process.on('unhandledRejection', (error) => unhandled.push(error));

afterEach(async () => {
  const stages = open.splice(0);
  const ids = (await Promise.all(stages.map((stage) => stage.sessionIds()))).flat();
  for (const stage of stages) await stage.close();
  expect(ids.flatMap((id) => markedProcesses(id))).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

/** A host with an agent, to which editors connect in the same process. */
export class Stage {
  readonly host: Host;
  readonly journal: Journal;
  readonly agent: ServedAgent;
  /** Where sessions work, without links. */
  readonly folder: string;
  readonly logged: string[] = [];
  /** Processes of the agent that were started so far. */
  readonly #startsFile: string;

  private constructor(parts: {
    host: Host;
    journal: Journal;
    agent: ServedAgent;
    folder: string;
    startsFile: string;
  }) {
    this.host = parts.host;
    this.journal = parts.journal;
    this.agent = parts.agent;
    this.folder = parts.folder;
    this.#startsFile = parts.startsFile;
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-serving-'));
    const { journal = createMemoryJournal(), agent = 'scripted', clock } = options;
    const { knowsAgents = true } = options;
    const settings = { ...DEFAULT_SETTINGS, ...SHORT, ...options.settings };
    const startsFile = join(folder, '.starts');
    const toEntry = (name: string): AgentEntry => ({
      name,
      command: [process.execPath, fixture(name)],
      env: { STARTS: startsFile, ...options.env },
      ...options.entry,
    });
    const host = await Host.open({
      journal,
      settings,
      clientInfo: CLIENT_INFO,
      findAgent: (name) => (knowsAgents && existsSync(fixture(name)) ? toEntry(name) : undefined),
      ...(clock === undefined ? {} : { clock }),
    });
    const served = new ServedAgent({
      entry: toEntry(agent),
      clientInfo: CLIENT_INFO,
      records: journal.records,
      ending: SHORT,
      ...(options.signInMs === undefined ? {} : { elicitationTimeoutMs: options.signInMs }),
    });
    const stage = new Stage({ host, journal, agent: served, folder, startsFile });
    open.push(stage);
    return stage;
  }

  /** Process ids of the agents that were started so far. */
  get starts(): string[] {
    if (!existsSync(this.#startsFile)) return [];
    return readFileSync(this.#startsFile, 'utf8').trimEnd().split('\n');
  }

  serve(transport: Transport, more: Partial<ServeAcpOptions> = {}): AcpServer {
    const { host, agent } = this;
    return serveAcp({ host, agent, transport, log: (line) => this.logged.push(line), ...more });
  }

  /** An editor that has shaken hands. */
  async connect(options: EditorOptions & Partial<ServeAcpOptions> = {}): Promise<Editor> {
    const [ours, theirs] = createMemoryTransports();
    const { capabilities, clientInfo, onPermission, requests, ...more } = options;
    const server = this.serve(ours, more);
    const editor = new Editor(theirs, server, {
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(clientInfo === undefined ? {} : { clientInfo }),
      ...(onPermission === undefined ? {} : { onPermission }),
      ...(requests === undefined ? {} : { requests }),
    });
    await editor.initialize();
    return editor;
  }

  async events(sessionId: string): Promise<SessionEvent[]> {
    const stored = await this.journal.read(sessionId, 0, Infinity);
    return stored.map(({ body }) => decodeEvent(body));
  }

  async eventsOf<T extends SessionEventType>(sessionId: string, type: T): Promise<EventOf<T>[]> {
    const events = await this.events(sessionId);
    return events.filter((event): event is EventOf<T> => event.type === type);
  }

  /** Waits until the session's log holds an event of this type. */
  async untilEvent<T extends SessionEventType>(
    sessionId: string,
    type: T,
    fits: (event: EventOf<T>) => boolean = () => true,
  ): Promise<EventOf<T>> {
    const session = await this.host.openSession(sessionId as SessionId);
    for await (const entries of session.follow(0)) {
      for (const { body } of entries) {
        const event = decodeEvent(body);
        if (event.type === type && fits(event as EventOf<T>)) return event as EventOf<T>;
      }
    }
    throw new Error(`the session ended without an event ${type}`);
  }

  /** The sessions that there are; none if the host is closed. */
  async sessionIds(): Promise<SessionId[]> {
    const lines = await this.host.listSessions({ limit: 10_000 }).catch(() => []);
    return lines.map(({ sessionId }) => sessionId);
  }

  /** Waits until there are so many sessions. */
  async untilSessions(count: number): Promise<void> {
    while ((await this.sessionIds()).length !== count) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async close(): Promise<void> {
    await this.host.close();
    await this.agent.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/agents/${name}.mjs`, import.meta.url));
}

/** A prompt that the scripted agent follows step by step. */
export function script(...steps: object[]): string {
  return JSON.stringify(steps);
}

/** A step that sends an update; a text is its exact JSON. */
export function update(value: object | string): object {
  return { update: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** A step in which the agent says something. */
export function say(text: string): object {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

/** A step that asks for leave. */
export function ask(toolCallId = 'call-1', options = OPTIONS): object {
  return { ask: { toolCall: { toolCallId, title: 'Remove it', kind: 'delete' }, options } };
}

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
