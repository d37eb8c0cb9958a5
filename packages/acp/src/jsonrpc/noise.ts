import { copyText } from './copy-text.ts';
import type { RpcLimits } from './limits.ts';
import { PeerError } from './peer-error.ts';

/** One thing on the wire that was no message. */
export interface NoiseLine {
  readonly reason: string;
  /** The beginning of the line; control characters are kept as they came. */
  readonly head: string;
}

/**
 * What arrived that was no message: counted in full, kept in part. Some agents print banners and log
 * lines on the protocol stream; that must neither end the connection nor go unseen.
 */
export class Noise {
  readonly #limits: RpcLimits;
  readonly #kept: NoiseLine[] = [];
  #count = 0;
  #inARow = 0;

  constructor(limits: RpcLimits) {
    this.#limits = limits;
  }

  /** All lines so far. */
  get count(): number {
    return this.#count;
  }

  /** The last lines, oldest first, within the limits. */
  get kept(): readonly NoiseLine[] {
    return this.#kept;
  }

  /** Whether the other side sent nothing but noise for longer than is tolerable. */
  get isExcessive(): boolean {
    return this.#inARow > this.#limits.noiseLinesMax;
  }

  /** Whether this is the first line of a burst of noise. */
  add(reason: string, text: string): boolean {
    this.#count++;
    this.#inARow++;
    const head = copyText(text.slice(0, this.#limits.noiseLengthKept));
    this.#kept.push({ reason, head });
    if (this.#kept.length > this.#limits.noiseLinesKept) this.#kept.shift();
    return this.#inARow === 1;
  }

  /** The reason to give the connection up for. */
  error(): PeerError {
    const last = JSON.stringify(this.#kept.at(-1)?.head ?? '');
    const message = `${this.#inARow} lines in a row are no messages, the last one begins with ${last}`;
    return new PeerError('closed', message);
  }

  /** A real message arrived: the burst is over. */
  endBurst(): void {
    this.#inARow = 0;
  }
}
