import {
  createMemoryTransports,
  type Frame,
  Peer,
  PeerError,
  RpcError,
  type RequestMessage,
  type Transport,
} from '@signalbox/acp';
import type { Door, DoorKind } from '../../../packages/client/src/connection/door.ts';
import type { ScriptedLog } from './scripted-log.ts';
import { WireCutter } from './wire-cutter.ts';

type Params = Readonly<Record<string, unknown>>;

/** Answers one method; throws an RpcError to refuse. */
export type Answer = (params: Params, connection: ServerConnection) => unknown;

/** One client's connection, as the server has it. */
export interface ServerConnection {
  readonly door: DoorKind;
  readonly peer: Peer;
  /** Sessions that are attached over it, with what ends that. */
  readonly attached: Map<string, () => void>;
  /** The connection breaks without a word. */
  break(): void;
  /** The client's transport fails with this. */
  fail(error: Error): void;
  /** The client can send nothing more, and is told so whenever it tries; its transport goes on otherwise. */
  shut(): void;
}

/** The answer to `initialize` of a server that serves logs. */
export const INITIALIZED = {
  protocolVersion: 1,
  agentCapabilities: { _meta: { signalbox: { version: '0.1.0', logView: true, resumable: true } } },
};

/** A server of the log view in the test's own process: what it has in its logs outlives its connections. */
export class LogServer {
  readonly logs = new Map<string, ScriptedLog>();
  readonly connections: ServerConnection[] = [];
  /** All requests and notifications of clients, in order: `method` or `method sessionId`. */
  readonly heard: string[] = [];
  readonly cutter = new WireCutter();
  /** Errors that the next attempts to connect meet, in order; undefined lets one in. */
  readonly refusals: (Error | undefined)[] = [];
  /** What attempts to connect wait for; undefined: nothing. */
  gate: Promise<void> | undefined;
  /** How many attempts were made, by door. */
  readonly attempts: DoorKind[] = [];
  readonly answers = new Map<string, Answer>([
    ['initialize', () => INITIALIZED],
    ['_signalbox/ping', () => ({})],
  ]);
  #listeners: (() => void)[] = [];

  constructor() {
    this.answers.set('_signalbox/session/attach', (params, connection) =>
      this.#attach(params, connection),
    );
    this.answers.set('_signalbox/session/detach', ({ sessionId }, { attached }) => {
      attached.get(String(sessionId))?.();
      attached.delete(String(sessionId));
      return {};
    });
  }

  /** Adds a session. */
  add(log: ScriptedLog): ScriptedLog {
    this.logs.set(log.sessionId, log);
    return log;
  }

  /** The connection that was made last. */
  get connection(): ServerConnection {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error('nobody has connected');
    return last;
  }

  /** A way in. */
  door(kind: DoorKind = 'websocket'): Door {
    return { kind, connect: () => this.#connect(kind) };
  }

  /** Resolves when a client has sent a request or notification that is written so. */
  async whenHeard(what: string, times = 1): Promise<void> {
    while (this.heard.filter((line) => line === what).length < times) {
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** How often a client has sent something. */
  count(what: string): number {
    return this.heard.filter((line) => line === what).length;
  }

  async #connect(door: DoorKind): Promise<Transport> {
    this.attempts.push(door);
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    await this.gate;
    const [near, far] = createMemoryTransports();
    const peer = new Peer(
      this.cutter.wrap(far),
      {
        onRequest: (message) => this.#onRequest(message, connection),
        onNotification: (message) => this.#onNotification(message.method, message.params),
      },
      { cancelMethod: '$/cancel_request', drainMs: 1 },
    );
    const attached = new Map<string, () => void>();
    let failure: Error | undefined;
    let isShut = false;
    const connection: ServerConnection = {
      door,
      peer,
      attached,
      break: () => void far.close(),
      fail: (error) => {
        failure = error;
        void far.close();
      },
      shut: () => (isShut = true),
    };
    this.connections.push(connection);
    void peer.closed.then(() => {
      for (const end of attached.values()) end();
      attached.clear();
    });
    return {
      ...near,
      send: (frame, place) => {
        if (isShut) throw new PeerError('closed', 'the way out is shut');
        return near.send(frame, place);
      },
      receive: () => receiveUntil(near, () => failure),
    };
  }

  #onRequest({ method, params }: RequestMessage, connection: ServerConnection): unknown {
    this.#hear(method, params);
    const answer = this.answers.get(method);
    if (answer !== undefined) return answer((params ?? {}) as Params, connection);
    throw new RpcError(-32601, `Method not found: ${method}`);
  }

  #onNotification(method: string, params: unknown): void {
    this.#hear(method, params);
    void this.answers.get(method)?.((params ?? {}) as Params, this.connection);
  }

  #hear(method: string, params: unknown): void {
    const { sessionId } = (params ?? {}) as { sessionId?: unknown };
    this.heard.push(typeof sessionId === 'string' ? `${method} ${sessionId}` : method);
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  #attach(params: Params, { peer, attached }: ServerConnection): unknown {
    const { sessionId, after } = params as { sessionId: string; after?: string };
    const log = this.logs.get(sessionId);
    if (log === undefined) throw new RpcError(-32002, `There is no session ${sessionId} here`);
    attached.get(sessionId)?.();
    const { answer, from } = log.open(after);
    // Events follow the answer.
    setImmediate(() => {
      if (!peer.isClosed) attached.set(sessionId, log.follow(peer, from));
    });
    return { sessionId, role: params['role'] ?? 'driver', ...answer };
  }
}

/** What a transport receives; at its end it fails if there is a failure by then. */
async function* receiveUntil(
  transport: Transport,
  failure: () => Error | undefined,
): AsyncIterable<readonly Frame[]> {
  yield* transport.receive();
  const error = failure();
  if (error !== undefined) throw error;
}
