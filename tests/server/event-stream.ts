import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A reader of an event stream, which remembers what came. */
export class EventStream {
  readonly events: EventSourceMessage[] = [];
  readonly comments: string[] = [];
  /** Everything as it came. */
  text = '';
  status = 0;
  headers: IncomingHttpHeaders = {};
  isClosed = false;
  readonly #request: ClientRequest;
  #onChange: (() => void)[] = [];

  private constructor(sent: ClientRequest) {
    this.#request = sent;
  }

  /** Opens a stream; resolves when its headers have come. */
  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const sent = request(url, {
      headers: { accept: 'text/event-stream', ...headers },
      agent: false,
    });
    const stream = new EventStream(sent);
    const parser = createParser({
      onEvent: (event) => stream.events.push(event),
      onComment: (comment) => stream.comments.push(comment),
    });
    const over = (): void => {
      stream.isClosed = true;
      stream.#changed();
    };
    sent.on('response', (response) => {
      stream.status = response.statusCode ?? 0;
      stream.headers = response.headers;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        stream.text += chunk;
        parser.feed(chunk);
        stream.#changed();
      });
      response.on('error', () => undefined).on('close', over);
      stream.#changed();
    });
    sent.on('error', over).end();
    await stream.until(() => stream.status > 0 || stream.isClosed);
    return stream;
  }

  /** The numbers of the session events that came. */
  get seqs(): number[] {
    return this.#ofKind('session').map(({ data }) => (JSON.parse(data) as { seq: number }).seq);
  }

  /** The id with which the stream would be opened again. */
  get lastId(): string {
    // What has no empty line behind it yet may be cut.
    const whole = this.text.slice(0, this.text.lastIndexOf('\n\n') + 1);
    return [...whole.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  }

  count(kind: string): number {
    return this.#ofKind(kind).length;
  }

  until(isMet: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (isMet()) resolve();
        else if (this.isClosed) reject(new Error(`the stream ended: ${this.text.slice(-500)}`));
        else this.#onChange.push(look);
      };
      look();
    });
  }

  /** Resolves when the server has ended the stream. */
  whenClosed(): Promise<void> {
    return this.until(() => this.isClosed);
  }

  close(): void {
    this.#request.destroy();
  }

  #ofKind(kind: string): EventSourceMessage[] {
    return this.events.filter(({ event }) => event === kind);
  }

  #changed(): void {
    for (const look of this.#onChange.splice(0)) look();
  }
}
