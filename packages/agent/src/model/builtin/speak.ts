import { setImmediate } from 'node:timers/promises';

const PIECE_LENGTH = 48;
const PIECES_PER_TURN = 64;

/** What to say: a text in pieces, or the same text as a piece of its own several times. */
export interface Speech {
  readonly text: string;
  readonly repeat?: number;
}

/**
 * The pieces of what is said, as a model would stream them. Now and then it lets the rest of the
 * process run, so that a long speech can be cancelled.
 */
export async function* speak({ text, repeat }: Speech): AsyncGenerator<string, void> {
  let count = 0;
  for (const piece of repeat === undefined ? pieces(text) : repeated(text, repeat)) {
    if (piece !== '') yield piece;
    count += 1;
    if (count % PIECES_PER_TURN === 0) await setImmediate();
  }
}

function* repeated(text: string, count: number): Generator<string, void> {
  for (let index = 0; index < count; index += 1) yield text;
}

/** Cuts behind spaces where possible, and never through a character. */
function* pieces(text: string): Generator<string, void> {
  let piece = '';
  for (const word of text.split(/(?<=\s)/u)) {
    if (piece !== '' && piece.length + word.length > PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
    piece += word;
  }
  if (piece !== '') yield piece;
}
