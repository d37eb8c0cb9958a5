import { toPrintableLine } from '@signalbox/core';
import type { Session } from '@signalbox/host';

/** When somebody who waits for an agent's start is told what it is about, and how often again, in ms. */
const FIRST_MS = 2000;
const AGAIN_MS = 10_000;

/**
 * Says that an agent is still starting, with its last line on stderr: the first start of one may download
 * for minutes (B26).
 *
 * @param notice prints a line.
 * @returns ends that.
 */
export function tellSlowStart(
  session: Pick<Session, 'startingWords'>,
  notice: (text: string) => void,
): () => void {
  const look = (): void => {
    const words = session.startingWords;
    if (words === undefined) return;
    const last = toPrintableLine(words.trimEnd().split('\n').at(-1) ?? '');
    notice(`The agent is starting …${last === '' ? '' : ` ${last}`}`);
    timer = setTimeout(look, AGAIN_MS).unref();
  };
  let timer = setTimeout(look, FIRST_MS).unref();
  return () => clearTimeout(timer);
}
