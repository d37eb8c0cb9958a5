import { CLOSING_BRACE } from './char-codes.ts';
import type { IdText, Message, RequestMessage, ResponseMessage } from './message.ts';

/** How nearly all peers begin requests and responses. */
const START = '{"jsonrpc":"2.0","id":';
/** Where a notification that begins in the same way differs for certain. */
const FIRST_OF_ID = START.indexOf('i');
const RESULT = ',"result":';
/** A value without members, and the end of the message. */
const NOTHING = '{}}';
/** A number of more digits may not be exactly the one that is written. */
const ID_DIGITS_MAX = 15;

/**
 * Decodes the requests and responses of one peer that are spelled in the usual way. Of those the whole frame
 * is known but for one JSON value, the params or the result, so only that is decoded; the members around it
 * would cost about as much.
 */
export class UsualSpelling {
  #method = '';
  /** What stands between the id and the params of a request like the last one. */
  #middle = '';
  /** Whether the peer writes members behind the params or the result; each try would cost an exception. */
  #isUnusual = false;

  /** The message in a frame; undefined when it may be spelled otherwise. Never throws. */
  read(text: string): RequestMessage | ResponseMessage | undefined {
    if (text.charCodeAt(FIRST_OF_ID) !== START.charCodeAt(FIRST_OF_ID)) return undefined;
    if (this.#isUnusual || text.slice(0, START.length) !== START) return undefined;
    const idEnd = numberEnd(text, START.length);
    if (idEnd < 0 || text.charCodeAt(text.length - 1) !== CLOSING_BRACE) return undefined;
    const idText = text.slice(START.length, idEnd) as IdText;
    try {
      if (text.slice(idEnd, idEnd + RESULT.length) === RESULT) {
        const result = parseValue(text, idEnd + RESULT.length);
        const id = toNumber(text, idEnd);
        return { kind: 'response', id, result, error: undefined, isError: false, text };
      }
      return this.#readRequest(text, idText, idEnd);
    } catch {
      this.#isUnusual = true;
      return undefined;
    }
  }

  /** Takes note of a message that was decoded as a whole; the next request may be like it. */
  learn(message: Message): void {
    if (message.kind !== 'request' || message.method === this.#method) return;
    this.#method = message.method;
    this.#middle = `,"method":${JSON.stringify(message.method)},"params":`;
  }

  #readRequest(text: string, idText: IdText, idEnd: number): RequestMessage | undefined {
    const middleEnd = idEnd + this.#middle.length;
    if (this.#middle === '' || text.slice(idEnd, middleEnd) !== this.#middle) return undefined;
    const params = parseValue(text, middleEnd);
    if (typeof params !== 'object') return undefined;
    return { kind: 'request', idText, method: this.#method, params, text };
  }
}

/** Decodes the value between `start` and the last brace. @throws SyntaxError when that is more than a value. */
function parseValue(text: string, start: number): unknown {
  // Most results hold nothing.
  if (text.length === start + NOTHING.length && text.endsWith(NOTHING)) return {};
  return JSON.parse(text.slice(start, text.length - 1));
}

/** The index behind the whole number that begins at `start`; -1 if there is none that JSON allows. */
function numberEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  const length = at - start;
  const isPadded = length > 1 && text.charCodeAt(start) === ZERO;
  return length === 0 || length > ID_DIGITS_MAX || isPadded ? -1 : at;
}

/** The number between the usual start and `end`. */
function toNumber(text: string, end: number): number {
  let number = 0;
  for (let at = START.length; at < end; at++) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

const ZERO = 48;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57;
}
