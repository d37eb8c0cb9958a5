import { closedError, PeerError } from '../../../jsonrpc/peer-error.ts';
import type { Frame, Transport } from '../../../jsonrpc/transport.ts';
import { pause } from '../../../clock/pause.ts';
import { readEnvelope } from '../envelope.ts';
import { FrameQueue } from '../frame-queue.ts';
import { HttpHeader } from '../http-header.ts';
import { ClientRoutes, isUpdate } from './client-routes.ts';
import { ClientStreams } from './client-streams.ts';
import type { EventStreamSurroundings } from './event-stream.ts';
import { initialize } from './initialize.ts';
import { discard } from './http-requests.ts';
import type { HttpTransportError } from './http-transport-error.ts';
import { PostLanes, type QueuedPost } from './post-lanes.ts';
import { postOf } from './post-of.ts';
import { endsConnection, Poster } from './poster.ts';
import { refusalText } from './refusal-text.ts';

/** The client's half of ACP over Streamable HTTP. The first frame that is sent has to be `initialize`. */
export class HttpClientTransport implements Transport {
  readonly #surroundings: EventStreamSurroundings;
  readonly #inbox: FrameQueue;
  readonly #routes = new ClientRoutes();
  readonly #lanes: PostLanes;
  readonly #stop = new AbortController();
  #queuedLength = 0;
  #room: Promise<void> | undefined;
  #makeRoom: (() => void) | undefined;
  /** Resolves when the connection exists; undefined before `initialize` was sent. Never rejects. */
  #connected: Promise<void> | undefined;
  #connectionId: string | undefined;
  #poster: Poster | undefined;
  #canRepeat = false;
  #streams: ClientStreams | undefined;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(surroundings: EventStreamSurroundings) {
    this.#surroundings = surroundings;
    this.#inbox = new FrameQueue(surroundings.limits.highWaterBytes);
    this.#lanes = new PostLanes(surroundings.limits.postsMax, (post) => this.#post(post));
  }

  /** The server's id of the connection; undefined before `initialize` was answered. */
  get connectionId(): string | undefined {
    return this.#connectionId;
  }

  send(frame: string): void | Promise<void> {
    if (this.#closing !== undefined || this.#inbox.isEnded) throw closedError(this.#failure);
    const { queuedBytesMax, highWaterBytes } = this.#surroundings.limits;
    if (this.#queuedLength > 0 && this.#queuedLength + frame.length > queuedBytesMax) {
      throw new PeerError('queue_full', 'the server does not take in what is sent to it');
    }
    const envelope = readEnvelope(frame);
    if (this.#connected === undefined) {
      const { kind, method, idText } = envelope;
      if (kind !== 'request' || method !== 'initialize' || idText === undefined) {
        throw new PeerError('wrong_state', 'a connection over HTTP begins with initialize');
      }
      this.#connected = this.#connect(frame, idText);
      return;
    }
    const sessionId = this.#routes.sending(envelope);
    const post = postOf(frame, envelope, sessionId, this.#lanes);
    if (sessionId !== undefined) void this.#connected.then(() => this.#streams?.open(sessionId));
    this.#queuedLength += frame.length;
    this.#lanes.add(post);
    if (this.#queuedLength < highWaterBytes) return;
    this.#room ??= new Promise((resolve) => (this.#makeRoom = resolve));
    return this.#room;
  }

  receive(): AsyncIterable<readonly Frame[]> {
    return this.#inbox.read();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Opens the connection; its answer is the first received frame (R-HTTP-06). */
  async #connect(frame: string, idText: string): Promise<void> {
    const { signal } = this.#stop;
    try {
      const opened = await initialize(this.#surroundings, frame, idText, signal);
      this.#connectionId = opened.connectionId;
      if (signal.aborted) {
        void this.#delete();
        return;
      }
      const { connectionId, startId } = opened;
      if (!opened.isError) {
        const canRepeat = startId !== undefined;
        this.#canRepeat = canRepeat;
        this.#poster = new Poster({ ...this.#surroundings, connectionId, canRepeat, signal });
        this.#streams = this.#openStreams(connectionId, startId);
      }
      this.#inbox.push([opened.answer]);
      if (opened.isError) {
        this.#end();
        void this.#delete();
      }
    } catch (error) {
      this.#fail(error as HttpTransportError);
    }
  }

  #openStreams(connectionId: string, startId: string | undefined): ClientStreams {
    return new ClientStreams({
      connectionId,
      startId,
      surroundings: this.#surroundings,
      onFrames: (frames, sessionId) => this.#receive(frames, sessionId),
      onEnd: () => this.#end(),
      onFailure: (error) => this.#fail(error),
    });
  }

  #receive(frames: readonly string[], stream: string | undefined): Promise<void> | undefined {
    for (const frame of frames) {
      if (isUpdate(frame)) continue;
      const { opened, left } = this.#routes.received(frame, stream);
      if (opened !== undefined) this.#streams?.open(opened);
      if (left !== undefined) this.#streams?.leave(left);
    }
    this.#inbox.push(frames);
    return this.#inbox.whenRoom();
  }

  async #post(post: QueuedPost): Promise<void> {
    await this.#connected;
    try {
      // Without a poster there is no connection, and what was sent for it goes nowhere.
      await this.#poster?.post(post);
    } catch (error) {
      this.#onPostFailed(post, error as HttpTransportError);
    }
    this.#queuedLength -= post.text.length;
    if (this.#queuedLength >= this.#surroundings.limits.highWaterBytes) return;
    this.#release();
  }

  /**
   * Whoever waits for the answer to a request learns what became of it; else the connection has failed. It
   * has as well when nothing answers although the same message was sent again and again.
   */
  #onPostFailed({ requestId }: QueuedPost, error: HttpTransportError): void {
    if (this.#inbox.isEnded) return;
    const isUnreachable = this.#canRepeat && error.status === undefined;
    if (requestId === undefined || isUnreachable || endsConnection(error)) {
      this.#fail(error);
      return;
    }
    this.#inbox.push([refusalText(requestId, error)]);
  }

  /** The server has ended the connection. */
  #end(): void {
    this.#inbox.end();
    this.#stopAll();
  }

  #fail(error: HttpTransportError): void {
    if (this.#inbox.isEnded) return;
    this.#failure = error;
    this.#inbox.fail(error);
    this.#stopAll();
    // A connection that somebody else reads is still of use to them.
    if (!endsConnection(error) && error.code !== 'replaced') void this.#delete();
  }

  #stopAll(): void {
    this.#stop.abort();
    this.#streams?.stop();
    this.#release();
  }

  async #close(): Promise<void> {
    if (this.#inbox.isEnded) return;
    const { clock, limits } = this.#surroundings;
    const abort = new AbortController();
    const late = pause(clock, limits.closeMs, abort.signal);
    await Promise.race([Promise.all([this.#connected, this.#lanes.idle()]), late]);
    abort.abort();
    this.#inbox.end();
    this.#stopAll();
    await this.#delete();
  }

  /** Lets the server free what it holds for the connection (R-HTTP-19). */
  async #delete(): Promise<void> {
    const { clock, limits, requests, log } = this.#surroundings;
    if (this.#connectionId === undefined) return;
    const abort = new AbortController();
    const cancel = clock.setTimer(limits.closeMs, () => abort.abort());
    try {
      const headers = { [HttpHeader.connectionId]: this.#connectionId };
      await discard(await requests.send({ method: 'DELETE', headers, signal: abort.signal }));
    } catch (error) {
      log(`the server was not told of the connection's end: ${String(error)}`);
    } finally {
      cancel();
    }
  }

  #release(): void {
    this.#room = undefined;
    this.#makeRoom?.();
    this.#makeRoom = undefined;
  }
}
