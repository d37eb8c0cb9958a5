import type { RemoteSession } from '../../../packages/client/src/session/remote-session.ts';
import type { RemoteSessionEvent } from '../../../packages/client/src/session/session-event.ts';

/** Keeps what a session's listeners hear, and waits for it. */
export class Recorder {
  readonly heard: RemoteSessionEvent[] = [];
  #wake: (() => void)[] = [];

  readonly onEvent = (event: RemoteSessionEvent): void => {
    this.heard.push(event);
    for (const wake of this.#wake.splice(0)) wake();
  };

  /** The sequence numbers of the events so far. */
  get seqs(): number[] {
    return this.heard.flatMap((event) => (event.type === 'event' ? [event.seq] : []));
  }

  /** Everything but events, by type. */
  get others(): string[] {
    return this.heard.flatMap(({ type }) => (type === 'event' ? [] : [type]));
  }

  /** Resolves when something of this type has been heard so many times. */
  async when(type: RemoteSessionEvent['type'], times = 1): Promise<void> {
    while (this.heard.filter((event) => event.type === type).length < times) await this.#next();
  }

  /** Resolves when the session's view has come so far. */
  async whenAt(session: RemoteSession, seq: number): Promise<void> {
    while (session.view.lastSeq < seq) await this.#next();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }
}
