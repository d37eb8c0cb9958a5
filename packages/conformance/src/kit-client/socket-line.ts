import type { IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import { timed, TIMED_OUT } from '../process/timed.ts';
import { socketUrl, type RemoteEndpoint } from '../remote/endpoint.ts';
import { LineCutter } from '../trace/line-cutter.ts';
import { WireLog, type SocketLog } from '../wire/wire-log.ts';
import type { AgentLine, AgentLineEvents, LineTimeouts } from './agent-line.ts';

const NORMAL = 1000;
/** Larger than any message that a probe provokes. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024;
/** How long a closing handshake may take when nothing depends on it. */
const STOP_MS = 500;

/** A WebSocket to an agent: every line becomes one text frame. */
export class SocketLine implements AgentLine {
  readonly ended: Promise<void>;
  readonly name = 'the connection';
  readonly wire = new WireLog();
  /** The socket's own log. */
  readonly log: SocketLog;
  /** Resolves with the status of the answer to the upgrade, 101 if there is a socket; undefined without one. */
  readonly opened: Promise<number | undefined>;
  readonly #timeouts: LineTimeouts;
  readonly #socket: WebSocket;
  readonly #cutter = new LineCutter();
  #failure: string | undefined;
  #isLeaving = false;

  constructor(
    endpoint: RemoteEndpoint,
    events: Pick<AgentLineEvents, 'onMessage'>,
    timeouts: LineTimeouts,
  ) {
    this.#timeouts = timeouts;
    this.#socket = new WebSocket(socketUrl(endpoint), {
      headers: { ...endpoint.headers },
      handshakeTimeout: timeouts.startMs,
      perMessageDeflate: false,
      maxPayload: MESSAGE_BYTES_MAX,
    });
    this.log = this.wire.addSocket({});
    const socket = this.#socket;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure ??= error.message;
      // What is no WebSocket frame makes this side close.
      if (error.code?.startsWith('WS_ERR') === true) this.#isLeaving = true;
    });
    socket.on('upgrade', (response: IncomingMessage) => this.#onAnswer(response));
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      this.#onAnswer(response);
      socket.terminate();
    });
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary, events));
    socket.on('ping', () => this.log.pings++);
    socket.on('pong', () => this.log.pongs++);
    socket.on('close', (code, reason) => {
      const by = this.#isLeaving ? 'client' : 'agent';
      this.log.closing = { by, code, reason: reason.toString() };
    });
    this.ended = new Promise((resolve) => socket.once('close', () => resolve()));
    const open = new Promise<void>((resolve) => socket.once('open', () => resolve()));
    this.opened = Promise.race([open, this.ended]).then(() => this.log.status);
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (const line of this.#cutter.push(bytes)) await this.send(line.bytes, false);
  }

  /** Sends one message, as text or not. */
  async send(bytes: Uint8Array, isBinary: boolean): Promise<void> {
    await this.opened;
    const text = Buffer.from(bytes).toString('utf8');
    this.log.frames.push({ from: 'client', isBinary, text });
    // Sending on a socket that has gone, or that nobody reads, is part of what is tested.
    const sent = new Promise<void>((done) => {
      this.#socket.send(bytes, { binary: isBinary }, () => done());
    });
    await timed(sent, this.#timeouts.answerMs);
  }

  /** Sends a ping; false when nothing answers it in time. */
  async ping(timeoutMs: number): Promise<boolean> {
    await this.opened;
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    const before = this.log.pongs;
    const pong = new Promise<void>((resolve) => this.#socket.once('pong', () => resolve()));
    this.#socket.ping();
    await timed(Promise.race([pong, this.ended]), timeoutMs);
    return this.log.pongs > before;
  }

  /** Breaks the connection off without a word. */
  drop(): void {
    this.#isLeaving = true;
    this.#socket.terminate();
  }

  async end(timeoutMs: number): Promise<boolean> {
    this.#leave();
    return (await timed(this.ended, timeoutMs)) !== TIMED_OUT;
  }

  async stop(): Promise<void> {
    this.#leave();
    if ((await timed(this.ended, STOP_MS)) === TIMED_OUT) this.#socket.terminate();
    await this.ended;
  }

  condition(): string {
    const { closing, status } = this.log;
    if (closing === undefined) return status === 101 ? 'the socket is open' : 'the socket opens';
    if (status !== undefined && status !== 101) return `the upgrade is answered with ${status}`;
    if (status === undefined) return `there is no socket: ${this.#failure ?? 'no answer'}`;
    const why = closing.by === 'client' ? this.#failure : closing.reason;
    const reason = why === undefined || why === '' ? '' : ` (${why})`;
    return `the socket was closed by the ${closing.by} with code ${closing.code}${reason}`;
  }

  #leave(): void {
    if (this.log.closing === undefined) this.#isLeaving = true;
    if (this.#socket.readyState <= WebSocket.OPEN) this.#socket.close(NORMAL);
  }

  #onAnswer({ statusCode, headers }: IncomingMessage): void {
    this.log.status = statusCode;
    this.log.answerHeaders = headers;
  }

  #onMessage(
    data: RawData,
    isBinary: boolean,
    { onMessage }: Pick<AgentLineEvents, 'onMessage'>,
  ): void {
    const bytes = Buffer.from(data as Buffer);
    this.log.frames.push({ from: 'agent', isBinary, text: bytes.toString('utf8') });
    if (!isBinary) onMessage(bytes);
  }
}
