import type { ServerResponse } from 'node:http';
import { at, parseJson, stringAt } from '../../../json/json.ts';
import { answerStream } from '../../../remote/session-scope.ts';
import { LineCutter } from '../../../trace/line-cutter.ts';
import type { WireLog } from '../../../wire/wire-log.ts';
import type { Scenario } from '../scenario.ts';
import { ScriptedAgent } from '../scripted-agent.ts';
import type { ScriptedPort } from '../scripted-port.ts';

/** What an HTTP connection of the kit's endpoint is made of. */
export interface HttpSideParts {
  readonly id: string;
  readonly scenario: Scenario;
  readonly log: WireLog;
  readonly answerMs: number;
  readonly report: (line: string) => void;
}

interface Stream {
  reader: ServerResponse | undefined;
  readonly waiting: string[];
}

/** A client's connection over HTTP with a scripted agent behind it, which never refuses anything. */
export class HttpSide {
  readonly id: string;
  readonly #agent: ScriptedAgent;
  readonly #scenario: Scenario;
  readonly #log: WireLog;
  readonly #cutter = new LineCutter();
  readonly #streams = new Map<string | undefined, Stream>();
  /** Where the answers to the client's requests go, by ids. */
  readonly #routes = new Map<string, string | undefined>();
  /** Sessions that were handed out. */
  readonly #known = new Set<string>();
  #answerInitialize: ((body: string) => void) | undefined;

  constructor({ id, scenario, log, answerMs, report }: HttpSideParts) {
    this.id = id;
    this.#scenario = scenario;
    this.#log = log;
    const port: ScriptedPort = {
      transport: 'http',
      write: (bytes) => Promise.resolve(this.#write(bytes)),
      report,
    };
    this.#agent = new ScriptedAgent(scenario, port, answerMs);
  }

  /** Takes the first message; resolves with the answer to it. */
  begin(body: Buffer): Promise<string> {
    const answered = new Promise<string>((resolve) => (this.#answerInitialize = resolve));
    this.#agent.receiveMessage(body);
    return answered;
  }

  /** Takes any later message. */
  take(body: Buffer): void {
    const message = parseJson(body.toString('utf8'));
    const method = stringAt(message, 'method');
    if (method !== undefined) this.#route(method, at(message, 'id'), at(message, 'params'));
    this.#agent.receiveMessage(body);
  }

  /** Gives a stream a reader, who takes it over from the one before. */
  open(session: string | undefined, response: ServerResponse): void {
    const stream = this.#stream(session);
    stream.reader?.end();
    stream.reader = response;
    response.once('close', () => {
      if (stream.reader === response) stream.reader = undefined;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    // A comment first, which every client has to pass over.
    response.write(': the beginning\n\n');
    for (const data of stream.waiting.splice(0)) this.#send(data, session);
  }

  /** The client has gone, or has to go. */
  end(): void {
    this.#agent.end();
    for (const { reader } of this.#streams.values()) reader?.end();
  }

  #write(bytes: Uint8Array): void {
    for (const line of this.#cutter.push(bytes)) {
      const text = Buffer.from(line.bytes).toString('utf8');
      const answer = this.#answerInitialize;
      this.#answerInitialize = undefined;
      if (answer === undefined) this.#send(text, this.#streamOf(text));
      else answer(text);
    }
  }

  #route(method: string, id: unknown, params: unknown): void {
    if (id === undefined) return;
    const isElsewhere =
      method === 'session/prompt' && this.#scenario.endpoint?.answersElsewhere === true;
    const session = stringAt(params, 'sessionId');
    const isOwn = answerStream(method, params) === 'connection' || isElsewhere;
    this.#routes.set(JSON.stringify(id), isOwn ? undefined : session);
  }

  /**
   * Where a line belongs. What cannot be read, and what names a session that the client does not know, goes
   * where the client listens, since it shall see it.
   */
  #streamOf(text: string): string | undefined {
    const message = parseJson(text);
    const handedOut = stringAt(message, 'result', 'sessionId');
    if (handedOut !== undefined) this.#known.add(handedOut);
    const named = stringAt(message, 'params', 'sessionId');
    if (stringAt(message, 'method') !== undefined) {
      return named === undefined || this.#known.has(named) ? named : this.#heard();
    }
    const key = JSON.stringify(at(message, 'id') ?? null);
    return this.#routes.has(key) ? this.#routes.get(key) : this.#heard();
  }

  /** The stream of the session that was prompted last. */
  #heard(): string | undefined {
    const { sessionId } = this.#agent;
    return sessionId === '' ? undefined : sessionId;
  }

  #send(data: string, session: string | undefined): void {
    const { reader, waiting } = this.#stream(session);
    if (reader === undefined) waiting.push(data);
    else {
      this.#log.events.push({ stream: session, data });
      reader.write(`data: ${data}\n\n`);
    }
  }

  #stream(session: string | undefined): Stream {
    const stream = this.#streams.get(session) ?? { reader: undefined, waiting: [] };
    this.#streams.set(session, stream);
    return stream;
  }
}
