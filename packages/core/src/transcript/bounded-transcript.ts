import { boundTranscript, completeBounds, type TranscriptBounds } from './bound-transcript.ts';
import type { Transcript } from './transcript.ts';

/** How many times as much as the bounds say may be folded in before what is older is left out. */
const FOLDED_TIMES = 4;

/**
 * A transcript that stays within bounds while a log is folded into it. What is older is left out as
 * `boundTranscript` does it, but only now and then, because that takes time: there may be twice as many entries as
 * `entriesMax`, and four times `bytesMax` (or `textBytesMax`, if that is more) of events on top. So an event costs the
 * same, however long the log becomes.
 */
export class BoundedTranscript {
  readonly #bounds: Required<TranscriptBounds>;
  #current: Transcript;
  /** How many entries there may be. What is under way cannot be left out, so that may be more than the bounds. */
  #entriesMax: number;
  /** What has been folded in since something was left out last, in characters. */
  #length = 0;

  /** @throws CoreError `limit_invalid`, as `boundTranscript` does. */
  constructor(transcript: Transcript, bounds: TranscriptBounds = {}) {
    this.#bounds = completeBounds(bounds);
    this.#current = transcript;
    this.#entriesMax = transcript.entries.length + this.#bounds.entriesMax;
  }

  /** The transcript as it is now, to fold the next event into. Do not keep it. */
  get current(): Transcript {
    return this.#current;
  }

  /** An event was folded in. @param length of its text, in UTF-16 units. */
  grew(length: number): void {
    this.#length += length;
    const { bytesMax, textBytesMax } = this.#bounds;
    const isLong = this.#length > FOLDED_TIMES * Math.max(bytesMax, textBytesMax);
    if (isLong || this.#current.entries.length > this.#entriesMax) this.bound();
  }

  /** Leaves out at once what is beyond the bounds. */
  bound(): void {
    this.#current = boundTranscript(this.#current, this.#bounds);
    this.#entriesMax = this.#current.entries.length + this.#bounds.entriesMax;
    this.#length = 0;
  }
}
