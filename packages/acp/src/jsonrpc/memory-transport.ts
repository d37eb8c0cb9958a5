import type { Frame, Transport } from './transport.ts';
import { PeerError } from './peer-error.ts';

/** Characters that may wait unread in one direction before a sender is asked to wait. */
const QUEUED_LENGTH_WAIT = 256 * 1024;

/** One direction: frames wait here until the other end reads them. */
class Lane {
  #frames: string[] = [];
  #length = 0;
  #ended = false;
  #wakeReader: (() => void) | undefined;
  #wakeSenders: (() => void)[] = [];

  push(frame: string): void | Promise<void> {
    if (this.#ended) throw new PeerError('closed', 'the memory transport is closed');
    this.#frames.push(frame);
    this.#length += frame.length;
    this.#wakeReader?.();
    if (this.#length < QUEUED_LENGTH_WAIT) return;
    return new Promise((resolve) => this.#wakeSenders.push(resolve));
  }

  end(): void {
    this.#ended = true;
    this.#wakeReader?.();
    this.#releaseSenders();
  }

  async *read(): AsyncIterable<readonly Frame[]> {
    for (;;) {
      if (this.#frames.length > 0) {
        const frames = this.#frames;
        this.#frames = [];
        this.#length = 0;
        this.#releaseSenders();
        yield frames;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
        this.#wakeReader = undefined;
      }
    }
  }

  #releaseSenders(): void {
    const senders = this.#wakeSenders;
    this.#wakeSenders = [];
    for (const wake of senders) wake();
  }
}

/**
 * Two transports that are connected to each other within one process, for tests and for agents that
 * run in the same process. Frames are handed over as text, so everything behaves as on a real wire.
 */
export function createMemoryTransports(): readonly [Transport, Transport] {
  const forth = new Lane();
  const back = new Lane();
  const end = (): Promise<void> => {
    forth.end();
    back.end();
    return Promise.resolve();
  };
  return [
    { send: (frame) => forth.push(frame), receive: () => back.read(), close: end },
    { send: (frame) => back.push(frame), receive: () => forth.read(), close: end },
  ];
}
