import { at, isObject, parseJson, stringAt, type JsonObject } from '../../../json/json.ts';
import { CANCELLED } from '../../../kit-client/responder.ts';
import { SilentError } from '../../../kit-client/wait-errors.ts';
import { timed, TIMED_OUT } from '../../../process/timed.ts';
import type { EventReader } from '../../../remote/event-reader.ts';
import { EVENT_STREAM_TYPE, HeaderName, JSON_TYPE } from '../../../remote/header-name.ts';
import type { RawHttp } from '../../../remote/raw-http.ts';
import { headerOf, quoteExchange, type AnsweredExchange } from '../../../wire/http-exchange.ts';
import { helloParams, NotReached, promptParams, type ProbeRun } from '../probe-run.ts';

/** A message of the agent, and where it came. */
export interface Arrival {
  /** The session whose stream it came on; undefined for the connection's own. */
  readonly stream: string | undefined;
  readonly value: JsonObject;
  /** As it came. */
  readonly data: string;
}

/** A session that was opened on a raw connection. */
export interface RawSession {
  readonly id: string;
  readonly cwd: string;
}

interface Waiter {
  readonly fits: (arrival: Arrival) => boolean;
  readonly resolve: (arrival: Arrival) => void;
}

/** Ids are different over all connections of a check, so that a log of several can be read. */
let nextId = 1;

/**
 * A connection over Streamable HTTP whose every request is in the hands of a probe: nothing is opened or
 * sent behind its back, except that questions of the agent are answered, for the worse.
 */
export class RawConnection {
  readonly id: string;
  /** What the agent answered to `initialize`. */
  readonly agent: unknown;
  readonly #http: RawHttp;
  readonly #run: ProbeRun;
  readonly #arrivals: Arrival[] = [];
  readonly #waiters = new Set<Waiter>();
  #isLoggedIn = false;

  private constructor(run: ProbeRun, http: RawHttp, id: string, agent: unknown) {
    this.#run = run;
    this.#http = http;
    this.id = id;
    this.agent = agent;
  }

  /** A new connection. @throws NotReached, SilentError, EndedError */
  static async open(run: ProbeRun, http: RawHttp = run.http()): Promise<RawConnection> {
    const exchange = await postInitialize(run, http);
    const id = headerOf(exchange.answer.headers, HeaderName.connection);
    if (id === undefined) throw new NotReached(`no connection: ${quoteExchange(exchange)}`);
    const agent = at(parseJson(exchange.answer.body), 'result');
    return new RawConnection(run, http, id, agent);
  }

  /** What the agent has sent so far, in the order in which it was read. */
  get arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  /** POSTs a message, which gets its envelope. @throws SilentError, EndedError */
  post(message: JsonObject, session?: string): Promise<AnsweredExchange> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return this.ask('POST', { 'content-type': JSON_TYPE, ...names(session) }, body);
  }

  /** Any request that names this connection. @throws SilentError, EndedError */
  ask(
    method: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<AnsweredExchange> {
    const all = { [HeaderName.connection]: this.id, ...headers };
    const question = { method, headers: all, ...(body === undefined ? {} : { body }) };
    return this.#http.ask(question, this.#run.bench.timeouts.answerMs);
  }

  /** Opens a stream. @throws NotReached when it is refused; SilentError, EndedError */
  async stream(session?: string): Promise<EventReader> {
    const headers = {
      [HeaderName.connection]: this.id,
      accept: EVENT_STREAM_TYPE,
      ...names(session),
    };
    const { answerMs } = this.#run.bench.timeouts;
    const { reader, exchange } = await this.#http.open({ method: 'GET', headers }, answerMs);
    if (reader === undefined) throw new NotReached(`no stream: ${quoteExchange(exchange)}`);
    reader.listen((data) => this.#take(data, session));
    return reader;
  }

  /** Sends a request whose answer may come on any open stream. @throws NotReached when it is refused */
  async request(method: string, params: JsonObject, session?: string): Promise<Arrival> {
    const id = newId();
    const exchange = await this.post({ id, method, params }, session);
    if (exchange.answer.status !== 202) throw new NotReached(quoteExchange(exchange));
    return this.answerTo(id);
  }

  /** The answer to a request. @throws SilentError */
  answerTo(id: number, timeoutMs = this.#run.bench.timeouts.answerMs): Promise<Arrival> {
    const fits = ({ value }: Arrival): boolean =>
      value['id'] === id && typeof value['method'] !== 'string';
    return this.next(fits, timeoutMs, `answer to request ${id}`);
  }

  /** The first message that fits. @throws SilentError */
  async next(fits: Waiter['fits'], timeoutMs: number, what: string): Promise<Arrival> {
    const found = this.#arrivals.find(fits);
    if (found !== undefined) return found;
    const { promise, resolve } = Promise.withResolvers<Arrival>();
    const waiter = { fits, resolve };
    this.#waiters.add(waiter);
    const arrival = await timed(promise, timeoutMs);
    this.#waiters.delete(waiter);
    if (arrival !== TIMED_OUT) return arrival;
    throw new SilentError(`no ${what} within ${timeoutMs} ms`);
  }

  /** A new session; the connection's stream has to be open. @throws NotReached, SilentError */
  async newSession(): Promise<RawSession> {
    const cwd = await this.#run.directory();
    const methodId = this.#run.bench.authenticate;
    if (methodId !== undefined && !this.#isLoggedIn) {
      this.#isLoggedIn = true;
      await this.request('authenticate', { methodId });
    }
    const { value, data } = await this.request('session/new', { cwd, mcpServers: [] });
    const id = stringAt(value, 'result', 'sessionId');
    if (id === undefined) throw new NotReached(`session/new did not succeed: ${data}`);
    return { id, cwd };
  }

  /** Sends a prompt. @returns the id of the request. @throws NotReached when it is refused */
  async prompt(session: string, text: string): Promise<number> {
    const id = newId();
    const params = promptParams(session, text);
    const exchange = await this.post({ id, method: 'session/prompt', params }, session);
    if (exchange.answer.status !== 202) throw new NotReached(quoteExchange(exchange));
    return id;
  }

  /** The end of a turn. A slow model is no fault. @throws NotReached */
  endOfTurn(id: number): Promise<Arrival> {
    return this.answerTo(id, this.#run.bench.timeouts.turnMs).catch((error: unknown) => {
      throw new NotReached((error as Error).message);
    });
  }

  /** Ends the connection. @throws SilentError, EndedError */
  delete(): Promise<AnsweredExchange> {
    return this.ask('DELETE');
  }

  #take(data: string, stream: string | undefined): void {
    const value = parseJson(data);
    if (!isObject(value)) return;
    const arrival = { stream, value, data };
    this.#arrivals.push(arrival);
    for (const waiter of [...this.#waiters]) if (waiter.fits(arrival)) waiter.resolve(arrival);
    if (typeof value['method'] === 'string' && value['id'] !== undefined) void this.#serve(value);
  }

  async #serve({ id, method, params }: JsonObject): Promise<void> {
    const answer =
      method === 'session/request_permission'
        ? { result: CANCELLED }
        : { error: { code: -32601, message: 'Method not found' } };
    // A probe that goes on without the agent does not need this answer either.
    await this.post({ id, ...answer }, stringAt(params, 'sessionId')).catch(() => undefined);
  }
}

/** POSTs `initialize` as it ought to be. @throws SilentError, EndedError */
export function postInitialize(
  run: ProbeRun,
  http: RawHttp,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnsweredExchange> {
  const body = initializeText();
  return http.ask(
    { method: 'POST', headers: { 'content-type': JSON_TYPE, ...headers }, body },
    run.bench.timeouts.startMs,
  );
}

/** The text of an `initialize` of a client that offers nothing. */
export function initializeText(): string {
  const params = helloParams({});
  return JSON.stringify({ jsonrpc: '2.0', id: newId(), method: 'initialize', params });
}

/** An id that no other request of a raw connection has. */
export function newId(): number {
  return nextId++;
}

function names(session: string | undefined): Record<string, string> {
  return session === undefined ? {} : { [HeaderName.session]: session };
}
