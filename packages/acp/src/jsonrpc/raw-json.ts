import { memberText } from './member-text.ts';
import { MemberWriter } from './member-writer.ts';
import { NameMemo } from './name-memo.ts';

/**
 * JSON text that is passed on exactly as it was received. Numbers keep their digits, objects their
 * key order and duplicate keys, so a host forwards somebody else's content without changing it.
 *
 * The text is trusted to be one valid JSON value; take it from a message that was parsed, or make it
 * with {@link rawObject}.
 */
export class RawJson {
  readonly text: string;
  #value: unknown;
  readonly #isOneLine: boolean;

  /**
   * @param value the decoded value, if the caller has it already.
   * @param isOneLine whether the text is known to have no line ends. Otherwise it is searched for them before
   *   it is sent. Of a composed text V8 makes one string for that, which costs more than composing it did.
   */
  constructor(text: string, value?: unknown, isOneLine = false) {
    this.text = text;
    this.#value = value;
    this.#isOneLine = isOneLine;
  }

  /** The decoded value. It is decoded once and shared, so treat it as read-only. */
  get value(): unknown {
    this.#value ??= JSON.parse(this.text) as unknown;
    return this.#value;
  }

  /** The text on one line, as a frame needs it; no more than spaces are changed. */
  get lineText(): string {
    return this.#isOneLine ? this.text : withoutLineEnds(this.text);
  }

  /** Refuses to be nested silently in an ordinary object, where its text would be quoted. */
  toJSON(): never {
    throw new TypeError(
      'RawJson cannot be a part of an ordinary object; compose it with rawObject',
    );
  }
}

/** The JSON text of `value`; a {@link RawJson} gives its own text, on one line. */
export function encodeJson(value: unknown): string {
  if (value instanceof RawJson) return value.lineText;
  // The declared type forgets that there is no text for undefined and functions.
  const text: string | undefined = JSON.stringify(value);
  return text ?? 'null';
}

const firstMembers = new NameMemo((key) => new MemberWriter('{', key));
const furtherMembers = new NameMemo((key) => new MemberWriter(',', key));

/** Composes an object whose members may be {@link RawJson}. Members that are undefined are left out. */
export function rawObject(members: Readonly<Record<string, unknown>>): RawJson {
  let text = '';
  for (const key of Object.keys(members)) {
    const value = members[key];
    if (value === undefined) continue;
    const writer = (text === '' ? firstMembers : furtherMembers).of(key);
    text += typeof value === 'string' ? writer.withString(value) : writer.start + encodeJson(value);
  }
  return new RawJson(text === '' ? '{}' : `${text}}`, undefined, true);
}

/** Between the tokens of JSON a line end means as much as a space; elsewhere there can be none. */
function withoutLineEnds(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, ' ') : text;
}

/**
 * The same object with some members changed or added; all others keep their exact text. A member that is
 * changed to undefined is left out.
 *
 * @param object the text of one JSON object.
 */
export function withMembers(object: RawJson, changes: Readonly<Record<string, unknown>>): RawJson {
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(object.value as object)) {
    const text = Object.hasOwn(changes, key) ? undefined : memberText(object.text, key);
    members[key] = text === undefined ? changes[key] : new RawJson(text);
  }
  return rawObject({ ...members, ...changes });
}
