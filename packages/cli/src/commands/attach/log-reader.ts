import {
  isClientError,
  type RemoteSession,
  type RemoteSessionEvent,
  type StoredEvent,
} from '@signalbox/client';

/**
 * Reads the log of a session that is being attached, from its first event on and as slowly as it is taken: while a
 * question stands, nothing is shown.
 */
export class LogReader {
  /** What came before the session was given out by `attach`. */
  readonly #early: StoredEvent[] = [];
  #session: RemoteSession | undefined;
  #events: AsyncGenerator<StoredEvent, void, undefined> | undefined;
  #snapshotSeq: number | undefined;

  /** For the listener that `attach` is given. */
  onEvent(event: RemoteSessionEvent): void {
    if (event.type === 'event' && this.#session === undefined) this.#early.push(event);
    // The events behind a gap are those of another reader; it begins before the first of them.
    if (event.type === 'gap') this.#events = this.#session?.events();
    if (event.type === 'snapshot') this.#snapshotSeq = this.#session?.view.lastSeq;
  }

  /** To be called at once with what `attach` gives. */
  begin(session: RemoteSession): void {
    this.#session = session;
    this.#events = session.events();
  }

  /**
   * Gives out every event, one after the other, until the session ends.
   *
   * @param onSkipped events up to this one are missing, and do not come.
   * @throws ClientError that ended the session.
   */
  async read(
    onEvent: (event: StoredEvent) => Promise<void>,
    onSkipped: (seq: number) => void,
  ): Promise<void> {
    for (const event of this.#early.splice(0)) await onEvent(event);
    for (;;) {
      const events = this.#events;
      if (events === undefined) return;
      try {
        for await (const event of events) await onEvent(event);
        return;
      } catch (error) {
        if (!isClientError(error, 'gap') || this.#events === events) throw error;
        if (this.#snapshotSeq !== undefined) onSkipped(this.#snapshotSeq);
      }
    }
  }
}
