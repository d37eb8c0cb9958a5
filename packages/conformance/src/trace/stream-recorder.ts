import { formatEntry } from './format-entry.ts';
import { LineCutter, type CutLine } from './line-cutter.ts';
import { decode } from './recorder.ts';
import type { Direction } from './trace-entry.ts';

/**
 * Bytes of one line that are held back while its end has not come. A longer line is recorded in pieces
 * that are marked as cut, because a stream without line feeds would otherwise fill the memory.
 */
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** How a connection is recorded. */
export interface StreamRecorderOptions {
  /** Takes whole lines of a trace file, each with its line feed. Must not throw. */
  readonly write: (lines: string) => void;
  readonly lineBytesMax?: number;
  /** The clock, in ms. */
  readonly now?: () => number;
}

/**
 * Watches the bytes of a connection and writes every line out as soon as it is whole. It keeps nothing
 * but the line that is on its way, so a connection may last as long as it likes.
 */
export class StreamRecorder {
  readonly #write: (lines: string) => void;
  readonly #lineBytesMax: number;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #cutters: Readonly<Record<Direction, LineCutter>> = {
    c2a: new LineCutter(),
    a2c: new LineCutter(),
  };
  /** Bytes since the last line feed. */
  readonly #waiting: Record<Direction, number> = { c2a: 0, a2c: 0 };

  constructor({ write, lineBytesMax, now }: StreamRecorderOptions) {
    this.#write = write;
    this.#lineBytesMax = lineBytesMax ?? LINE_BYTES_MAX;
    this.#now = now ?? (() => performance.now());
    this.#startedAt = this.#now();
  }

  /** Takes in the next bytes of one direction. */
  push(dir: Direction, chunk: Uint8Array): void {
    const lines = this.#cutters[dir].push(chunk);
    const rest = chunk.length - 1 - chunk.lastIndexOf(LF);
    this.#waiting[dir] = rest + (lines.length === 0 ? this.#waiting[dir] : 0);
    this.#add(dir, lines);
    if (this.#waiting[dir] >= this.#lineBytesMax) this.end(dir);
  }

  /** One direction has ended, or what it left unfinished has to be written out: it becomes a cut line. */
  end(dir: Direction): void {
    const rest = this.#cutters[dir].end();
    this.#waiting[dir] = 0;
    if (rest !== undefined) this.#add(dir, [rest]);
  }

  #add(dir: Direction, lines: readonly CutLine[]): void {
    if (lines.length === 0) return;
    const t = Math.round(this.#now() - this.#startedAt);
    const texts = lines.map(({ bytes, isWhole }) => {
      const cut = isWhole ? {} : { isCut: true as const };
      return `${formatEntry({ dir, t, ...decode(bytes), ...cut })}\n`;
    });
    this.#write(texts.join(''));
  }
}

const LF = 10;
