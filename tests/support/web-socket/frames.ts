import type { Frame, Transport } from '@signalbox/acp';

/** What a client's connection has to begin with. */
export const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';

/** Takes frames until there are so many. */
export async function takeFrames(transport: Transport, count = Infinity): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const batch of transport.receive()) {
    frames.push(...batch);
    if (frames.length >= count) break;
  }
  return frames;
}

/** The same transport, whose first frame has been taken away. */
export function withoutFirstFrame(transport: Transport): Transport {
  return { ...transport, receive: () => receiveBehindFirst(transport) };
}

async function* receiveBehindFirst(transport: Transport): AsyncIterable<readonly Frame[]> {
  let isFirst = true;
  for await (const frames of transport.receive()) {
    const rest = isFirst ? frames.slice(1) : frames;
    isFirst = false;
    if (rest.length > 0) yield rest;
  }
}

/** What receiving fails with, with the frames that came before that dropped. */
export async function failureOf(transport: Transport): Promise<unknown> {
  try {
    await takeFrames(transport);
    return undefined;
  } catch (error) {
    return error;
  }
}
