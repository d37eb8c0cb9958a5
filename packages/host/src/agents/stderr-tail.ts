import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** How much of an agent's stderr is kept, in characters. */
const KEPT_LENGTH = 4096;

/**
 * Reads everything an agent writes to stderr, so that it never blocks on a full pipe (R-FRM-07), and
 * keeps the end of it for error messages.
 */
export class StderrTail {
  /** Resolves when nothing more will come. */
  readonly ended: Promise<void>;
  #text = '';
  readonly #decoder = new StringDecoder('utf8');

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => this.#add(this.#decoder.write(chunk)));
    // A broken stderr is no reason to end anything; what was read is kept.
    stream.on('error', () => undefined);
    this.ended = new Promise((resolve) => stream.once('close', resolve));
  }

  get text(): string {
    return this.#text;
  }

  #add(text: string): void {
    const all = this.#text + text;
    if (all.length <= KEPT_LENGTH) {
      this.#text = all;
      return;
    }
    const cut = all.slice(-KEPT_LENGTH);
    // A cut in the middle of a surrogate pair would leave half a character.
    const first = cut.charCodeAt(0);
    this.#text = first >= 0xdc00 && first <= 0xdfff ? cut.slice(1) : cut;
  }
}
