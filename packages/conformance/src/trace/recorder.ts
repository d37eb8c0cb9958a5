import { LineCutter, type CutLine } from './line-cutter.ts';
import type { Direction, Trace, TraceEntry } from './trace-entry.ts';

/** Watches the bytes of a connection and keeps every line of both directions. */
export class Recorder {
  readonly #entries: TraceEntry[] = [];
  readonly #cutters: Readonly<Record<Direction, LineCutter>> = {
    c2a: new LineCutter(),
    a2c: new LineCutter(),
  };
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #onEntry: ((entry: TraceEntry) => void) | undefined;

  /**
   * @param onEntry told of each line as soon as it is whole; must not throw.
   * @param now the clock, in ms.
   */
  constructor(onEntry?: (entry: TraceEntry) => void, now: () => number = () => performance.now()) {
    this.#onEntry = onEntry;
    this.#now = now;
    this.#startedAt = now();
  }

  /** What was recorded so far. */
  get trace(): Trace {
    return this.#entries;
  }

  /** Takes in the next bytes of one direction. */
  push(dir: Direction, chunk: Uint8Array): void {
    for (const line of this.#cutters[dir].push(chunk)) this.#add(dir, line);
  }

  /** Takes in a whole message of a transport that frames messages itself, line feeds within it and all. */
  message(dir: Direction, bytes: Uint8Array): void {
    this.#add(dir, { bytes, isWhole: true });
  }

  /** One direction has ended; what it left unfinished is kept as a cut line. */
  end(dir: Direction): void {
    const rest = this.#cutters[dir].end();
    if (rest !== undefined) this.#add(dir, rest);
  }

  #add(dir: Direction, { bytes, isWhole }: CutLine): void {
    const t = Math.round(this.#now() - this.#startedAt);
    const entry: TraceEntry = {
      dir,
      t,
      ...decode(bytes),
      ...(isWhole ? {} : { isCut: true as const }),
    };
    this.#entries.push(entry);
    this.#onEntry?.(entry);
  }
}

/** The text of a line; the bytes too where they are not UTF-8. */
export function decode(bytes: Uint8Array): { text: string; bytes?: Uint8Array } {
  try {
    // A byte order mark is part of what was sent, and an error of the sender.
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), bytes };
  }
}
