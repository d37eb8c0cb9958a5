/** A frame on its way to one stream. */
export interface OutgoingFrame {
  readonly text: string;
  /** Of a placed frame its own cursor; of another one that of the placed frame which it comes behind. */
  readonly cursor: string;
  /** The number of an unplaced frame, ascending within the connection; 0 for a placed one. */
  readonly number: number;
}

/** The place of a frame that stands in front of every placed one. */
export const IN_FRONT = '';

/**
 * Whether a frame that comes behind `place` may follow one with `cursor`. The cursors of one stream sort
 * as text in the order of its frames; that they are equal cannot be waited for, because frames that are
 * sent again from a log may be cut differently.
 */
export function isReached(place: string, cursor: string): boolean {
  return place <= cursor;
}
