import type { Duplex } from 'node:stream';
import { CutLine, type Cut, type CutKind, type Direction, type LineOwner } from './cut-line.ts';

/** Holds the lines between clients and a server, and breaks them where the test wants it. */
export class Cutter implements LineOwner {
  readonly #lines = new Set<CutLine>();
  #armed: { readonly direction: Direction; readonly kind: CutKind; left: number } | undefined;
  /** How long to hold back each piece, in ms. */
  delay: Partial<Record<Direction, number>> = {};
  /** Cuts that were made so far by {@link arm} and {@link cut}. */
  cutCount = 0;
  /** Bytes that went through so far. */
  readonly bytes: Record<Direction, number> = { up: 0, down: 0 };

  /** Passes bytes between the two from now on. */
  join(near: Duplex, far: Duplex): void {
    const line = new CutLine(near, far, this);
    this.#lines.add(line);
    near.once('close', () => this.#lines.delete(line));
  }

  /** Breaks the line that carries the byte behind `after` more ones; replaces the cut set before. */
  arm({ direction, after, kind }: Cut): void {
    this.#armed = { direction, kind, left: after };
  }

  /** Takes back what {@link arm} set, if it has not happened. */
  disarm(): void {
    this.#armed = undefined;
  }

  /** Breaks every line that there is. */
  cut(kind: CutKind): void {
    if (this.#lines.size > 0) this.cutCount++;
    this.#breakAll(kind);
  }

  /** Ends every line, also those that are half-open. */
  destroy(): void {
    for (const line of this.#lines) line.destroy();
  }

  judge(direction: Direction, length: number): { passed: number; kind: CutKind } | undefined {
    const armed = this.#armed;
    const isHere = armed?.direction === direction && armed.left <= length;
    this.bytes[direction] += isHere ? armed.left : length;
    if (armed?.direction !== direction) return undefined;
    if (!isHere) {
      armed.left -= length;
      return undefined;
    }
    this.#armed = undefined;
    this.cutCount++;
    // A network that is gone takes all connections along.
    if (armed.kind === 'silence') queueMicrotask(() => this.#breakAll('silence'));
    return { passed: armed.left, kind: armed.kind };
  }

  delayMs(direction: Direction): number {
    return this.delay[direction] ?? 0;
  }

  #breakAll(kind: CutKind): void {
    for (const line of this.#lines) line.cut(kind);
  }
}
