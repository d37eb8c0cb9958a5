import { notificationText } from './encode-message.ts';
import { parseMessage, type Message } from './message.ts';
import { RawJson } from './raw-json.ts';
import {
  learnPattern,
  readRepeated,
  writeRepeated,
  type Pattern,
} from './repeated-notification.ts';

/** A pattern is looked for each time that so many notifications have fitted none. */
const LEARN_EVERY = 8;

/** Finds the pattern in one direction of a connection, and a new one when the stream changes. */
class PatternFinder {
  pattern: Pattern | undefined;
  #previous = '';
  #misses = 0;

  /** Takes note of a notification that did not fit. */
  miss(text: string): void {
    this.#misses++;
    const phase = this.#misses % LEARN_EVERY;
    if (phase === LEARN_EVERY - 1) {
      this.#previous = text;
    } else if (phase === 0) {
      this.pattern = learnPattern(this.#previous, text) ?? this.pattern;
      this.#previous = '';
    }
  }
}

/**
 * Decodes frames like {@link parseMessage}. Most of what an agent sends are pieces of one text, which
 * differ in nothing else: of those only the piece is decoded, which takes a third of the time.
 */
export class MessageParser {
  readonly #finder = new PatternFinder();

  /** Never throws. */
  parse(text: string): Message {
    const { pattern } = this.#finder;
    const repeated = pattern === undefined ? undefined : readRepeated(pattern, text);
    if (repeated !== undefined) return repeated;
    const message = parseMessage(text);
    if (message.kind === 'notification') this.#finder.miss(text);
    return message;
  }
}

/** Encodes notifications like {@link notificationText}, and pieces of one text faster. */
export class NotificationEncoder {
  readonly #finder = new PatternFinder();

  /** @throws PeerError `not_serializable`. */
  encode(method: string, params: unknown): string {
    const { pattern } = this.#finder;
    const repeated = pattern?.method === method ? writeRepeated(pattern, params) : undefined;
    if (repeated !== undefined) return repeated;
    const text = notificationText(method, params);
    // Raw text may be spelled differently from what we would write, so it is no pattern for that.
    if (!(params instanceof RawJson)) this.#finder.miss(text);
    return text;
  }
}
