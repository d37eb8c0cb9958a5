import type { Frame, Transport } from '@signalbox/acp';

/**
 * The same transport, and the news that the other side has ended: at once, before the connection has
 * let answers under way go out.
 *
 * @param onEnd called once, also when the transport was closed by us. `hasFailed`: nothing that is sent
 *   reaches the other side any more.
 */
export function watchEnd(transport: Transport, onEnd: (hasFailed: boolean) => void): Transport {
  return {
    send: (frame, place) => transport.send(frame, place),
    receive: () => watched(transport.receive(), onEnd),
    close: () => transport.close(),
  };
}

async function* watched(
  frames: AsyncIterable<readonly Frame[]>,
  onEnd: (hasFailed: boolean) => void,
): AsyncIterable<readonly Frame[]> {
  let hasFailed = false;
  try {
    yield* frames;
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    onEnd(hasFailed);
  }
}
