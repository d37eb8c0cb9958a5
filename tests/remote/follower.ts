import {
  encodeEvent,
  encodeTranscript,
  toTranscript,
  type SessionEvent,
  type StoredEvent,
} from '@signalbox/core';
import { expect } from 'vitest';
import type {
  AttachOptions,
  ClientOptions,
  DoorKind,
  RemoteSession,
  RemoteSessionEvent,
  SignalboxClient,
} from '../../packages/client/src/index.ts';
import { createNodeClient } from '../../packages/client/src/node.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { Signal } from './signal.ts';

/** How a {@link Follower} follows. */
export interface FollowerOptions {
  readonly name: string;
  readonly door: DoorKind;
  readonly attach: Pick<AttachOptions, 'role' | 'merge'> & { readonly after?: string };
  readonly limits?: ClientOptions['limits'];
}

/** What it was told: one event, or several adjacent ones as one. */
interface Told {
  readonly firstSeq: number;
  readonly seq: number;
  readonly event: SessionEvent;
}

/** Everything happens soon, so that many cuts go into little time. */
const LIMITS = {
  reconnect: { firstMs: 5, maxMs: 50, stableMs: 50, wakeGapMs: 5 },
  liveness: { quietMs: 500, answerMs: 3000, wakeAnswerMs: 1000, streamMs: 4000 },
  handshake: { openMs: 3000, initializeMs: 5000 },
} as const;

/** A client that follows one session through cuts, over doors that it may change, and keeps all it is told. */
export class Follower {
  readonly proxy: CuttingProxy;
  readonly told: Told[] = [];
  readonly log: string[] = [];
  readonly #options: FollowerOptions;
  readonly #news = new Set<(event: RemoteSessionEvent) => void>();
  readonly #heard = new Signal();
  #client!: SignalboxClient;
  #session!: RemoteSession;
  #seenSeq = 0;
  /** Whether the view began at the beginning, or at a snapshot, and not behind a cursor. */
  #hasWholeView = true;

  private constructor(proxy: CuttingProxy, options: FollowerOptions) {
    this.proxy = proxy;
    this.#options = options;
  }

  /** Makes a client that reaches a server through a proxy of its own. @param port the server's. */
  static async open(
    port: () => number,
    sessionId: string,
    options: FollowerOptions,
  ): Promise<Follower> {
    const follower = new Follower(await CuttingProxy.open(port), options);
    await follower.#open(sessionId, options.door, options.attach.after);
    return follower;
  }

  get name(): string {
    return this.#options.name;
  }

  get session(): RemoteSession {
    return this.#session;
  }

  /** The last event that it knows of, over all its clients. */
  get lastSeq(): number {
    return Math.max(this.#seenSeq, this.#session.view.lastSeq);
  }

  /** Hears of everything, also over the next client. @returns ends that. */
  onNews(listen: (event: RemoteSessionEvent) => void): () => void {
    this.#news.add(listen);
    return () => this.#news.delete(listen);
  }

  /** Resolves when the view has come so far. */
  async until(seq: number): Promise<void> {
    while (this.lastSeq < seq) await this.#heard.next();
  }

  /** Ends the client and goes on with another one, behind what this one has seen. */
  async reopen(door: DoorKind): Promise<void> {
    const { id, cursor = 'start' } = this.#session;
    await this.#client.close();
    this.#seenSeq = this.lastSeq;
    this.#hasWholeView &&= cursor === 'start';
    await this.#open(id, door, cursor);
  }

  /** The events were told once and in order, and the view is what the log says. */
  check(log: readonly StoredEvent[]): void {
    const { told } = this;
    const head = log.at(-1)?.seq ?? 0;
    expect(this.lastSeq, `${this.name}: the end`).toBe(head);
    // Behind a snapshot there may have been nothing to tell.
    let next = told[0]?.firstSeq ?? head + 1;
    for (const { firstSeq, seq, event } of told) {
      expect(firstSeq, `${this.name}: event`).toBe(next);
      if (firstSeq === seq) {
        expect(encodeEvent(event)).toBe(encodeEvent((log[seq - 1] as StoredEvent).event));
      }
      next = seq + 1;
    }
    expect(next, `${this.name}: behind the end`).toBe(head + 1);
    if (!this.#hasWholeView) return;
    expect(encodeTranscript(this.#session.view)).toEqual(encodeTranscript(toTranscript(log)));
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.proxy.close();
  }

  async #open(sessionId: string, door: DoorKind, after: string | undefined): Promise<void> {
    this.#client = createNodeClient({
      url: this.proxy.url,
      clientInfo: { name: this.name, version: '1' },
      doors: [door],
      limits: { ...LIMITS, ...this.#options.limits },
      log: (line) => this.log.push(`${Math.round(performance.now())} ${door} ${line}`),
    });
    this.#session = await this.#client.attach(sessionId, {
      ...this.#options.attach,
      ...(after === undefined ? {} : { after }),
      onEvent: (event) => this.#onEvent(event),
    });
  }

  #onEvent(news: RemoteSessionEvent): void {
    if (news.type === 'event') {
      const { seq, firstSeq = seq, event } = news;
      this.told.push({ firstSeq, seq, event });
    } else {
      this.log.push(`${Math.round(performance.now())} ${news.type}`);
    }
    this.#heard.give();
    for (const listen of this.#news) listen(news);
  }
}
