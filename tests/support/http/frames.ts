import type { Frame, Transport } from '@signalbox/acp';

/** What a client's connection has to begin with, and what it is answered with. */
export const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';
export const INITIALIZED = '{"jsonrpc":"2.0","id":0,"result":{}}';

const BEFORE = '{"jsonrpc":"2.0","method":"_frame","params":[';
const BEHIND = ']}';

/**
 * The transport as one that carries any frame: over HTTP a frame has to be a message, so each is put into
 * a notification. The first frame that arrives belongs to the handshake and is left out.
 */
export function carryingAnything(transport: Transport): Transport {
  return {
    send: (frame) => transport.send(`${BEFORE}${frame}${BEHIND}`),
    receive: () => receiveCarried(transport),
    close: () => transport.close(),
  };
}

async function* receiveCarried(transport: Transport): AsyncIterable<readonly Frame[]> {
  let isFirst = true;
  for await (const frames of transport.receive()) {
    const carried = (isFirst ? frames.slice(1) : frames).map(uncover);
    isFirst = false;
    if (carried.length > 0) yield carried;
  }
}

function uncover(frame: Frame): Frame {
  if (typeof frame !== 'string') return frame;
  if (!frame.startsWith(BEFORE)) throw new Error(`an unexpected frame: ${frame.slice(0, 200)}`);
  return frame.slice(BEFORE.length, -BEHIND.length);
}

/** Takes frames until there are so many. */
export async function takeFrames(transport: Transport, count = Infinity): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const batch of transport.receive()) {
    frames.push(...batch);
    if (frames.length >= count) break;
  }
  return frames;
}
