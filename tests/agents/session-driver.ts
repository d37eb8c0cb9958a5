import { join } from 'node:path';
import { RawJson, type PermissionOption } from '@signalbox/acp';
import {
  toStoredEvent,
  toTranscript,
  turnText,
  type EventOf,
  type SessionEvent,
  type SessionEventType,
  type Transcript,
  type TurnEnd,
} from '@signalbox/core';
import { Host, openSqliteJournal, type AgentEntry, type Session } from '@signalbox/host';
import type { Place } from './place.ts';

const ME = { kind: 'client', name: 'scenario' } as const;

/** What is answered when the agent asks for leave. */
export type Answer = 'allow' | 'reject';

/** What a turn came to. */
export interface Turn {
  readonly end: TurnEnd;
  /** What the agent said in it. */
  readonly text: string;
}

/** A host with one session of the agent, driven as a client would. */
export class SessionDriver {
  readonly session: Session;
  /** How often the agent asked for leave. */
  askedCount = 0;
  readonly #host: Host;
  readonly #answering: Promise<void>;
  readonly #done = new AbortController();

  private constructor(host: Host, session: Session, answer: Answer) {
    this.#host = host;
    this.session = session;
    this.#answering = this.#answer(answer);
  }

  static async open(
    entry: AgentEntry,
    place: Place,
    work: string,
    answer: Answer,
  ): Promise<SessionDriver> {
    const journal = await openSqliteJournal({ file: join(place.dataFolder(), 'journal.db') });
    const host = await Host.open({
      journal,
      clientInfo: { name: 'signalbox', version: '0.1.0' },
      environment: place.environment,
      findAgent: () => entry,
    });
    const session = await host.createSession({ agent: entry.name, cwd: work });
    return new SessionDriver(host, session, answer);
  }

  /** Runs a prompt to the end of its turn. */
  async prompt(text: string): Promise<Turn> {
    const content = new RawJson(JSON.stringify([{ type: 'text', text }]));
    const { end } = await this.session.prompt({ content, by: ME });
    const transcript = await this.transcript();
    const last = transcript.entries.findLast(({ kind }) => kind === 'turn_end');
    return { end, text: last?.turnId === undefined ? '' : turnText(transcript, last.turnId) };
  }

  cancel(): void {
    this.session.cancel(ME);
  }

  async events(): Promise<SessionEvent[]> {
    const stored = await this.#host.readLog(this.session.id, 0, 100_000);
    return stored.map((entry) => toStoredEvent(entry).event);
  }

  async eventsOf<T extends SessionEventType>(type: T): Promise<EventOf<T>[]> {
    return (await this.events()).filter((event): event is EventOf<T> => event.type === type);
  }

  async transcript(): Promise<Transcript> {
    const stored = await this.#host.readLog(this.session.id, 0, 100_000);
    return toTranscript(stored.map(toStoredEvent));
  }

  /** Resolves when the agent has said this. */
  async untilSaid(text: string): Promise<void> {
    let said = '';
    for await (const entries of this.session.follow(0, this.#done.signal)) {
      for (const entry of entries) {
        const { event } = toStoredEvent(entry);
        if (event.type === 'update') said += chunkText(event.data.update.value);
        if (said.includes(text)) return;
      }
    }
  }

  async close(): Promise<void> {
    this.#done.abort();
    await this.#answering;
    await this.#host.close();
  }

  /** Answers every request for leave as it comes. */
  async #answer(answer: Answer): Promise<void> {
    for await (const entries of this.session.follow(0, this.#done.signal)) {
      for (const entry of entries) {
        const { event } = toStoredEvent(entry);
        if (event.type !== 'permission.requested') continue;
        this.askedCount += 1;
        const { permissionId, options } = event.data;
        const option = choose(options.value as readonly PermissionOption[], answer);
        // It may be over already, when the turn was cancelled meanwhile.
        await this.session.answerPermission(permissionId, option, ME).catch(() => undefined);
      }
    }
  }
}

/** The option that says so once. Undefined stands for whatever the host takes for a denial. */
function choose(options: readonly PermissionOption[], answer: Answer): string | undefined {
  return options.find(({ kind }) => kind === `${answer}_once`)?.optionId;
}

function chunkText(update: unknown): string {
  const { sessionUpdate, content } = update as {
    readonly sessionUpdate?: unknown;
    readonly content?: { readonly text?: unknown };
  };
  const text = sessionUpdate === 'agent_message_chunk' ? content?.text : undefined;
  return typeof text === 'string' ? text : '';
}
