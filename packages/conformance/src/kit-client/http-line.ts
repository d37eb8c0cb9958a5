import { excerpt } from '../findings/excerpt.ts';
import { isObject, parseJson, stringAt, type JsonObject } from '../json/json.ts';
import { decodeMessage, type WireMessage } from '../passive/wire-message.ts';
import { timed } from '../process/timed.ts';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { EventReader } from '../remote/event-reader.ts';
import { EVENT_STREAM_TYPE, HeaderName, JSON_TYPE } from '../remote/header-name.ts';
import { RawHttp } from '../remote/raw-http.ts';
import { isSessionScoped } from '../remote/session-scope.ts';
import { LineCutter } from '../trace/line-cutter.ts';
import { decode } from '../trace/recorder.ts';
import { headerOf, type HttpAnswer } from '../wire/http-exchange.ts';
import { WireLog } from '../wire/wire-log.ts';
import type { AgentLine, AgentLineEvents, LineTimeouts } from './agent-line.ts';
import { Replays } from './replays.ts';
import { SilentError } from './wait-errors.ts';

/** How long a POST waits for the answer to the one before it, which an agent may hold back wrongly. */
const ORDER_MS = 1000;
/** How often the connection's stream is opened again after the agent has ended it. */
const REOPENS_MAX = 3;
/** How long the end of a connection may take when nothing depends on it. */
const STOP_MS = 500;

/**
 * A connection over Streamable HTTP, as a careful client has it: every line becomes a POST behind the answer
 * to the one before, and each session's stream is open before anything is said in it.
 */
export class HttpLine implements AgentLine {
  readonly ended: Promise<void>;
  readonly name = 'the connection';
  readonly wire = new WireLog();
  readonly #http: RawHttp;
  readonly #events: Pick<AgentLineEvents, 'onMessage' | 'onRefused'>;
  readonly #timeouts: LineTimeouts;
  readonly #cutter = new LineCutter();
  readonly #streams = new Map<string | undefined, Promise<EventReader | undefined>>();
  readonly #replays = new Replays((data) => this.#deliver(data));
  /** Sessions of the agent's own requests, by their ids. */
  readonly #asked = new Map<string, string>();
  #connectionId: string | undefined;
  #session: string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #reopens = 0;
  #state = 'nothing was sent yet';
  #markEnded: () => void = () => undefined;

  constructor(
    endpoint: RemoteEndpoint,
    events: Pick<AgentLineEvents, 'onMessage' | 'onRefused'>,
    timeouts: LineTimeouts,
  ) {
    this.#http = new RawHttp(endpoint, this.wire);
    this.#events = events;
    this.#timeouts = timeouts;
    this.ended = new Promise((resolve) => (this.#markEnded = resolve));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (const line of this.#cutter.push(bytes)) await this.#post(line.bytes);
  }

  async end(timeoutMs: number): Promise<boolean> {
    await this.#delete(timeoutMs);
    return true;
  }

  stop(): Promise<void> {
    return this.#delete(STOP_MS);
  }

  condition(): string {
    return this.#state;
  }

  async #post(bytes: Uint8Array): Promise<void> {
    const before = this.#last;
    const posted = timed(before, ORDER_MS).then(() => this.#send(bytes));
    this.#last = posted;
    await posted;
  }

  async #send(bytes: Uint8Array): Promise<void> {
    const message = decodeMessage({ dir: 'c2a', t: 0, ...decode(bytes) }, 0);
    const isFirst = message.method === 'initialize' && this.#connectionId === undefined;
    try {
      const session = isFirst ? undefined : this.#sessionOf(message);
      if (session !== undefined) await this.#stream(session);
      this.#replays.note(message);
      const { answer } = await this.#http.ask(
        { method: 'POST', headers: this.#headers(session), body: bytes },
        isFirst ? this.#timeouts.startMs : this.#timeouts.answerMs,
      );
      this.#state = `the last POST was answered with ${answer.status}`;
      if (isFirst && answer.status === 200) await this.#begin(answer);
      if (answer.status !== 202) this.#takeBody(message, answer);
    } catch (error) {
      this.#state = (error as Error).message;
      if (isFirst) this.#markEnded();
      // An answer to the message may come all the same where only the one to its POST does not.
      else if (!(error instanceof SilentError)) this.#refused(message, 0, this.#state);
    }
  }

  /** A connection begins with a successful `initialize` only; after an error the next one is the first. */
  async #begin({ headers, body }: HttpAnswer): Promise<void> {
    const answer = parseJson(body);
    if (!isObject(answer)) return;
    this.#connectionId = headerOf(headers, HeaderName.connection);
    if (this.#connectionId === undefined) return;
    if (isObject(answer['error'])) await this.#leave(STOP_MS);
    else await this.#stream(undefined);
  }

  /** What answers a POST itself. A refusal that is a message is the answer; any other one ends the waiting. */
  #takeBody(message: WireMessage, { status, body }: HttpAnswer): void {
    const value = parseJson(body);
    if (isObject(value) && value['jsonrpc'] === '2.0') this.#events.onMessage(Buffer.from(body));
    else this.#refused(message, status, `refused with HTTP status ${status}: ${excerpt(body)}`);
  }

  #refused({ kind, idText = '' }: WireMessage, status: number, text: string): void {
    if (kind === 'request') this.#events.onRefused(idText, status, text);
  }

  #sessionOf({ kind, method, params, idText }: WireMessage): string | undefined {
    if (kind === 'response') return this.#asked.get(idText ?? '');
    const named = stringAt(params, 'sessionId');
    if (named !== undefined && named !== '') return named;
    // Params that are wrong on purpose shall reach the agent, and not the transport's own checks.
    return isSessionScoped(method, params) ? this.#session : undefined;
  }

  #headers(session: string | undefined): Record<string, string> {
    return { 'content-type': JSON_TYPE, ...this.#names(session) };
  }

  #names(session: string | undefined): Record<string, string> {
    return {
      ...(this.#connectionId === undefined ? {} : { [HeaderName.connection]: this.#connectionId }),
      ...(session === undefined ? {} : { [HeaderName.session]: session }),
    };
  }

  /** Opens a stream unless it is open. One that cannot be opened is none: its messages may come elsewhere. */
  #stream(session: string | undefined): Promise<EventReader | undefined> {
    const open = this.#streams.get(session) ?? this.#openStream(session);
    this.#streams.set(session, open);
    return open;
  }

  async #openStream(session: string | undefined): Promise<EventReader | undefined> {
    const headers = { accept: EVENT_STREAM_TYPE, ...this.#names(session) };
    const opened = await this.#http
      .open({ method: 'GET', headers }, this.#timeouts.answerMs)
      .catch(() => undefined);
    const reader = opened?.reader;
    if (reader === undefined) {
      this.#streams.delete(session);
      return undefined;
    }
    reader.listen((data) => this.#take(data, session));
    void reader.ended.then(() => {
      this.#streams.delete(session);
      if (session === undefined) void this.#reopen();
    });
    return reader;
  }

  /** Only the connection's own stream is of use without a message of the kit. */
  async #reopen(): Promise<void> {
    if (this.#connectionId === undefined) return;
    if (this.#reopens++ < REOPENS_MAX && (await this.#stream(undefined)) !== undefined) return;
    this.#state = "the connection's stream has ended";
    this.#markEnded();
  }

  #take(data: string, stream: string | undefined): void {
    const value = parseJson(data);
    if (isObject(value)) this.#learn(value);
    this.#replays.take(data, stream);
  }

  /** Keeps what later messages of the kit depend on. */
  #learn(value: JsonObject): void {
    const session = stringAt(value, 'params', 'sessionId');
    if (typeof value['method'] === 'string') {
      const { id } = value;
      if (id !== undefined && session !== undefined) this.#asked.set(JSON.stringify(id), session);
      return;
    }
    const created = stringAt(value, 'result', 'sessionId');
    if (created === undefined) return;
    this.#session = created;
    void this.#stream(created);
  }

  #deliver(data: string): void {
    this.#events.onMessage(Buffer.from(data));
  }

  async #leave(timeoutMs: number): Promise<void> {
    const headers = this.#names(undefined);
    if (this.#connectionId === undefined) return;
    this.#connectionId = undefined;
    await this.#http.ask({ method: 'DELETE', headers }, timeoutMs).catch(() => undefined);
  }

  async #delete(timeoutMs: number): Promise<void> {
    await this.#leave(timeoutMs);
    this.#http.close();
    this.#state = 'the connection was ended by the kit';
    this.#markEnded();
  }
}
