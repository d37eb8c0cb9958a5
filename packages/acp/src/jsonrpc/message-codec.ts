import { notificationText } from './encode-message.ts';
import { parseMessage, type Message } from './message.ts';
import { PatternFinder } from './pattern-finder.ts';
import { RawJson } from './raw-json.ts';
import { writeRepeated } from './repeated-notification.ts';
import { UsualSpelling } from './usual-spelling.ts';

/**
 * Decodes frames like {@link parseMessage}, and faster those that are like others before. Most of what an agent
 * sends are pieces of one text, which differ in nothing else: of those only the piece is decoded, which takes
 * a third of the time. What else it sends differs mostly in one member of the params, its update.
 */
export class MessageParser {
  readonly #strings = new PatternFinder('string');
  readonly #members = new PatternFinder('member');
  readonly #usual = new UsualSpelling();

  /** Never throws. */
  parse(text: string): Message {
    const known = this.#usual.read(text) ?? this.#strings.read(text);
    if (known !== undefined) return known;
    const similar = this.#members.read(text);
    const message = similar ?? parseMessage(text);
    if (message.kind === 'notification') {
      this.#strings.miss(text);
      if (similar === undefined) this.#members.miss(text);
    } else {
      this.#usual.learn(message);
    }
    return message;
  }
}

/** Encodes notifications like {@link notificationText}, and pieces of one text faster. */
export class NotificationEncoder {
  readonly #finder = new PatternFinder('string');

  /** @throws PeerError `not_serializable`. */
  encode(method: string, params: unknown): string {
    // Raw text may be spelled differently from what we would write, so it is no pattern for that.
    if (params instanceof RawJson) return notificationText(method, params);
    const { pattern } = this.#finder;
    const repeated = pattern?.method === method ? writeRepeated(pattern, params) : undefined;
    if (repeated !== undefined) return repeated;
    const text = notificationText(method, params);
    this.#finder.miss(text);
    return text;
  }
}
