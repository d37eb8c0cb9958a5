import { scanJson, type JsonPath } from '../json/scan-json.ts';
import { toPointer } from '../json/pointer.ts';
import { checkLimit } from '../shape/check-limit.ts';
import { utf8Length } from '../text/utf8.ts';

/** Stands in an event for a string that was too long to go along, and says where it is. */
export interface ContentRef {
  /** The event that holds the string; absent where whoever wrote the reference did not say. */
  readonly seq?: number;
  /** JSON pointer to the string in the event's text. */
  readonly pointer: string;
  /** Its length in UTF-8. */
  readonly bytes: number;
  /** As whoever wrote the reference calculated it: `sha256:…`. */
  readonly digest: string;
}

/** The member that marks a reference. It is the only one of its object. */
export const REF_MEMBER = '$signalbox/ref';

/** The least that may be asked for, in UTF-8 bytes: a reference to less is longer than what it stands for. */
export const INLINE_BYTES_MIN = 256;

/**
 * Keys that may lead to a string which goes by reference; deeper ones stay. Looking at them all for each of many
 * strings takes long.
 */
export const REF_DEPTH_MAX = 256;

/** How {@link withReferences} works. */
export interface ReferenceOptions {
  /** Longer strings go by reference, in UTF-8 bytes; at least {@link INLINE_BYTES_MIN}. */
  readonly inlineBytesMax: number;
  /** The event's place in the log, for the references. */
  readonly seq?: number;
  /** Where the text stands in the event, if it is only a part of it. */
  readonly at?: JsonPath;
  /** The digest of a string, with the name of its algorithm in front. */
  readonly digest: (text: string) => string;
}

/** An event's text with references in it. */
export interface ReferencedText {
  readonly text: string;
  /** In the order in which they stand in the text. */
  readonly refs: readonly ContentRef[];
}

/**
 * Puts references in place of an event's long strings. All else keeps its exact text.
 *
 * Only what holds content goes by reference: strings under members with the names of
 * {@link CONTENT_MEMBERS}. Ids, kinds, titles and paths stay, however long, because they are needed to
 * make sense of an event.
 *
 * @param eventJsonText the text of one event, as `encodeEvent` writes it, or of a value in it. A reference names a place in
 *   this very text, so an event that was merged from others has to be within the limit already.
 * @throws CoreError `limit_invalid`.
 */
export function withReferences(eventJsonText: string, options: ReferenceOptions): ReferencedText {
  const { inlineBytesMax, seq, at = [], digest } = options;
  checkLimit('inlineBytesMax', inlineBytesMax, INLINE_BYTES_MIN);
  const refs: ContentRef[] = [];
  let text = '';
  let done = 0;
  scanJson(eventJsonText, (start, end, ownPath) => {
    // One UTF-16 unit, which takes one character of the text or more, is at most three bytes.
    const bytesAtMost = (end - start) * 3;
    if (eventJsonText[start] !== '"' || bytesAtMost <= inlineBytesMax) return;
    if (isTooLong(ownPath, bytesAtMost)) return;
    const path = [...at, ...ownPath];
    if (!isContent(path)) return;
    const value = JSON.parse(eventJsonText.slice(start, end)) as string;
    const bytes = utf8Length(value);
    const pointer = toPointer(path);
    if (bytes <= inlineBytesMax || pointer.length >= bytes) return;
    const ref = { ...(seq === undefined ? {} : { seq }), pointer, bytes, digest: digest(value) };
    refs.push(ref);
    text += `${eventJsonText.slice(done, start)}${JSON.stringify({ [REF_MEMBER]: ref })}`;
    done = end;
  });
  return { text: text + eventJsonText.slice(done), refs };
}

/** The reference that a value is; undefined when it is anything else. */
export function refOf(value: unknown): ContentRef | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, REF_MEMBER)) {
    return undefined;
  }
  const ref = (value as Record<string, unknown>)[REF_MEMBER];
  return isContentRef(ref) ? ref : undefined;
}

/** Members of events whose strings, at any depth, are content. */
export const CONTENT_MEMBERS: ReadonlySet<string> = new Set([
  'rawInput',
  'rawOutput',
  'output',
  'text',
  'data',
  'blob',
  'oldText',
  'newText',
]);

/** Whether a pointer would be as long as what it stands for, without making it. */
function isTooLong(path: JsonPath, lengthMax: number): boolean {
  if (path.length > REF_DEPTH_MAX) return true;
  let length = 0;
  for (const key of path) length += 1 + (typeof key === 'string' ? key.length : 1);
  return length >= lengthMax;
}

/** The first key is the event's own envelope, which is called `data` too. */
function isContent(path: JsonPath): boolean {
  let isWithin = false;
  for (let depth = 1; depth < path.length; depth++) {
    const key = path[depth];
    if (key === REF_MEMBER) return false;
    if (typeof key === 'string' && CONTENT_MEMBERS.has(key)) isWithin = true;
  }
  return isWithin;
}

function isContentRef(value: unknown): value is ContentRef {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, pointer, bytes, digest } = value as Record<string, unknown>;
  return (
    (seq === undefined || Number.isSafeInteger(seq)) &&
    typeof pointer === 'string' &&
    Number.isSafeInteger(bytes) &&
    typeof digest === 'string'
  );
}
