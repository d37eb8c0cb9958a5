import { isNestedDeeper } from '../jsonrpc/nesting.ts';
import { copyText } from '../jsonrpc/copy-text.ts';
import type { Frame } from '../jsonrpc/transport.ts';

/**
 * Levels of nesting of a client's message, if nothing else is said. Messages of the protocol have about ten, what
 * they carry has some more, and many implementations read no more than 128.
 */
export const LEVELS_MAX = 256;

/** How much is kept of a message that is not let in: enough for its method and its id. */
const HEAD_LENGTH = 4096;

/** What a server lets in of a client's message: the text itself, unless it has more than `levelsMax` levels. */
export function screenFrame(text: string, levelsMax: number): Frame {
  if (!isNestedDeeper(text, levelsMax)) return text;
  return { kind: 'nested', head: copyText(text.slice(0, HEAD_LENGTH)), levelsMax };
}
