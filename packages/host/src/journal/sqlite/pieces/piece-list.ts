/** Of which pieces a text consists. */
export interface PieceList {
  /** CRC-32 of the text in UTF-8: tells whether the pieces still give what was stored. */
  readonly checksum: number;
  /** Numbers of the pieces, in their order in the text; each below 2^52. */
  readonly pieces: readonly number[];
}

const CHECKSUM_BYTES = 4;

/**
 * A list as bytes: the checksum, then of each number the distance from the one before it, seven bits a
 * byte. Pieces that are next to each other in a text mostly have numbers near to each other, so one
 * takes a byte; 1,000 versions of a text have 1,000 lists.
 */
export function encodePieceList({ checksum, pieces }: PieceList): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (const piece of pieces) {
    let rest = toUnsigned(piece - previous);
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
    previous = piece;
  }
  const list = Buffer.alloc(CHECKSUM_BYTES + bytes.length);
  list.writeUInt32BE(checksum);
  list.set(bytes, CHECKSUM_BYTES);
  return list;
}

/** @returns undefined for bytes that are no list, which only damage brings about. */
export function decodePieceList(list: Uint8Array): PieceList | undefined {
  if (list.length < CHECKSUM_BYTES) return undefined;
  const pieces: number[] = [];
  let previous = 0;
  let distance = 0;
  let scale = 1;
  for (const byte of list.subarray(CHECKSUM_BYTES)) {
    distance += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    previous += toSigned(distance);
    if (!Number.isSafeInteger(previous)) return undefined;
    pieces.push(previous);
    distance = 0;
    scale = 1;
  }
  if (scale !== 1) return undefined;
  return { checksum: new DataView(list.buffer, list.byteOffset).getUint32(0), pieces };
}

/** Puts negative numbers between the positive ones, so that small ones of both kinds stay small. */
function toUnsigned(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function toSigned(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
