/**
 * The least length of a piece, in UTF-16 units. Only the last one of a text may be shorter.
 *
 * Pieces of ordinary text are about 770 long. Shorter ones leave less to be stored again of a text that has
 * grown, but make longer lists and cost more time: 1,000 versions of a text that grew to 1.5 MB took
 * 4.4 MB so, 6.8 MB with pieces of 1,300, and 5.0 MB with pieces of 500.
 */
export const PIECE_LENGTH_MIN = 256;

/**
 * The greatest length of a piece, in UTF-16 units; one more where that would halve a surrogate pair. Two such
 * pieces, if they are ASCII, fit on a page of the database.
 */
export const PIECE_LENGTH_MAX = 2000;

/** Behind the minimum one place in 2^9 is a cut. The top bits depend on all of the window. */
const CUT_SHIFT = 32 - 9;

/** How many characters have a part in the hash: the bits of those before them have been shifted out. */
const WINDOW = 32;

/** What stands for a character in the hash. */
const GEAR = Int32Array.from({ length: 256 }, (_, index) => mix(index + 1));

/**
 * Cuts a text where its content says so: a rolling ("gear") hash of the last 32 characters decides, not
 * the place in the text. So versions of a text consist of the same pieces, but for those that differ
 * and few behind them. A surrogate pair is never cut in two.
 *
 * @returns pieces that give the text when they are joined; none for an empty text.
 */
export function cutText(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = findCut(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function findCut(text: string, start: number): number {
  const first = start + PIECE_LENGTH_MIN;
  const last = Math.min(start + PIECE_LENGTH_MAX, text.length);
  if (first >= last) return text.length;
  let hash = 0;
  for (let at = first - WINDOW; at < first; at += 1) hash = roll(hash, text.charCodeAt(at));
  let at = first;
  while (at < last && hash >>> CUT_SHIFT !== 0) {
    hash = roll(hash, text.charCodeAt(at));
    at += 1;
  }
  return isWithinPair(text, at) ? at + 1 : at;
}

function roll(hash: number, charCode: number): number {
  return ((hash << 1) + (GEAR[charCode & 0xff] ?? 0)) | 0;
}

function isWithinPair(text: string, at: number): boolean {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/** Spreads a small number over 32 bits (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
