import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { WireLog } from '../wire/wire-log.ts';

/** Reads an open event stream, and keeps what came on it. */
export class EventReader {
  /** The session whose stream it is; undefined for the connection's own. */
  readonly stream: string | undefined;
  /** The data of the events so far. */
  readonly events: string[] = [];
  /** Resolves when the stream has ended, by whichever side. */
  readonly ended: Promise<void>;
  readonly #response: IncomingMessage;
  readonly #onEvent: ((data: string) => void)[] = [];
  readonly #onComment: (() => void)[] = [];

  constructor(response: IncomingMessage, stream: string | undefined, log: WireLog) {
    this.#response = response;
    this.stream = stream;
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ data }) => {
        log.events.push({ stream, data });
        this.events.push(data);
        for (const told of this.#onEvent) told(data);
      },
      onComment: () => {
        log.comments++;
        for (const told of this.#onComment.splice(0)) told();
      },
    });
    response.on('data', (chunk: Buffer) => parser.feed(decoder.decode(chunk, { stream: true })));
    this.ended = new Promise((resolve) => response.once('close', () => resolve()));
    // A stream that breaks has ended like any other.
    response.on('error', () => undefined);
  }

  /** Tells of each event from the first one on. */
  listen(told: (data: string) => void): void {
    for (const data of this.events) told(data);
    this.#onEvent.push(told);
  }

  /** Resolves with the next comment. */
  nextComment(): Promise<void> {
    return new Promise((resolve) => this.#onComment.push(resolve));
  }

  /** Breaks the stream off. */
  close(): void {
    this.#response.destroy();
  }
}
