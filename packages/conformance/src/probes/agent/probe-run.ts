import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation, Outcome } from '../../findings/observation.ts';
import { at, isObject, stringAt, type JsonObject } from '../../json/json.ts';
import { KIT_FILES } from '../../kit-client/kit-files.ts';
import { KitClient, type Answer, type Timeouts } from '../../kit-client/kit-client.ts';
import { createTerminals } from '../../kit-client/kit-terminals.ts';
import { choose, type Responder } from '../../kit-client/responder.ts';
import type { AgentTarget } from '../../kit-client/open-line.ts';
import { quote, type Proof } from '../../passive/wire-message.ts';
import type { RemoteEndpoint } from '../../remote/endpoint.ts';
import { RawHttp } from '../../remote/raw-http.ts';
import { WireLog } from '../../wire/wire-log.ts';
import type { Prompts } from './options.ts';

/** The situation that a probe needs cannot be reached, which accuses nobody. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

/** What is the same for all probes of a run. */
export interface Bench {
  readonly target: AgentTarget;
  readonly prompts: Prompts;
  /** The prompts that were made for this agent; only they promise that it does what they say. */
  readonly ownPrompts: ReadonlySet<string>;
  readonly timeouts: Timeouts;
  /** A directory in which each session gets one of its own. */
  readonly scratch: string;
  readonly authenticate: string | undefined;
  readonly mayLogOut: boolean;
}

/** A connection with an open session. */
export interface Ready {
  readonly client: KitClient;
  readonly sessionId: string;
  readonly cwd: string;
  /** The result of `session/new`. */
  readonly session: unknown;
}

/** The capabilities with which the kit introduces itself unless a probe wants others. */
export const ALL_CAPABILITIES: JsonObject = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

/** The word in the file that agents are asked to read. */
export const MARKER = 'kingfisher-4711';

/** One run of one probe: its connections, and what it found. */
export class ProbeRun {
  readonly bench: Bench;
  readonly #name: string;
  readonly clients: KitClient[] = [];
  readonly observations: Observation[] = [];
  readonly #https: RawHttp[] = [];

  constructor(name: string, bench: Bench) {
    this.#name = name;
    this.bench = bench;
  }

  get prompts(): Prompts {
    return this.bench.prompts;
  }

  /** A fresh connection on which nothing has been said. */
  start(): KitClient {
    const client = new KitClient(this.bench.target, this.bench.timeouts, {});
    this.clients.push(client);
    return client;
  }

  /** A fresh connection after the handshake. @throws NotReached */
  async connect(capabilities: JsonObject = ALL_CAPABILITIES): Promise<KitClient> {
    const client = this.start();
    const answer = await client.request('initialize', helloParams(capabilities), {
      timeoutMs: this.bench.timeouts.startMs,
    });
    if (answer.isError || !isObject(answer.result)) {
      throw new NotReached('initialize did not succeed');
    }
    client.agent = answer.result;
    client.responder = this.#responder(capabilities);
    const methodId = this.bench.authenticate;
    if (methodId !== undefined) await client.request('authenticate', { methodId });
    return client;
  }

  /** A fresh connection with an open session. @throws NotReached */
  async ready(capabilities: JsonObject = ALL_CAPABILITIES): Promise<Ready> {
    return this.open(await this.connect(capabilities));
  }

  /** What crossed the wire around the messages of each connection. */
  get wires(): readonly WireLog[] {
    const links = this.clients.map(({ link }) => link.wire);
    const own = this.#https.map(({ log }) => log);
    return [...links, ...own].filter((wire) => wire !== undefined);
  }

  /** Whether there was an agent at all: it has answered something, or its process could be started. */
  get hasReached(): boolean {
    if (this.bench.target.endpoint === undefined) return true;
    return (
      this.clients.some(({ link }) => link.received.length > 0) ||
      this.wires.some(({ exchanges }) => exchanges.some(({ answer }) => answer !== undefined))
    );
  }

  /** Requests of one's own to the endpoint. @throws NotReached for an agent on stdio */
  http(headers: RemoteEndpoint['headers'] = this.endpoint.headers ?? {}): RawHttp {
    const http = new RawHttp({ ...this.endpoint, headers }, new WireLog());
    this.#https.push(http);
    return http;
  }

  /** The endpoint under test. @throws NotReached for an agent on stdio */
  get endpoint(): RemoteEndpoint {
    const { endpoint } = this.bench.target;
    if (endpoint === undefined) throw new NotReached('an agent on stdio has no endpoint');
    return endpoint;
  }

  /** Opens a session in a directory of its own. @throws NotReached */
  async open(client: KitClient, more: JsonObject = {}): Promise<Ready> {
    const cwd = await this.directory();
    const answer = await client.request('session/new', { cwd, mcpServers: [], ...more });
    const sessionId = stringAt(answer.result, 'sessionId');
    if (answer.isError || sessionId === undefined || sessionId === '') {
      throw new NotReached(
        `session/new did not succeed: ${answer.message.entry.text.slice(0, 200)}`,
      );
    }
    return { client, sessionId, cwd, session: answer.result };
  }

  /** Asks for a session on a connection of its own, since an agent may have room for one only. @throws NotReached */
  async tryOpen(more: JsonObject = {}): Promise<Answer> {
    const client = await this.connect();
    const cwd = await this.directory();
    const answer = await client.request('session/new', { cwd, mcpServers: [], ...more });
    await client.stop();
    return answer;
  }

  /** Whether a connection may have more than one session. @throws NotReached */
  async hasRoom(): Promise<boolean> {
    const { client } = await this.ready();
    const params = { cwd: await this.directory(), mcpServers: [] };
    return !(await client.request('session/new', params)).isError;
  }

  /** A new directory for a session, with the marker file in it. */
  async directory(): Promise<string> {
    const path = await mkdtemp(join(this.bench.scratch, 'session-'));
    await writeFile(join(path, 'marker.txt'), `${MARKER}\n`);
    return path;
  }

  /** Sends a prompt of text and waits for the end of the turn. @throws NotReached when it takes long. */
  async prompt(
    { client, sessionId }: Pick<Ready, 'client' | 'sessionId'>,
    text: string,
  ): Promise<Answer> {
    const id = await this.startPrompt({ client, sessionId }, text);
    return this.endOfTurn(client, id);
  }

  /** Sends a prompt and gives the id of the request. */
  async startPrompt(
    { client, sessionId }: Pick<Ready, 'client' | 'sessionId'>,
    text: string,
  ): Promise<number> {
    const id = client.newId();
    await client.send({ id, method: 'session/prompt', params: promptParams(sessionId, text) });
    return id;
  }

  /** Waits for the end of a turn. A slow model is no fault. @throws NotReached, EndedError */
  async endOfTurn(client: KitClient, id: number): Promise<Answer> {
    const { turnMs } = this.bench.timeouts;
    return client
      .answerTo(id, { timeoutMs: turnMs, what: 'end of the turn' })
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'SilentError')
          throw new NotReached(error.message);
        throw error;
      });
  }

  pass(id: string, text: string, ...lines: readonly Proof[]): void {
    this.#note('passed', id, text, lines);
  }

  fail(id: string, text: string, ...lines: readonly Proof[]): void {
    this.#note('failed', id, text, lines);
  }

  /** An accusation that stays a warning whatever the requirement's level. */
  warn(id: string, text: string, ...lines: readonly Proof[]): void {
    this.#note('warned', id, text, lines);
  }

  notExercised(id: string, text: string): void {
    this.#note('not_exercised', id, text, []);
  }

  notApplicable(id: string, text: string): void {
    this.#note('not_applicable', id, text, []);
  }

  /** Passes or fails; the text says what is expected. */
  judge(id: string, isMet: boolean, expected: string, ...lines: readonly Proof[]): void {
    this.found(id, isMet, isMet ? expected : `not so: ${expected}`, ...lines);
  }

  /** Passes or fails; the text says what was seen. */
  found(id: string, isMet: boolean, seen: string, ...lines: readonly Proof[]): void {
    this.#note(isMet ? 'passed' : 'failed', id, seen, lines);
  }

  /**
   * A situation that a prompt should bring about. That it did not is a finding only where the prompt was
   * made for this agent, since any model may do something else.
   */
  reached(
    prompt: keyof Prompts,
    id: string,
    isReached: boolean,
    text: string,
    ...lines: readonly Proof[]
  ): void {
    if (isReached) this.pass(id, text, ...lines);
    else if (this.bench.ownPrompts.has(prompt)) this.warn(id, `not so: ${text}`, ...lines);
    else this.notExercised(id, `not seen: ${text}`);
  }

  /** Whether anything was said about a requirement. */
  hasJudged(id: string): boolean {
    return this.observations.some((each) => each.id === id);
  }

  /** Ends every connection of this run. */
  async close(): Promise<void> {
    await Promise.all([...this.clients, ...this.#https].map((each) => each.stop()));
  }

  #responder(capabilities: JsonObject): Responder {
    const offered: Responder = {
      ...KIT_FILES,
      ...createTerminals(() => this.bench.scratch),
      'session/request_permission': choose('allow'),
    };
    return Object.fromEntries(
      Object.entries(offered).filter(
        ([method]) =>
          method.startsWith('session/') ||
          (method === 'fs/read_text_file' && at(capabilities, 'fs', 'readTextFile') === true) ||
          (method === 'fs/write_text_file' && at(capabilities, 'fs', 'writeTextFile') === true) ||
          (method.startsWith('terminal/') && capabilities['terminal'] === true),
      ),
    );
  }

  #note(outcome: Outcome, id: string, text: string, lines: readonly Proof[]): void {
    const evidence = lines.filter((line) => line !== undefined).map(quote);
    this.observations.push({ id, side: 'agent', outcome, where: this.#name, text, evidence });
  }
}

/** The params of an ordinary handshake. */
export function helloParams(clientCapabilities: JsonObject): JsonObject {
  return {
    protocolVersion: 1,
    clientCapabilities,
    clientInfo: { name: 'signalbox-check', title: 'Signalbox check', version: '0.1.0' },
  };
}

/** The params of a prompt of text. */
export function promptParams(sessionId: string, text: string): JsonObject {
  return { sessionId, prompt: [{ type: 'text', text }] };
}
