import { ClientConnection, createMemoryTransports, type Transport } from '@signalbox/acp';
import { decodeEvent, type StoredEvent } from '@signalbox/core';
import type { AcpServer, ServeAcpOptions } from '../../packages/host/src/index.ts';
import type { Stage } from './stage.ts';

/** One item of an events message. */
export interface FollowedEvent extends StoredEvent {
  readonly firstSeq: number;
  /** Behind the whole message that brought it. */
  readonly cursor: string;
}

interface EventsMessage {
  readonly sessionId: string;
  readonly events: readonly { readonly seq: number; readonly firstSeq?: number; event: object }[];
  readonly cursor: string;
}

/** A client for tests that follows logs itself. */
export class Follower {
  readonly connection: ClientConnection;
  readonly server: AcpServer;
  readonly events: FollowedEvent[] = [];
  /** Our other notifications, in order, by the last part of their method. */
  readonly news: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  #waiting: { isMet: () => boolean; resolve: () => void }[] = [];

  private constructor(transport: Transport, server: AcpServer) {
    this.server = server;
    this.connection = new ClientConnection(transport, {
      requests: {},
      notifications: {},
      otherNotification: ({ method, params }) => {
        const name = method.split('/').at(-1) ?? '';
        if (name === 'events') this.#take(params as EventsMessage);
        else this.news.push({ method: name, params: params as Record<string, unknown> });
        this.#wake();
      },
    });
  }

  static async connect(stage: Stage, options: Partial<ServeAcpOptions> = {}): Promise<Follower> {
    const [ours, theirs] = createMemoryTransports();
    const server = stage.serve(ours, { isRemote: true, ...options });
    const follower = new Follower(theirs, server);
    const clientCapabilities = { _meta: { signalbox: { view: 'log' } } };
    await follower.connection.initialize({ clientCapabilities });
    return follower;
  }

  async call<Result = Record<string, unknown>>(method: string, params: object): Promise<Result> {
    const { result } = await this.connection.requestOther(method, params);
    return result as Result;
  }

  attach(sessionId: string, params: object = {}): Promise<Record<string, unknown>> {
    return this.call('_signalbox/session/attach', { sessionId, ...params });
  }

  get types(): string[] {
    return this.events.map(({ event }) => event.type);
  }

  get hasCaughtUp(): boolean {
    return this.news.some(({ method }) => method === 'caught_up');
  }

  until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  #take({ events, cursor }: EventsMessage): void {
    for (const { seq, firstSeq = seq, event } of events) {
      this.events.push({ seq, firstSeq, event: decodeEvent(JSON.stringify(event)), cursor });
    }
  }

  #wake(): void {
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}
