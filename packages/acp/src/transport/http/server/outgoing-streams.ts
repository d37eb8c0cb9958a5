import { OutgoingStream, type OutgoingStreamOwner } from './outgoing-stream.ts';

/** What the streams of one connection need of it. */
export interface OutgoingStreamsOwner extends Omit<OutgoingStreamOwner, 'nextNumber' | 'rewind'> {
  readonly rewind: ((stream: string, cursor: string) => Promise<() => void>) | undefined;
}

/** The streams of one connection: its own and one for each session. */
export class OutgoingStreams {
  readonly #owner: OutgoingStreamsOwner;
  readonly #sessions = new Map<string, OutgoingStream>();
  /** Sessions that the client has left. Their streams are only kept while there is room for them. */
  readonly #left = new Set<string>();
  #number = 0;
  /** For what belongs to no session. */
  readonly connection: OutgoingStream;

  constructor(owner: OutgoingStreamsOwner) {
    this.#owner = owner;
    this.connection = this.#create(undefined);
  }

  /**
   * The stream of a session, which is made when there is none: updates may come before their reader does
   * (R-HTTP-17), and a reader before the session is loaded.
   *
   * @returns undefined when too many streams wait for a reader.
   */
  session(sessionId: string): OutgoingStream | undefined {
    const existing = this.#sessions.get(sessionId);
    if (existing !== undefined) return existing;
    if (!this.#hasRoom()) return undefined;
    const stream = this.#create(sessionId);
    this.#sessions.set(sessionId, stream);
    return stream;
  }

  /** The client has left a session, and its stream may be forgotten once it has been read. */
  leave(sessionId: string): void {
    if (this.#sessions.has(sessionId)) this.#left.add(sessionId);
  }

  /** The client uses a session again. */
  enter(sessionId: string): void {
    this.#left.delete(sessionId);
  }

  /** Forgets a session's stream if that loses nothing. */
  forgetUntouched(sessionId: string): void {
    const stream = this.#sessions.get(sessionId);
    if (stream?.isUntouched === true && !stream.isOpen) this.#sessions.delete(sessionId);
  }

  /** How many streams somebody reads. */
  get openCount(): number {
    let count = this.connection.isOpen ? 1 : 0;
    for (const stream of this.#sessions.values()) if (stream.isOpen) count++;
    return count;
  }

  /** Ends each stream behind what was sent on it. Resolves when their readers have been told. */
  async finish(): Promise<void> {
    const sessions = [...this.#sessions.values()].filter((each) => each.isOpen || each.isHolding);
    await Promise.all(sessions.map((stream) => stream.finish()));
    // A client takes the end of this one for the end of the connection.
    await this.connection.finish();
  }

  /** Ends all streams. */
  end(): void {
    this.connection.end();
    for (const stream of this.#sessions.values()) stream.end();
    this.#sessions.clear();
  }

  #hasRoom(): boolean {
    let waiting = 0;
    for (const stream of this.#sessions.values()) if (!stream.isOpen) waiting++;
    const { waitingStreamsMax } = this.#owner.limits;
    if (waiting < waitingStreamsMax) return true;
    for (const sessionId of this.#left) {
      const stream = this.#sessions.get(sessionId);
      if (stream === undefined || stream.isOpen || stream.isHolding) continue;
      this.#left.delete(sessionId);
      this.#sessions.delete(sessionId);
      return true;
    }
    return false;
  }

  #create(sessionId: string | undefined): OutgoingStream {
    const { rewind, ...owner } = this.#owner;
    return new OutgoingStream({
      ...owner,
      nextNumber: () => ++this.#number,
      // The connection's own stream has no log behind it.
      rewind:
        rewind === undefined || sessionId === undefined
          ? undefined
          : (cursor) => rewind(sessionId, cursor),
    });
  }
}
