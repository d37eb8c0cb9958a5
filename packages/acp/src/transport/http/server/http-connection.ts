import { randomUUID } from 'node:crypto';
import { closedError, PeerError } from '../../../jsonrpc/peer-error.ts';
import type { FramePlace, Transport } from '../../../jsonrpc/transport.ts';
import {
  StreamRefused,
  type AcceptConnection,
  type ConnectionOwner,
  type IncomingConnection,
} from '../../incoming-connection.ts';
import type { Clock } from '../../../clock/clock.ts';
import { pause } from '../../../clock/pause.ts';
import { readEnvelope, type Envelope } from '../envelope.ts';
import { FrameQueue } from '../frame-queue.ts';
import { Activity } from './activity.ts';
import type { AcpHttpLimits } from './http-limits.ts';
import { MessageRoutes } from './message-routes.ts';
import type { OutgoingStream } from './outgoing-stream.ts';
import { OutgoingStreams } from './outgoing-streams.ts';
import { RecentPosts } from './recent-posts.ts';

/** What all connections of an endpoint share. */
export interface HttpSurroundings {
  readonly limits: AcpHttpLimits;
  readonly clock: Clock;
  /** Takes a line for the operator. */
  readonly log: (line: string) => void;
}

/** One connection over HTTP: what its requests and streams have in common. */
export class HttpConnection<Context> implements IncomingConnection<Context> {
  readonly id = randomUUID();
  readonly kind = 'http';
  readonly context: Context;
  readonly transport: Transport;
  readonly inbox: FrameQueue;
  readonly streams: OutgoingStreams;
  readonly routes = new MessageRoutes();
  readonly posts = new RecentPosts();
  readonly activity: Activity;
  /** Resolves when nothing goes in or out any more. */
  readonly ended: Promise<void>;
  readonly #surroundings: HttpSurroundings;
  readonly #onEnd: (id: string) => void;
  #owner: ConnectionOwner = {};
  #handshake: { readonly idText: string; answer(frame: string | undefined): void } | undefined;
  #closing: Promise<void> | undefined;
  #isEnded = false;
  #resolveEnded: () => void = () => undefined;

  /** @param onEnd called once, when the connection is of no use any more. */
  constructor(context: Context, surroundings: HttpSurroundings, onEnd: (id: string) => void) {
    const { limits, clock } = surroundings;
    this.context = context;
    this.#surroundings = surroundings;
    this.#onEnd = onEnd;
    this.inbox = new FrameQueue(limits.highWaterBytes);
    this.activity = new Activity(clock, limits.idleMs, () => this.#expire());
    this.streams = new OutgoingStreams({
      limits,
      clock,
      rewind: (stream, cursor) => this.#rewind(stream, cursor),
      onReader: () => this.activity.begin(),
      onStuck: () => this.#log('a resumed stream was not sent again up to where it had been'),
    });
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.transport = {
      send: (frame, place) => this.#send(frame, place),
      receive: () => this.inbox.read(),
      close: () => this.#close(),
    };
  }

  /** Gives the connection to the owner of the endpoint. */
  accept(accept: AcceptConnection<Context>): void {
    this.#owner = accept(this);
  }

  /**
   * Hands `initialize` on and waits for its answer.
   *
   * @returns undefined when the connection ended first.
   */
  handshake(frame: string, idText: string): Promise<string | undefined> {
    const answered = new Promise<string | undefined>((answer) => {
      this.#handshake = { idText, answer };
    });
    this.inbox.push([frame]);
    return answered;
  }

  /** Nothing more comes from the client; what is being answered may still be sent. */
  endInput(): void {
    this.inbox.end();
  }

  /** Ends everything at once (R-HTTP-19). */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.inbox.end();
    this.activity.end();
    this.streams.end();
    this.#handshake?.answer(undefined);
    this.#onEnd(this.id);
    this.#resolveEnded();
  }

  /** Closing lets the client read what was sent to it, for a bounded time. */
  #close(): Promise<void> {
    this.#closing ??= this.#flushAndEnd();
    return this.#closing;
  }

  async #flushAndEnd(): Promise<void> {
    const { clock, limits } = this.#surroundings;
    this.inbox.end();
    // Before initialize is answered there is no client who knows of the connection.
    if (this.#handshake !== undefined) this.end();
    if (this.#isEnded) return;
    const abort = new AbortController();
    await Promise.race([this.streams.finish(), pause(clock, limits.flushMs, abort.signal)]);
    abort.abort();
    this.end();
  }

  #send(frame: string, place: FramePlace | undefined): void | Promise<void> {
    if (this.#isEnded || this.#closing !== undefined) throw closedError(undefined);
    if (place !== undefined) return this.#session(place.stream).send(frame, place);
    const envelope = readEnvelope(frame);
    if (envelope.kind === 'response') return this.#sendResponse(frame, envelope);
    const { sessionId, idText } = envelope;
    if (sessionId === undefined) return this.streams.connection.send(frame);
    if (idText !== undefined) this.routes.addAsked(idText, sessionId);
    return this.#session(sessionId).send(frame);
  }

  #sendResponse(frame: string, { idText = '', isError }: Envelope): void | Promise<void> {
    if (this.#handshake?.idText === idText) {
      this.#handshake.answer(frame);
      this.#handshake = undefined;
      return;
    }
    const route = this.routes.takeAnswer(idText);
    // An answer is found by its id, wherever it comes (R-HTTP-16), also when too many streams wait already.
    const own = route.sessionId === undefined ? undefined : this.streams.session(route.sessionId);
    const room = (own ?? this.streams.connection).send(frame);
    if (route.leaving !== undefined && isError !== true) this.streams.leave(route.leaving);
    return room;
  }

  #session(sessionId: string): OutgoingStream {
    const stream = this.streams.session(sessionId);
    if (stream !== undefined) return stream;
    const { waitingStreamsMax } = this.#surroundings.limits;
    const message = `the streams of ${waitingStreamsMax} sessions wait for a client to read them`;
    throw new PeerError('queue_full', message);
  }

  async #rewind(stream: string, cursor: string): Promise<() => void> {
    if (this.#owner.rewind === undefined) {
      throw new StreamRefused('gap', 'This endpoint cannot send again what was sent before.');
    }
    return this.#owner.rewind(stream, cursor);
  }

  #expire(): void {
    this.#log(`nobody has used it for ${this.#surroundings.limits.idleMs} ms, so it was closed`);
    this.end();
  }

  #log(what: string): void {
    this.#surroundings.log(`the HTTP connection ${this.id}: ${what}`);
  }
}
