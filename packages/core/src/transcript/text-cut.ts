/** How much of the beginning of a text was left out of a transcript, see `boundTranscript`. */
export interface TextCut {
  /** UTF-8 bytes: of text as it is, of everything else as JSON. */
  readonly bytes: number;
  /** Blocks of a message, or items of a tool call's content, of which nothing is there; 0 elsewhere. */
  readonly items: number;
}

/**
 * What of an entry was left out, by the member that it is missing from. Of lists of blocks the oldest part is
 * missing: whole blocks, then the beginning of the first block that is there. A `description` has its end. JSON
 * is there as a whole or not at all: without its `rawInput` or `rawOutput` the entry has none, and `raw` is `null`.
 * The events `firstSeq` to `lastSeq` of the log hold it all; of a dropped prompt, the event that queued it does.
 */
export interface EntryCut {
  readonly blocks?: TextCut;
  readonly summary?: TextCut;
  readonly content?: TextCut;
  /** Of a tool call, or of the action of a permission request. */
  readonly rawInput?: TextCut;
  readonly rawOutput?: TextCut;
  readonly raw?: TextCut;
  readonly description?: TextCut;
}

/** What was left out in all. */
export function addCuts(known: TextCut | undefined, more: TextCut): TextCut {
  if (known === undefined) return more;
  return { bytes: known.bytes + more.bytes, items: known.items + more.items };
}

/** What is still left out when some members of an entry are there anew. @returns the member `cut`, if any. */
export function cutWithout(
  cut: EntryCut | undefined,
  renewed: readonly (keyof EntryCut)[],
): { readonly cut?: EntryCut } {
  if (cut === undefined) return {};
  const left = Object.entries(cut).filter(([key]) => !renewed.includes(key as keyof EntryCut));
  return left.length === 0 ? {} : { cut: Object.fromEntries(left) };
}
