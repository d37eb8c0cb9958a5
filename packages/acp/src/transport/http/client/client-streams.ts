import { pause } from '../../../clock/pause.ts';
import { HttpHeader } from '../http-header.ts';
import { EventStream, type EventStreamSurroundings } from './event-stream.ts';
import type { HttpTransportError } from './http-transport-error.ts';

/** What {@link ClientStreams} need of their transport. */
export interface ClientStreamsOwner {
  readonly connectionId: string;
  readonly startId: string | undefined;
  readonly surroundings: EventStreamSurroundings;
  /** Takes frames in, and returns a promise while there is no room for more. */
  readonly onFrames: (
    frames: readonly string[],
    sessionId: string | undefined,
  ) => Promise<void> | undefined;
  /** The server has ended the connection, and everything that it sent before has been read. */
  readonly onEnd: () => void;
  readonly onFailure: (error: HttpTransportError) => void;
}

/** The event streams of a client's connection: its own and one for each session (R-HTTP-12). */
export class ClientStreams {
  readonly #owner: ClientStreamsOwner;
  readonly #sessions = new Map<string, EventStream>();
  /** Those that were left: each knows behind what it would go on. */
  readonly #left = new Map<string, EventStream>();
  readonly #connection: EventStream;
  #isEnding = false;

  constructor(owner: ClientStreamsOwner) {
    this.#owner = owner;
    this.#connection = this.#start(undefined);
    void this.#connection.finished.then(
      () => this.#onConnectionEnd(),
      (error: HttpTransportError) => this.#onFailure(error),
    );
  }

  /** Reads the stream of a session from now on, if it is not read already. */
  open(sessionId: string): void {
    if (this.#isEnding || this.#sessions.has(sessionId)) return;
    const stream = this.#start(sessionId);
    this.#sessions.set(sessionId, stream);
    this.#left.delete(sessionId);
    stream.finished.catch((error: HttpTransportError) => this.#onFailure(error));
  }

  /** Does not read the stream of a session any more. */
  leave(sessionId: string): void {
    const stream = this.#sessions.get(sessionId);
    if (stream === undefined) return;
    this.#sessions.delete(sessionId);
    this.#left.set(sessionId, stream);
    stream.stop();
  }

  /** Ends the reading of all streams. */
  stop(): void {
    this.#isEnding = true;
    this.#connection.stop();
    for (const stream of this.#sessions.values()) stream.stop();
  }

  #start(sessionId: string | undefined): EventStream {
    const { connectionId, startId, surroundings, onFrames } = this.#owner;
    const session = sessionId === undefined ? {} : { [HttpHeader.sessionId]: sessionId };
    const lastId = sessionId === undefined ? undefined : this.#left.get(sessionId)?.lastId;
    return new EventStream(
      surroundings,
      {
        name: sessionId === undefined ? 'the connection stream' : `the stream of ${sessionId}`,
        headers: { [HttpHeader.connectionId]: connectionId, ...session },
        startId,
        onFrames: (frames) => onFrames(frames, sessionId),
      },
      lastId,
    );
  }

  /** The streams of the sessions end at about the same time, each behind what it still has to say. */
  #onConnectionEnd(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { clock, limits } = this.#owner.surroundings;
    const finished = [...this.#sessions.values()].map((stream) => stream.finished);
    const abort = new AbortController();
    const late = pause(clock, limits.closeMs, abort.signal);
    void Promise.race([Promise.allSettled(finished), late]).then(() => {
      abort.abort();
      this.#owner.onEnd();
    });
  }

  #onFailure(error: HttpTransportError): void {
    // A stream that was just being opened again is told that the connection is unknown by now.
    if (!this.#isEnding) this.#owner.onFailure(error);
  }
}
