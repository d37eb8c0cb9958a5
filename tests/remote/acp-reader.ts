import { memberText, type Frame, type Transport } from '@signalbox/acp';
import {
  createTranscript,
  foldTranscript,
  toCursor,
  type SessionId,
  type StoredEvent,
  type Transcript,
  type TurnId,
} from '@signalbox/core';
import { expect } from 'vitest';
import type { Reader } from './reader.ts';
import { Signal } from './signal.ts';
import { OPTIONS } from './story.ts';

/** How long a connection may take until the session is resumed, in ms. */
const ANSWER_MS = 5000;

/** What an {@link AcpReader} works with. */
export interface AcpReaderParts {
  readonly connect: () => Promise<Transport>;
  readonly sessionId: string;
  /** Has somebody else send a prompt; resolves when its turn has ended. */
  readonly prompt: (text: string) => Promise<unknown>;
  /** How often it may be asked the same thing: again over the next connection, if its answer was lost. */
  readonly askedMax: number;
  /** Whether it answers, with yes. Default true. */
  readonly answers?: boolean;
}

/**
 * An ACP client of few words: it remembers the cursor of the last update, and resumes behind it over a new
 * connection when it has lost one. It says yes to what it is asked.
 */
export class AcpReader implements Reader {
  readonly told: string[] = [];
  /** The tool calls for which it was asked, each time that it was. */
  readonly asked: string[] = [];
  /** Connections that it has made. */
  connectionCount = 0;
  readonly #connect: () => Promise<Transport>;
  readonly #sessionId: string;
  readonly #news = new Signal();
  #cursor: string;
  #transport: Transport | undefined;
  #isResumed = false;
  #isClosed = false;
  readonly #over: Promise<void>;

  readonly #prompt: (text: string) => Promise<unknown>;
  readonly #askedMax: number;

  readonly #answers: boolean;

  constructor({ connect, sessionId, prompt, askedMax, answers = true }: AcpReaderParts) {
    this.#connect = connect;
    this.#sessionId = sessionId;
    this.#prompt = prompt;
    this.#askedMax = askedMax;
    this.#answers = answers;
    this.#cursor = toCursor(sessionId as SessionId, 0);
    this.#over = this.#run();
  }

  expected(log: readonly StoredEvent[]): string[] {
    const transcript = createTranscript();
    return log.flatMap((stored) => {
      const { event } = stored;
      foldTranscript(transcript, stored);
      if (event.type === 'update') return [event.data.update.text];
      if (event.type === 'turn.finished') return endsOfCalls(transcript, event.turnId);
      if (event.type !== 'turn.started') return [];
      const content = JSON.parse(event.data.content.text) as unknown[];
      const toText = (block: unknown): string =>
        JSON.stringify({ sessionUpdate: 'user_message_chunk', content: block });
      return content.map(toText);
    });
  }

  whenTold(): Promise<void> {
    return this.#news.next();
  }

  async prompt(text: string): Promise<void> {
    await this.#prompt(text);
  }

  /** It was told every update once and in order. */
  checkTold(log: readonly StoredEvent[]): void {
    expect(this.told).toEqual(this.expected(log));
  }

  check(log: readonly StoredEvent[]): void {
    this.checkTold(log);
    const wanted = log.filter(({ event }) => event.type === 'permission.requested').length;
    expect(this.asked.length).toBeGreaterThanOrEqual(wanted);
    expect(this.asked.length).toBeLessThanOrEqual(wanted * this.#askedMax);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#transport?.close();
    await this.#over;
  }

  /** Where it stands, for who has to find out what went wrong. */
  get state(): string {
    const { told, connectionCount } = this;
    return `${told.length} updates, ${connectionCount} connections, ${this.#isResumed ? '' : 'not '}resumed`;
  }

  /** It goes on until it is closed, over as many connections as it takes. */
  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.#transport = await this.#connect();
        this.connectionCount++;
        await this.#talk(this.#transport);
      } catch {
        // The connection is lost, or there was none; the next one goes on where this one ended.
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
  }

  async #talk(transport: Transport): Promise<void> {
    const send = (message: object): void =>
      void transport.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    send({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } });
    this.#isResumed = false;
    // Nothing else may tell that the server, or the way to it, is gone.
    const late = setTimeout(() => this.#isResumed || void transport.close(), ANSWER_MS);
    try {
      for await (const frames of transport.receive()) {
        for (const frame of frames) this.#take(frame, send);
      }
    } finally {
      clearTimeout(late);
    }
  }

  #take(frame: Frame, send: (message: object) => void): void {
    const text = typeof frame === 'string' ? frame : frame.head;
    const { id, method, params, error } = JSON.parse(text) as Message;
    if (error !== undefined) throw new Error(`the server refuses: ${text}`);
    if (id === 0 && method === undefined) {
      const resuming = { sessionId: this.#sessionId, lastReceivedEventId: this.#cursor };
      send({ id: 1, method: 'session/resume', params: resuming });
    } else if (id === 1 && method === undefined) {
      this.#isResumed = true;
    } else if (method === 'session/update') {
      this.told.push(memberText(memberText(text, 'params') ?? '', 'update') ?? '');
      this.#cursor = params?._meta?.['acp/cursor'] ?? '';
      this.#news.give();
    } else if (method === 'session/request_permission') {
      this.asked.push(params?.toolCall?.toolCallId ?? '');
      const outcome = { outcome: 'selected', optionId: OPTIONS[0].optionId };
      if (this.#answers) send({ id, result: { outcome } });
    }
  }
}

/** How a client is told that the agent has left tool calls open at the end of its turn. */
function endsOfCalls({ entries }: Transcript, turnId: TurnId | undefined): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'tool_call' || entry.turnId !== turnId) return [];
    if (entry.status !== 'interrupted') return [];
    const { toolCallId, title } = entry;
    const end = { sessionUpdate: 'tool_call_update', toolCallId, title, status: 'failed' };
    return [JSON.stringify(end)];
  });
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: { readonly 'acp/cursor'?: string };
    readonly toolCall?: { readonly toolCallId?: string };
  };
  readonly error?: unknown;
}
