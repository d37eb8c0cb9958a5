import type { RawJson } from '@signalbox/acp';
import { foldTranscript, toTranscript, type StoredEvent, type Transcript } from '@signalbox/core';
import { kindOf } from './update-gate.ts';

/**
 * Agents may repeat the prompt of a turn as a message of the user. Whoever sent it knows it, and everybody
 * else has been told when the turn began, so the repetition is held back and sent only if it turns out to
 * be something else (B86). The transcript decides, so that live and replay agree (B87).
 */
export class EchoFilter {
  #turn: StoredEvent | undefined;
  /** The turn with the message under way; undefined while there is none, which is nearly always. */
  #transcript: Transcript | undefined;
  #held: RawJson[] = [];

  /** An event that the client has been told of before: only what it means for the next ones counts. */
  skip(stored: StoredEvent): void {
    const { event } = stored;
    if (event.type === 'turn.started') this.onTurnStarted(stored);
    else if (event.type === 'turn.finished') this.onTurnFinished();
    else if (event.type !== 'update') return;
    else if (kindOf(event.data.update) !== 'user_message_chunk') this.onOther();
    else this.admit(stored, event.data.update);
  }

  onTurnStarted(stored: StoredEvent): void {
    this.#turn = stored;
    this.#restart();
  }

  onTurnFinished(): void {
    this.#turn = undefined;
    this.#held = [];
  }

  /** An update of another kind: the message under way is over. */
  onOther(): void {
    this.#restart();
  }

  /** @returns what of the user's messages is to be sent now, in order. */
  admit(stored: StoredEvent, update: RawJson): readonly RawJson[] {
    if (this.#turn === undefined) return [update];
    this.#transcript ??= toTranscript([this.#turn]);
    foldTranscript(this.#transcript, stored);
    this.#held.push(update);
    const { entries } = this.#transcript;
    const last = entries[entries.length - 1];
    // It is seen, so it is no repetition.
    if (last?.lastSeq !== stored.seq) return [];
    const shown = this.#held;
    this.#held = [];
    return shown;
  }

  #restart(): void {
    if (this.#transcript === undefined) return;
    this.#held = [];
    this.#transcript = undefined;
  }
}
