import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RawJson, type WireTap } from '@signalbox/acp';
import {
  createMemoryJournal,
  decodeEvent,
  type Actor,
  type EventOf,
  type Journal,
  type SessionEvent,
  type SessionEventType,
  type SessionId,
  type SessionSettings,
} from '@signalbox/core';
import { afterEach, expect } from 'vitest';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import {
  createProcessLink,
  DEFAULT_SETTINGS,
  Host,
  type AgentEntry,
  type Clock,
  type HostProblem,
  type HostSettings,
  type PromptCommand,
  type Session,
} from '../../packages/host/src/index.ts';

export const ME: Actor = { kind: 'client', name: 'test' };

/** Short real waits for processes that do not end when asked; every test can set its own. */
export const SHORT: Partial<HostSettings> = { eofGraceMs: 150, termGraceMs: 150 };

/** A message on the wire of an agent, decoded, from the host's point of view. */
export interface WireMessage {
  readonly direction: 'in' | 'out';
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

export interface HarnessOptions {
  readonly journal?: Journal;
  readonly settings?: Partial<HostSettings>;
  readonly clock?: Clock;
  readonly environment?: Record<string, string | undefined>;
  /** What differs from the entry that a fixture's name gives. */
  readonly entry?: Partial<AgentEntry>;
}

const unhandled: unknown[] = [];
process.on('unhandledRejection', (error) => unhandled.push(error));
const open: Harness[] = [];

afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
  // Rejections are reported behind the microtasks of the turn in which they happen.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/agents/${name}.mjs`, import.meta.url));
}

/** A host whose agents are the programs in tests/fixtures/agents, with everything they said. */
export class Harness {
  readonly host: Host;
  readonly journal: Journal;
  readonly folder: string;
  readonly wire: WireMessage[];
  readonly problems: HostProblem[];
  readonly sessionIds: SessionId[] = [];

  private constructor(parts: Pick<Harness, 'host' | 'journal' | 'folder' | 'wire' | 'problems'>) {
    this.host = parts.host;
    this.journal = parts.journal;
    this.folder = parts.folder;
    this.wire = parts.wire;
    this.problems = parts.problems;
  }

  static async open(options: HarnessOptions = {}): Promise<Harness> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-host-'));
    const { journal = createMemoryJournal(), clock, environment = process.env } = options;
    const settings = { ...DEFAULT_SETTINGS, ...SHORT, ...options.settings };
    const wire: WireMessage[] = [];
    const problems: HostProblem[] = [];
    const clientInfo = { name: 'test', version: '1' };
    const tap: WireTap = (direction, frame) => {
      const message = decode(frame);
      if (message !== undefined) wire.push({ direction, ...message });
    };
    const host = await Host.open({
      journal,
      settings,
      clientInfo,
      ...(clock === undefined ? {} : { clock }),
      findAgent: (name) => ({
        name,
        command: [process.execPath, fixture(name)],
        ...options.entry,
      }),
      environment,
      createLink: (start) => createProcessLink({ ...start, tap }),
      onProblem: (problem) => problems.push(problem),
    });
    const harness = new Harness({ host, journal, folder, wire, problems });
    open.push(harness);
    return harness;
  }

  async create(agent: string, settings?: Partial<SessionSettings>): Promise<Session> {
    const request = { agent, cwd: this.folder };
    const session = await this.host.createSession(
      settings === undefined ? request : { ...request, settings },
    );
    this.sessionIds.push(session.id);
    return session;
  }

  /** All events of the session's log. */
  async events(session: Session | SessionId): Promise<SessionEvent[]> {
    const id = typeof session === 'string' ? session : session.id;
    const stored = await this.journal.read(id, 0, Infinity);
    return stored.map(({ body }) => decodeEvent(body));
  }

  async eventsOf<T extends SessionEventType>(
    session: Session | SessionId,
    type: T,
  ): Promise<EventOf<T>[]> {
    return (await this.events(session)).filter((event): event is EventOf<T> => event.type === type);
  }

  /** What the host sent (`out`) or got (`in`): methods, or how a response turned out. */
  said(direction: 'in' | 'out'): string[] {
    return this.wire
      .filter((message) => message.direction === direction)
      .map(({ method, result, error }) => method ?? JSON.stringify(result ?? error));
  }

  /** Closes everything; no process of any session may be left. */
  async close(): Promise<void> {
    await this.host.close();
    expect(this.sessionIds.flatMap((id) => markedProcesses(id))).toEqual([]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The message in a frame; undefined for what is none. */
function decode(frame: unknown): Omit<WireMessage, 'direction'> | undefined {
  try {
    return JSON.parse(String(frame)) as Omit<WireMessage, 'direction'>;
  } catch {
    return undefined;
  }
}

/** A prompt of one block of text. */
export function command(text: string, whenBusy?: 'queue' | 'refuse'): PromptCommand {
  const content = new RawJson(JSON.stringify([{ type: 'text', text }]));
  return { content, by: ME, ...(whenBusy === undefined ? {} : { whenBusy }) };
}

/** Waits until the session's log holds an event of this type that fits. */
export async function untilEvent<T extends SessionEventType>(
  session: Session,
  type: T,
  fits: (event: EventOf<T>) => boolean = () => true,
): Promise<EventOf<T>> {
  for await (const entries of session.follow(0)) {
    for (const { body } of entries) {
      const event = decodeEvent(body);
      if (event.type === type && fits(event as EventOf<T>)) return event as EventOf<T>;
    }
  }
  throw new Error(`the session ended without an event ${type}`);
}

/** The text of an agent's message chunk; undefined for other updates. */
export function textOf(event: SessionEvent): string | undefined {
  if (event.type !== 'update') return undefined;
  const update = event.data.update.value as { content?: { text?: string } };
  return update.content?.text;
}

/** Everything the agent said in the session, in order. */
export function textsOf(events: readonly SessionEvent[]): string[] {
  return events.map(textOf).filter((text) => text !== undefined);
}

/** Waits until the agent has said exactly this. */
export async function untilSaid(session: Session, text: string): Promise<void> {
  await untilEvent(session, 'update', (event) => textOf(event) === text);
}
