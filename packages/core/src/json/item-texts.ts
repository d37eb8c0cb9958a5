import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './char-codes.ts';
import { stringEnd } from './scan-json.ts';

/**
 * The items of a JSON list, each as its exact text. Several times as fast as to scan what is in them.
 *
 * @param list the text of one valid JSON list.
 */
export function itemTexts(list: string): string[] {
  const end = list.lastIndexOf(']');
  const items: string[] = [];
  let start = list.indexOf('[') + 1;
  if (list.slice(start, end).trim() === '') return items;
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = list.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(list, at) - 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth++;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth--;
    } else if (code === COMMA && depth === 0) {
      items.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  items.push(list.slice(start, end).trim());
  return items;
}
