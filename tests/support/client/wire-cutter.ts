import type { Frame, Transport } from '@signalbox/acp';

/**
 * Cuts connections at given frames, counted over all connections and both directions: the frame is lost,
 * and so is everything behind it.
 */
export class WireCutter {
  /** The frames at which to cut. */
  at: readonly number[] = [];
  /** Frames so far. */
  count = 0;

  /** A transport of the server that is cut. */
  wrap(transport: Transport): Transport {
    return {
      send: (frame) => {
        if (this.#isCut()) return void transport.close();
        return transport.send(frame);
      },
      receive: () => this.#receive(transport),
      close: () => transport.close(),
    };
  }

  async *#receive(transport: Transport): AsyncIterable<readonly Frame[]> {
    for await (const frames of transport.receive()) {
      for (const frame of frames) {
        if (this.#isCut()) {
          await transport.close();
          return;
        }
        yield [frame];
      }
    }
  }

  #isCut(): boolean {
    const isCut = this.at.includes(this.count);
    this.count++;
    return isCut;
  }
}
