import type { Frame, Transport } from '@signalbox/acp';
import type { FrameCounts } from './frame-counter.ts';

/** A transport that counts its frames. */
export function countFrames(transport: Transport, counts: FrameCounts): Transport {
  return {
    send(frame, place) {
      const room = transport.send(frame, place);
      counts.out++;
      return room;
    },
    receive: () => countReceived(transport.receive(), counts),
    close: () => transport.close(),
  };
}

async function* countReceived(
  received: AsyncIterable<readonly Frame[]>,
  counts: FrameCounts,
): AsyncGenerator<readonly Frame[]> {
  for await (const frames of received) {
    counts.in += frames.length;
    yield frames;
  }
}
