import { excerpt } from '../../findings/excerpt.ts';
import type { Observation, Outcome } from '../../findings/observation.ts';
import { at, isObject, parseJson, stringAt, type JsonObject } from '../../json/json.ts';
import { timed, TIMED_OUT } from '../../process/timed.ts';
import { formatEntry } from '../../trace/format-entry.ts';
import { Recorder } from '../../trace/recorder.ts';
import type { TraceEntry } from '../../trace/trace-entry.ts';
import type { ReportLine } from './report-line.ts';
import { NO_ANSWER, type Scenario } from './scenario.ts';
import type { ScriptedPort, ScriptedSocket } from './scripted-port.ts';

/** The client did not answer in time. */
export class SilentClient extends Error {
  override readonly name = 'SilentClient';
}

/** The client ended the connection. */
export class GoneClient extends Error {
  override readonly name = 'GoneClient';
}

/** An answer of the client. */
export interface ClientAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly result: unknown;
  readonly code: unknown;
}

interface Waiting {
  readonly resolve: (answer: ClientAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * An agent that plays one scenario with whatever client is at the other end of its port, and writes down
 * every message and every judgement. It knows nothing of other packages, since a client may start it.
 */
export class ScriptedAgent {
  readonly #scenario: Scenario;
  readonly #port: ScriptedPort;
  readonly #recorder: Recorder;
  readonly #waiting = new Map<string, Waiting>();
  readonly #answerMs: number;
  readonly #judged = new Set<string>();
  readonly #cancelled: { promise: Promise<void>; resolve: () => void };
  #nextId = 5000;
  #isGone = false;
  #sessionCount = 0;
  /** What the client announced. */
  capabilities: JsonObject = {};
  /** The session that was prompted last. */
  sessionId = '';
  /** The working directory of the session that was opened last. */
  cwd = '';
  /** The id of the prompt that is being played. */
  promptId: unknown;
  /** The text of that prompt. */
  promptText = '';

  constructor(scenario: Scenario, port: ScriptedPort, answerMs: number) {
    this.#scenario = scenario;
    this.#port = port;
    this.#answerMs = answerMs;
    this.#cancelled = Promise.withResolvers<void>();
    this.#recorder = new Recorder((entry) => this.#onEntry(entry));
    const { pid } = process;
    // Only a program of its own can be looked after by its process.
    this.#write({ event: 'start', ...(port.transport === 'stdio' ? { pid } : {}) });
  }

  /** How long the client may take to answer, in ms. */
  get answerMs(): number {
    return this.#answerMs;
  }

  /** The socket of a scenario that is played over WebSockets. @throws TypeError for any other one */
  get socket(): ScriptedSocket {
    const { socket } = this.#port;
    if (socket === undefined) throw new TypeError('there is no socket');
    return socket;
  }

  /** Takes in the next bytes of a client that writes lines. */
  receive(bytes: Uint8Array): void {
    this.#recorder.push('c2a', bytes);
  }

  /** Takes in a whole message of a client whose transport frames messages. */
  receiveMessage(bytes: Uint8Array): void {
    this.#recorder.message('c2a', bytes);
  }

  /** The client has ended the connection. */
  end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#recorder.end('c2a');
    this.#write({ event: 'eof' });
    for (const { reject } of this.#waiting.values()) {
      reject(new GoneClient('the client ended the connection'));
    }
    this.#waiting.clear();
  }

  /** Writes these bytes as they are. */
  async write(bytes: string | Uint8Array): Promise<void> {
    const buffer = Buffer.from(bytes);
    this.#recorder.push('a2c', buffer);
    await this.#port.write(buffer);
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  /** Sends one message with the envelope of JSON-RPC. */
  async send(message: JsonObject): Promise<void> {
    await this.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.send({ method, params });
  }

  /** Sends an update of the session. */
  async update(update: JsonObject, sessionId = this.sessionId): Promise<void> {
    await this.notify('session/update', { sessionId, update });
  }

  /** Sends a piece of the agent's message. */
  async say(text: string, more: JsonObject = {}): Promise<void> {
    await this.update(chunk(text, more));
  }

  /** Sends a request and waits for the answer. @throws SilentClient, GoneClient */
  async request(
    method: string,
    params: unknown,
    options: { id?: unknown; idText?: string; timeoutMs?: number } = {},
  ): Promise<ClientAnswer> {
    const { id = this.#nextId++, idText = JSON.stringify(id) } = options;
    const answer = this.expect(idText, method, options.timeoutMs);
    const text = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
    await this.line(text.replace('"id":0', `"id":${idText}`));
    return answer;
  }

  /** Waits for the answer to a request that is sent by hand. @throws SilentClient, GoneClient */
  async expect(idText: string, method: string, timeoutMs = this.#answerMs): Promise<ClientAnswer> {
    if (this.#isGone) throw new GoneClient(`the client has gone before ${method}`);
    const { promise, resolve, reject } = Promise.withResolvers<ClientAnswer>();
    this.#waiting.set(idText, { resolve, reject });
    const answer = await timed(promise, timeoutMs);
    this.#waiting.delete(idText);
    if (answer === TIMED_OUT) {
      throw new SilentClient(
        `no answer to ${method} with id ${idText} within ${this.#answerMs} ms`,
      );
    }
    return answer;
  }

  /** A request that every peer has to answer, so an answer proves that the connection is alive. */
  ping(): Promise<ClientAnswer> {
    return this.request('_signalbox.check/ping', {});
  }

  /** Waits for a `session/cancel`; false when none comes in time. */
  async waitForCancel(): Promise<boolean> {
    this.#write({ event: 'cancel_now' });
    return (await timed(this.#cancelled.promise, this.#answerMs)) !== TIMED_OUT;
  }

  pass(id: string, text: string, ...evidence: readonly string[]): void {
    this.#note('passed', id, text, evidence);
  }

  fail(id: string, text: string, ...evidence: readonly string[]): void {
    this.#note('failed', id, text, evidence);
  }

  /** An accusation that stays a warning whatever the requirement's level. */
  warn(id: string, text: string, ...evidence: readonly string[]): void {
    this.#note('warned', id, text, evidence);
  }

  /** Passes or fails; the text says what is expected. */
  judge(id: string, isMet: boolean, expected: string, ...evidence: readonly string[]): void {
    this.#note(isMet ? 'passed' : 'failed', id, isMet ? expected : `not so: ${expected}`, evidence);
  }

  notExercised(id: string, text: string): void {
    this.#note('not_exercised', id, text, []);
  }

  notApplicable(id: string, text: string): void {
    this.#note('not_applicable', id, text, []);
  }

  #note(outcome: Outcome, id: string, text: string, evidence: readonly string[]): void {
    this.#judged.add(id);
    const judgement: Observation = {
      id,
      side: 'client',
      outcome,
      where: this.#scenario.name,
      text,
      evidence: evidence.map((line) => excerpt(line)),
    };
    this.#write({ judgement });
  }

  #write(line: ReportLine): void {
    this.#port.report(JSON.stringify(line));
  }

  #onEntry(entry: TraceEntry): void {
    this.#port.report(formatEntry(entry));
    if (entry.dir === 'a2c') return;
    const value = parseJson(entry.text);
    if (!isObject(value)) return;
    if (typeof value['method'] === 'string') {
      void this.#onCall(value['method'], value['id'], value['params']);
    } else if ('result' in value || 'error' in value) {
      this.#onAnswer(entry.text, value);
    }
  }

  #onAnswer(text: string, value: JsonObject): void {
    // Ids beyond double precision have to be compared as they are written.
    const idText = /"id":\s*(\d{16,}|-?\d+|"(?:[^"\\]|\\.)*"|null)/.exec(text)?.[1] ?? '';
    const key = /^\d{16,}$/.test(idText) ? idText : JSON.stringify(value['id']);
    const { error, result } = value;
    this.#waiting
      .get(key)
      ?.resolve({ text, isError: error != null, result, code: at(error, 'code') });
  }

  async #onCall(method: string, id: unknown, params: unknown): Promise<void> {
    if (method === 'session/cancel') this.#cancelled.resolve();
    if (id === undefined) return;
    if (method === 'initialize') {
      const capabilities = at(params, 'clientCapabilities');
      this.capabilities = isObject(capabilities) ? capabilities : {};
    }
    this.cwd = stringAt(params, 'cwd') ?? this.cwd;
    if ((await this.#scenario.before?.(this, method, id)) === true) return;
    if (method === 'session/prompt') return this.#onPrompt(id, params);
    const result = this.#resultOf(method);
    if (result !== undefined) await this.send({ id, result });
    else await this.send({ id, error: { code: -32601, message: 'Method not found' } });
  }

  #resultOf(method: string): JsonObject | undefined {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: 1,
          agentCapabilities: {},
          agentInfo: { name: 'signalbox-check', title: 'Signalbox check', version: '0.1.0' },
          authMethods: [],
          ...this.#scenario.initialize,
        };
      case 'session/new':
        return this.#newSession();
      case 'authenticate':
      case 'session/set_mode':
      case 'session/close':
        return {};
      default:
        return undefined;
    }
  }

  #newSession(): JsonObject {
    const session = { sessionId: `kit-session-${++this.#sessionCount}`, ...this.#scenario.session };
    if (this.#port.transport !== 'http') return session;
    // A header has to carry the id, which it can do with this much of it.
    return { ...session, sessionId: session.sessionId.replace(/[^ -~]/gu, '?') };
  }

  async #onPrompt(id: unknown, params: unknown): Promise<void> {
    this.sessionId = stringAt(params, 'sessionId') ?? '';
    this.promptId = id;
    const [first] = Array.isArray(at(params, 'prompt')) ? (at(params, 'prompt') as unknown[]) : [];
    this.promptText = stringAt(first, 'text') ?? '';
    this.#write({ event: 'prompted' });
    let result: JsonObject | typeof NO_ANSWER = { stopReason: 'end_turn' };
    try {
      result = await this.#scenario.play(this);
    } catch (error) {
      this.#blame(error);
    }
    if (result !== NO_ANSWER) await this.send({ id, ...('error' in result ? result : { result }) });
    try {
      await this.#scenario.after?.(this);
    } catch (error) {
      // A client that ends with its turn is not obliged to stay for more.
      if (!(error instanceof GoneClient)) this.#blame(error);
    }
    this.#write({ event: 'done' });
  }

  /** What it means that the client went silent or away in the middle of a scenario. */
  #blame(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const isTheirs = error instanceof SilentClient || error instanceof GoneClient;
    if (!isTheirs) this.#write({ event: 'kit_failed', text });
    for (const id of this.#scenario.blame ?? []) {
      if (isTheirs && !this.#judged.has(id)) this.fail(id, text);
    }
  }
}

/** A piece of the agent's message. */
export function chunk(text: string, more: JsonObject = {}): JsonObject {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more };
}
