import { setTimeout as sleep } from 'node:timers/promises';

/** A reader that is not given time takes several writes for one. */
const PAUSE_MS = 4;

/**
 * Writes a line so that it arrives in pieces: a few of them for what is ASCII, and one byte at a time for
 * all that is not, so that every character is cut in its middle.
 */
export async function writeSliced(
  write: (bytes: Uint8Array) => Promise<void>,
  line: string,
): Promise<void> {
  const bytes = Buffer.from(line);
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const isAscii = (bytes[at] ?? 0) < 128;
    if (at < bytes.length && isAscii && at - start < PIECE_BYTES) continue;
    if (at > start) {
      await write(bytes.subarray(start, at));
      await sleep(PAUSE_MS);
      start = at;
    }
    if (isAscii || at === bytes.length) continue;
    await write(bytes.subarray(at, at + 1));
    await sleep(PAUSE_MS);
    start = at + 1;
  }
}

const PIECE_BYTES = 16;
