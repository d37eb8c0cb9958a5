import type { Frame, Transport } from '@signalbox/acp';

/**
 * The same transport, and the news that the other side has ended: at once, before the connection has
 * let answers under way go out.
 *
 * @param onEnd called once, also when the transport failed or was closed by us.
 */
export function watchEnd(transport: Transport, onEnd: () => void): Transport {
  return {
    send: (frame, place) => transport.send(frame, place),
    receive: () => watched(transport.receive(), onEnd),
    close: () => transport.close(),
  };
}

async function* watched(
  frames: AsyncIterable<readonly Frame[]>,
  onEnd: () => void,
): AsyncIterable<readonly Frame[]> {
  try {
    yield* frames;
  } finally {
    onEnd();
  }
}
