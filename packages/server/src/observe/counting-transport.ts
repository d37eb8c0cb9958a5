import type { Frame, Transport } from '@signalbox/acp';

/** A transport that tells of each frame which direction it took. */
export function countFrames(
  transport: Transport,
  count: (direction: 'in' | 'out', frames: number) => void,
): Transport {
  return {
    send(frame, place) {
      const room = transport.send(frame, place);
      count('out', 1);
      return room;
    },
    receive: () => countReceived(transport.receive(), (frames) => count('in', frames)),
    close: () => transport.close(),
  };
}

async function* countReceived(
  received: AsyncIterable<readonly Frame[]>,
  count: (frames: number) => void,
): AsyncGenerator<readonly Frame[]> {
  for await (const frames of received) {
    count(frames.length);
    yield frames;
  }
}
