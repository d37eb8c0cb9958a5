import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Which way bytes go: `up` to the server, `down` to the client. */
export type Direction = 'up' | 'down';

/** How a connection breaks. */
export type CutKind =
  /** At once and hard: RST on TCP. What is on its way is lost. */
  | 'reset'
  /** In the ordinary way: both sides read what came before it, and then the end. */
  | 'end'
  /** Nothing is passed on any more, and nobody is told for a while: a half-open connection (B148). */
  | 'silence';

/** How long a half-open connection stays so until something on the way resets it, in ms. */
export const SILENCE_MS = 2000;

/** Where to break a connection. */
export interface Cut {
  readonly direction: Direction;
  /** Behind how many bytes of that direction, counted from when the cut was set. */
  readonly after: number;
  readonly kind: CutKind;
}

/** What a {@link CutLine} asks for each piece. */
export interface LineOwner {
  /** How many of these bytes still go through, and how it breaks behind them; undefined: all of them. */
  judge(direction: Direction, length: number): { passed: number; kind: CutKind } | undefined;
  /** How long to hold a piece back, in ms; 0: not at all. */
  delayMs(direction: Direction): number;
}

/** One connection between a client and a server, which is passed on byte by byte until it is cut. */
export class CutLine {
  readonly #near: Duplex;
  readonly #far: Duplex;
  readonly #owner: LineOwner;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Nothing is passed on any more; what still arrives is read and dropped, as the network does it. */
  #isDeaf = false;
  #isCut = false;

  /** @param near to the client. @param far to the server. */
  constructor(near: Duplex, far: Duplex, owner: LineOwner) {
    this.#near = near;
    this.#far = far;
    this.#owner = owner;
    for (const end of [near, far]) {
      end.on('error', () => undefined);
      end.on('close', () => this.#onClosed(end));
    }
    this.#pass(near, far, 'up');
    this.#pass(far, near, 'down');
  }

  /** Breaks it now. */
  cut(kind: CutKind): void {
    this.#isDeaf = true;
    if (this.#isCut) return;
    this.#isCut = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const end of [this.#near, this.#far]) {
      end.resume();
      if (kind === 'end') end.end();
      else if (kind === 'reset') destroyHard(end);
    }
    if (kind === 'silence') void this.#later(SILENCE_MS).then(() => this.destroy());
  }

  /** Ends a connection that was left half-open too. */
  destroy(): void {
    this.cut('reset');
    for (const timer of this.#timers) clearTimeout(timer);
    for (const end of [this.#near, this.#far]) if (!end.destroyed) destroyHard(end);
  }

  #pass(from: Duplex, to: Duplex, direction: Direction): void {
    let held = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (this.#isDeaf) return;
      const cut = this.#owner.judge(direction, bytes.length);
      const part = cut === undefined ? bytes : bytes.subarray(0, cut.passed);
      const delayMs = this.#owner.delayMs(direction);
      if (delayMs === 0) {
        this.#write(from, to, part, cut?.kind);
        return;
      }
      from.pause();
      held = this.#later(delayMs).then(() => {
        from.resume();
        this.#write(from, to, part, cut?.kind);
      });
    });
    from.on('end', () => void held.then(() => (this.#isDeaf ? undefined : to.end())));
  }

  #write(from: Duplex, to: Duplex, part: Buffer, kind: CutKind | undefined): void {
    if (this.#isDeaf || to.destroyed) return;
    if (kind !== undefined) {
      this.#isDeaf = true;
      // The other side gets every byte in front of the cut.
      if (part.length === 0) this.cut(kind);
      else to.write(part, () => this.cut(kind));
    } else if (!to.write(part)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  }

  #later(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }

  #onClosed(end: Duplex): void {
    // Of a connection that was cut, each side hears by itself, or never does.
    if (this.#isDeaf) return;
    const other = end === this.#near ? this.#far : this.#near;
    other.destroy();
  }
}

function destroyHard(end: Duplex): void {
  if (end instanceof Socket) end.resetAndDestroy();
  else end.destroy();
}
