import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './char-codes.ts';
import { stringEnd } from './member-text.ts';

/**
 * Whether a JSON text has more than `levels` objects and lists within each other. Such a text takes much time and
 * memory to decode, so this is asked before; it costs a fraction of that and never recurses. Of a text that is no JSON
 * the answer may be either, but it always comes.
 *
 * @param levels how many there may be, from 1 on.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  // Nearly all messages are too short for that.
  if (text.length <= levels) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      if (++depth > levels) return true;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
  }
  return false;
}
