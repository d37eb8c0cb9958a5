import type { Readable } from 'node:stream';
import { setImmediate as afterReads, setTimeout as delay } from 'node:timers/promises';

/** How long nothing may come out of a dead process's pipe before it counts as read to its end. */
const QUIET_MS = 250;

/**
 * Resolves when everything that an ended process wrote has been read. Its pipe normally ends with it;
 * a process that it started may hold the pipe open for ever, though, and must not delay the news of the
 * exit for ever.
 *
 * @param closed resolves when the reader has seen the end of the pipe.
 * @param isHeld whether reading is held back by us, so that silence says nothing.
 */
export async function whenAllRead(
  output: Readable,
  closed: Promise<unknown>,
  isHeld: () => boolean,
): Promise<void> {
  const stop = new AbortController();
  const ended = closed.then(() => true);
  let bytesBefore: number | undefined;
  for (;;) {
    if (await Promise.race([ended, quietTime(stop.signal)])) break;
    const bytes = bytesRead(output);
    if (bytes === bytesBefore && !isHeld()) break;
    bytesBefore = bytes;
  }
  stop.abort();
}

async function quietTime(signal: AbortSignal): Promise<false> {
  try {
    await delay(QUIET_MS, undefined, { signal });
    // Time may have passed without reading, when something else kept this process busy.
    await afterReads();
  } catch {
    // The other side of the race has won.
  }
  return false;
}

/** Pipes of children are sockets, which count. */
function bytesRead(output: Readable): number {
  return (output as Readable & { readonly bytesRead?: number }).bytesRead ?? 0;
}
