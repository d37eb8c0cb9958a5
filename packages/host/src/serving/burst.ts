import { setTimeout as delay } from 'node:timers/promises';

/** How long adjacent text is gathered at most for clients that want bursts merged, in ms. */
const GATHER_MS = 50;

/** Waits until more of a burst may have come; at once when nothing more is to be sent. Never rejects. */
export function gatherBurst(signal: AbortSignal): Promise<void> {
  return delay(GATHER_MS, undefined, { signal }).catch(() => undefined);
}
