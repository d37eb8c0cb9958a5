import type { JsonObject } from '../json/json.ts';
import { at, listAt, stringAt } from '../json/json.ts';
import { errorCode, type WireMessage } from '../passive/wire-message.ts';
import { Link } from './link.ts';
import type { AgentTarget } from './open-line.ts';
import { HOLD, Refusal, type Responder } from './responder.ts';

/** How long the kit waits for the program under test, in ms. */
export interface Timeouts {
  /** For the first answer of a new connection. */
  readonly startMs: number;
  /** For answers that need no model. */
  readonly answerMs: number;
  /** For the end of a turn. */
  readonly turnMs: number;
  /** For the end of the agent after its input, or the connection, has been ended. */
  readonly exitMs: number;
  /** A cancelled turn that ends within this has stopped as soon as possible. */
  readonly promptMs: number;
  /** For a sign of life on a stream on which nothing happens. */
  readonly idleMs: number;
}

/** An answer to a request of the kit. */
export interface Answer {
  readonly message: WireMessage;
  readonly isError: boolean;
  readonly result: unknown;
  /** The error code, if there is one. */
  readonly code: number | undefined;
}

/** A method that no agent has, for requests that must be answered all the same. */
export const PING_METHOD = '_signalbox.check/ping';

/** The kit in the role of a client. It records everything, and can send anything. */
export class KitClient {
  readonly link: Link;
  readonly timeouts: Timeouts;
  /** What is answered to the agent; methods that are not here are answered -32601. */
  responder: Responder;
  /** What the agent answered to `initialize`. */
  agent: JsonObject = {};
  readonly #requests: WireMessage[] = [];
  #nextId = 1000;

  constructor(target: AgentTarget, timeouts: Timeouts, responder: Responder) {
    this.timeouts = timeouts;
    this.responder = responder;
    this.link = new Link(target, timeouts, (message) => {
      if (message.kind === 'request') void this.#serve(message);
    });
  }

  /** The agent's requests so far, answered or held. */
  get requests(): readonly WireMessage[] {
    return this.#requests;
  }

  /** Sends a request and waits for the answer. @throws SilentError, EndedError, RefusedError */
  async request(
    method: string,
    params: unknown,
    options: { id?: unknown; timeoutMs?: number } = {},
  ): Promise<Answer> {
    const { id = this.newId(), timeoutMs = this.timeouts.answerMs } = options;
    const from = this.link.received.length;
    await this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return this.answerTo(id, { timeoutMs, from, what: `answer to ${method}` });
  }

  /** Waits for the answer to a request that was sent before. @throws SilentError, EndedError, RefusedError */
  async answerTo(
    id: unknown,
    options: { timeoutMs?: number; from?: number; what?: string } = {},
  ): Promise<Answer> {
    const { timeoutMs = this.timeouts.answerMs, from = 0, what = 'answer' } = options;
    const message = await this.link.next(
      (each) => each.kind === 'response' && at(each.value, 'id') === id,
      { timeoutMs, from, what, answers: JSON.stringify(id) },
    );
    const { isError, result } = message;
    return { message, isError, result, code: errorCode(message) };
  }

  /** An id for a request that is sent by hand. */
  newId(): number {
    return this.#nextId++;
  }

  async notify(method: string, params?: unknown): Promise<void> {
    await this.send({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Sends one message with the envelope of JSON-RPC. */
  async send(message: JsonObject): Promise<void> {
    await this.link.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends one line as it is. */
  async line(text: string): Promise<void> {
    await this.link.write(`${text}\n`);
  }

  /** A request that every peer has to answer, so an answer proves that the connection is alive. */
  ping(id?: unknown): Promise<Answer> {
    return this.request(PING_METHOD, {}, id === undefined ? {} : { id });
  }

  /** The next request of the agent for a method, from now or before. @throws SilentError, EndedError */
  nextRequest(method: string, timeoutMs = this.timeouts.turnMs): Promise<WireMessage> {
    return this.link.next((each) => each.kind === 'request' && each.method === method, {
      timeoutMs,
      what: method,
    });
  }

  /** Answers a request that was held. */
  async answer(request: WireMessage, result: unknown): Promise<void> {
    await this.link.write(
      `{"jsonrpc":"2.0","id":${request.idText ?? 'null'},"result":${JSON.stringify(result)}}\n`,
    );
  }

  /** Refuses a request that was held. */
  async refuse(request: WireMessage, code: number, message: string): Promise<void> {
    const error = JSON.stringify({ code, message });
    await this.link.write(`{"jsonrpc":"2.0","id":${request.idText ?? 'null'},"error":${error}}\n`);
  }

  /** The updates of a session since a count of received messages. */
  updates(sessionId: string, from = 0): readonly WireMessage[] {
    return this.link.received
      .slice(from)
      .filter(
        ({ method, params }) =>
          method === 'session/update' && stringAt(params, 'sessionId') === sessionId,
      );
  }

  /** The text of the agent's messages in a session since a count of received messages. */
  text(sessionId: string, from = 0): string {
    return this.updates(sessionId, from)
      .filter(({ params }) => at(params, 'update', 'sessionUpdate') === 'agent_message_chunk')
      .map(({ params }) => stringAt(params, 'update', 'content', 'text') ?? '')
      .join('');
  }

  /** Ends the connection in the ordinary way; false when the agent has not followed in time. */
  end(): Promise<boolean> {
    return this.link.end(this.timeouts.exitMs);
  }

  /** Ends it at once, with all that was started for it. */
  stop(): Promise<void> {
    return this.link.stop();
  }

  /** How the agent or the connection fares, for the text of a finding. */
  condition(): string {
    return this.link.condition();
  }

  /** The login methods that the agent announced. */
  get authMethods(): readonly unknown[] {
    return listAt(this.agent, 'authMethods');
  }

  async #serve(request: WireMessage): Promise<void> {
    this.#requests.push(request);
    const answering = Object.hasOwn(this.responder, request.method)
      ? this.responder[request.method]
      : undefined;
    if (answering === undefined) return this.refuse(request, -32601, 'Method not found');
    try {
      const result = await answering(request.params, request);
      if (result !== HOLD) await this.answer(request, result);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : -32603;
      await this.refuse(request, code, error instanceof Error ? error.message : 'failed');
    }
  }
}
