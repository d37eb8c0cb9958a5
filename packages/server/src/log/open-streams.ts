import type { Writable } from 'node:stream';
import type { CredentialWatch } from '../auth/credential-watch.ts';
import { ANYBODY, type Principal } from '../auth/principal.ts';
import { DRAINING } from '../problem/draining.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { tooManyOwn } from '../problem/too-many-own.ts';
import type { ServerLimits } from '../server-limits.ts';

/** Why a stream is over. */
export type StreamEnding =
  /** Its reader has gone. */
  | 'gone'
  /** The credential that opened it does not work any more. */
  | 'revoked'
  /** The server is being shut down; the reader goes on elsewhere or later. */
  | 'closing';

/** How many there may be, of all and of one principal. */
export type OpenStreamsLimits = Pick<ServerLimits, 'eventStreamsMax' | 'eventStreamsEachMax'>;

/** The streams and long polls that readers of logs have open: so many, and whose. */
export class OpenStreams {
  readonly #limits: OpenStreamsLimits;
  readonly #watch: CredentialWatch;
  readonly #open = new Map<AbortController, Principal>();
  #isClosed = false;

  constructor(limits: OpenStreamsLimits, watch: CredentialWatch) {
    this.#limits = limits;
    this.#watch = watch;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Counts a stream until its response is closed.
   *
   * @returns is aborted, with a {@link StreamEnding} as the reason, when the stream is to be ended.
   * @throws ProblemError when there are too many, or the server is being shut down.
   */
  open(principal: Principal, response: Pick<Writable, 'once'>): AbortSignal {
    if (this.#isClosed) throw new ProblemError(DRAINING);
    this.#assertRoom(principal);
    const controller = new AbortController();
    this.#open.set(controller, principal);
    const unwatch = this.#watch.add(principal.id);
    response.once('close', () => {
      this.#open.delete(controller);
      unwatch();
      abort(controller, 'gone');
    });
    return controller.signal;
  }

  #assertRoom(principal: Principal): void {
    const { eventStreamsMax, eventStreamsEachMax } = this.#limits;
    if (this.#open.size >= eventStreamsMax) throw new ProblemError(tooMany(eventStreamsMax));
    // Where nobody says who he is, all have all of it.
    if (principal.id === ANYBODY.id) return;
    const own = [...this.#open.values()].filter(({ id }) => id === principal.id).length;
    if (own >= eventStreamsEachMax) throw new ProblemError(tooManyOwn('event streams', own));
  }

  /** Ends the streams of these principals. */
  closeWhere(fits: (principal: Principal) => boolean, why: StreamEnding): void {
    for (const [controller, principal] of [...this.#open]) {
      if (fits(principal)) abort(controller, why);
    }
  }

  /** Ends all streams, and opens none any more. */
  close(): void {
    this.#isClosed = true;
    this.closeWhere(() => true, 'closing');
  }
}

function abort(controller: AbortController, why: StreamEnding): void {
  controller.abort(why);
}

function tooMany(max: number): Problem {
  return {
    status: 503,
    code: 'too_many_streams',
    detail: `${max} event streams are open, which is as many as there may be.`,
    headers: { 'Retry-After': '5' },
  };
}
