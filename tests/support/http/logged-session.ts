import type { Transport } from '@signalbox/acp';
import { StreamRefused } from '@signalbox/acp/server';

/** One step of what happens in a session: an event for its log, or a message that is in no log. */
export type Step = { readonly event: number } | { readonly message: number };

/** A session with a small log, whose events can be sent again. */
export class LoggedSession {
  readonly #transport: Transport;
  readonly #id: string;
  readonly #log: number[] = [];
  /** Events of the log that have been sent. */
  #sentCount = 0;
  /** How many events go into one frame. */
  #batch: number;

  constructor(transport: Transport, id: string, batch = 1) {
    this.#transport = transport;
    this.#id = id;
    this.#batch = batch;
  }

  /** Does steps; a message goes out behind all events that happened before it. */
  do(steps: readonly Step[]): void {
    for (const step of steps) {
      if ('event' in step) {
        this.#log.push(step.event);
      } else {
        this.#flush();
        void this.#transport.send(this.#frame({ message: step.message }));
      }
    }
    this.#flush();
  }

  /** As a connection's owner does it. */
  async rewind(cursor: string): Promise<() => void> {
    // Whoever sends from a real log has to stop first, which takes a moment.
    await Promise.resolve();
    const count = Number(cursor.slice(1));
    if (!(count <= this.#log.length)) throw new StreamRefused('malformed', 'This is no cursor.');
    this.#sentCount = count;
    // What is sent again may be cut differently than it was the first time.
    if (this.#batch > 1) this.#batch++;
    return () => this.#flush();
  }

  #flush(): void {
    while (this.#sentCount < this.#log.length) {
      const events = this.#log.slice(this.#sentCount, this.#sentCount + this.#batch);
      this.#sentCount += events.length;
      const place = { stream: this.#id, cursor: `c${this.#sentCount}` };
      void this.#transport.send(this.#frame({ events }), place);
    }
  }

  #frame(what: object): string {
    const params = { sessionId: this.#id, ...what };
    return JSON.stringify({ jsonrpc: '2.0', method: '_x', params });
  }
}

/** The steps that a frame of a {@link LoggedSession} tells of, and the session. */
export function stepsOf(frame: string): { sessionId: string; steps: Step[] } {
  const { params } = JSON.parse(frame) as {
    params: { sessionId: string; events?: readonly number[]; message?: number };
  };
  const { sessionId, events = [], message } = params;
  if (message !== undefined) return { sessionId, steps: [{ message }] };
  return { sessionId, steps: events.map((event) => ({ event })) };
}
