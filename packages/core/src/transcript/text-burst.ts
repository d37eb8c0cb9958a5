import { RawJson } from '@signalbox/acp';
import { membersOf } from '../json/scan-json.ts';
import type { EventOf } from '../session/event.ts';
import type { TurnId } from '../session/ids.ts';
import { utf8Length } from '../text/utf8.ts';
import type { Burst } from './burst.ts';

/** A chunk that is text and nothing else. What is an agent's is kept as its exact JSON text. */
interface Piece {
  readonly kind: string;
  /** Undefined when there is no id. */
  readonly messageId: string | undefined;
  readonly turnId: TurnId | undefined;
  /** The text's JSON string without its quotes; two of these one behind the other are one again. */
  readonly inner: string;
  readonly bytes: number;
}

const USER_CHUNK = '"user_message_chunk"';
const CHUNKS: ReadonlySet<string> = new Set([
  '"agent_message_chunk"',
  '"agent_thought_chunk"',
  USER_CHUNK,
]);

/**
 * Begins to put pieces of one text together, at most `bytesMax` bytes of it. @returns undefined when the
 * event is no such piece.
 */
export function startTextBurst(event: EventOf<'update'>, bytesMax: number): Burst | undefined {
  const first = pieceOf(event);
  return first && new TextBurst(event, first, bytesMax);
}

class TextBurst implements Burst {
  readonly #event: EventOf<'update'>;
  readonly #first: Piece;
  readonly #bytesMax: number;
  #inner: string;
  #bytes: number;
  #count = 1;

  constructor(event: EventOf<'update'>, first: Piece, bytesMax: number) {
    this.#event = event;
    this.#first = first;
    this.#bytesMax = bytesMax;
    this.#inner = first.inner;
    this.#bytes = first.bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#bytesMax;
  }

  take(event: EventOf<'update'>): boolean {
    const next = pieceOf(event);
    if (next === undefined || !isSameText(this.#first, next)) return false;
    if (this.#bytes + next.bytes > this.#bytesMax) return false;
    this.#inner += next.inner;
    this.#bytes += next.bytes;
    this.#count++;
    return true;
  }

  toEvent(): EventOf<'update'> {
    if (this.#count === 1) return this.#event;
    const { kind, messageId } = this.#first;
    const id = messageId === undefined ? '' : `"messageId":${messageId},`;
    const content = `{"type":"text","text":"${this.#inner}"}`;
    const update = new RawJson(`{"sessionUpdate":${kind},${id}"content":${content}}`);
    return { ...this.#event, data: { ...this.#event.data, update } };
  }
}

function isSameText(a: Piece, b: Piece): boolean {
  return a.kind === b.kind && a.messageId === b.messageId && a.turnId === b.turnId;
}

function pieceOf({ turnId, data }: EventOf<'update'>): Piece | undefined {
  if (data.problem !== undefined || data.by !== undefined) return undefined;
  const {
    sessionUpdate: kind = '',
    messageId,
    content = '',
    ...others
  } = textsOf(data.update.text);
  if (!CHUNKS.has(kind) || Object.keys(others).length > 0) return undefined;
  if (kind === USER_CHUNK && turnId !== undefined) return undefined;
  const { type, text, ...ownMembers } = textsOf(content);
  if (type !== '"text"' || !isString(text) || Object.keys(ownMembers).length > 0) return undefined;
  const isNamed = messageId !== undefined && messageId !== 'null';
  if (isNamed && !isString(messageId)) return undefined;
  return {
    kind,
    messageId: isNamed ? messageId : undefined,
    turnId,
    inner: text.slice(1, -1),
    bytes: utf8Length(JSON.parse(text) as string),
  };
}

function textsOf(json: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(membersOf(json));
}

function isString(json: string | undefined): json is string {
  return json?.startsWith('"') === true;
}
