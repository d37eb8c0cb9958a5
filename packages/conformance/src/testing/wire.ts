import type { JsonObject } from '../json/json.ts';
import type { Side } from '../requirements/requirement.ts';
import type { Trace, TraceEntry } from '../trace/trace-entry.ts';

/** Writes a trace by hand, for tests: who said what, one line after the other. */
export class Wire {
  readonly #entries: TraceEntry[] = [];
  #t = 0;
  #id = 0;

  /** What was written so far. */
  get trace(): Trace {
    return this.#entries;
  }

  /** Lets time pass, in ms. */
  wait(ms: number): this {
    this.#t += ms;
    return this;
  }

  /** Any line. */
  raw(from: Side, text: string): this {
    this.#entries.push({ dir: from === 'agent' ? 'a2c' : 'c2a', t: this.#t++, text });
    return this;
  }

  /** Any JSON, with the envelope of JSON-RPC. */
  say(from: Side, message: JsonObject): this {
    return this.raw(from, JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  notify(from: Side, method: string, params?: unknown): this {
    return this.say(from, { method, ...(params === undefined ? {} : { params }) });
  }

  /** A request that is not answered yet; gives its id. */
  open(from: Side, method: string, params?: unknown): number {
    const id = this.#id++;
    this.say(from, { id, method, ...(params === undefined ? {} : { params }) });
    return id;
  }

  answer(from: Side, id: unknown, result: unknown): this {
    return this.say(from, { id, result });
  }

  fail(from: Side, id: unknown, code: number, message = 'no'): this {
    return this.say(from, { id, error: { code, message } });
  }

  /** A request of the client and the agent's result. */
  call(method: string, params: unknown, result: unknown): this {
    return this.answer('agent', this.open('client', method, params), result);
  }

  /** A request of the client and the agent's error. */
  refused(method: string, params: unknown, code: number): this {
    return this.fail('agent', this.open('client', method, params), code);
  }

  /** A request of the agent and the client's result. */
  ask(method: string, params: unknown, result: unknown): this {
    return this.answer('client', this.open('agent', method, params), result);
  }

  /** The handshake. */
  hello(client: JsonObject = {}, agent: JsonObject = {}): this {
    return this.call(
      'initialize',
      {
        protocolVersion: 1,
        clientCapabilities: client,
        clientInfo: { name: 'client', version: '1' },
      },
      {
        protocolVersion: 1,
        agentCapabilities: agent,
        agentInfo: { name: 'agent', version: '1' },
        authMethods: [],
      },
    );
  }

  /** Sets up session `s`, after the handshake. */
  session(result: JsonObject = {}, sessionId = 's'): this {
    return this.call('session/new', { cwd: '/w', mcpServers: [] }, { sessionId, ...result });
  }

  /** Handshake and session. */
  ready(client: JsonObject = {}, agent: JsonObject = {}): this {
    return this.hello(client, agent).session();
  }

  update(update: JsonObject, sessionId = 's'): this {
    return this.notify('agent', 'session/update', { sessionId, update });
  }

  /** A turn of session `s`, whose middle is written by `play`. */
  turn(play: (wire: this) => void, result: unknown = { stopReason: 'end_turn' }): this {
    const id = this.open('client', 'session/prompt', {
      sessionId: 's',
      prompt: [{ type: 'text', text: 'x' }],
    });
    play(this);
    return this.answer('agent', id, result);
  }
}
