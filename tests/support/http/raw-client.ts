import { INITIALIZE } from './frames.ts';

/** One block of an event stream. */
export interface RawEvent {
  readonly id?: string;
  readonly data?: string;
  readonly comment?: string;
  readonly retry?: string;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A client that says exactly what the test tells it to. */
export class RawClient {
  readonly url: string;
  readonly #fetch: Fetch;

  constructor(url: string, fetch: Fetch = (address, init) => globalThis.fetch(address, init)) {
    this.url = url;
    this.#fetch = fetch;
  }

  request(method: string, headers: Record<string, string>, body?: string): Promise<Response> {
    return this.#fetch(this.url, {
      method,
      headers,
      signal: AbortSignal.timeout(15_000),
      ...(body === undefined ? {} : { body }),
    });
  }

  post(body: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.request('POST', { 'Content-Type': 'application/json', ...headers }, body);
  }

  /** Opens a connection. @returns the header that names it. */
  async initialize(headers: Record<string, string> = {}): Promise<Record<string, string>> {
    const response = await this.post(INITIALIZE, headers);
    await response.text();
    return { ...headers, 'Acp-Connection-Id': response.headers.get('Acp-Connection-Id') ?? '' };
  }

  get(headers: Record<string, string>): Promise<Response> {
    return this.request('GET', { Accept: 'text/event-stream', ...headers });
  }

  /** Opens an event stream. */
  async events(headers: Record<string, string>): Promise<RawEvents> {
    const abort = new AbortController();
    const response = await this.#fetch(this.url, {
      method: 'GET',
      headers: { Accept: 'text/event-stream', ...headers },
      signal: abort.signal,
    });
    if (response.status !== 200) {
      throw new Error(`no stream: ${response.status} ${await response.text()}`);
    }
    return new RawEvents(response, abort);
  }
}

/** The blocks of one response. */
export class RawEvents {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';
  #isEnded = false;

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** The next block; undefined at the end of the response, however it ends. */
  async next(): Promise<RawEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parseBlock(block);
      }
      if (this.#isEnded) return undefined;
      const { value, done } = await this.#reader
        .read()
        .catch(() => ({ value: undefined, done: true }));
      this.#isEnded = done;
      this.#text += this.#decoder.decode(value, { stream: !done });
    }
  }

  /** The next blocks. */
  async take(count: number): Promise<(RawEvent | undefined)[]> {
    const events: (RawEvent | undefined)[] = [];
    for (let i = 0; i < count; i++) events.push(await this.next());
    return events;
  }

  /** The data of the next events that have some. */
  async data(count: number): Promise<string[]> {
    const data: string[] = [];
    while (data.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the stream ended behind ${data.length} events`);
      if (event.data !== undefined) data.push(event.data);
    }
    return data;
  }

  /** All blocks that are left. */
  async rest(): Promise<RawEvent[]> {
    const events: RawEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      events.push(event);
    }
    return events;
  }

  /** Goes away without a word. */
  cut(): void {
    this.#abort.abort();
  }
}

function parseBlock(block: string): RawEvent {
  const event: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === 0 ? 'comment' : line.slice(0, colon);
    event[name] = line.slice(colon + 1).replace(/^ /, '');
  }
  return event;
}
