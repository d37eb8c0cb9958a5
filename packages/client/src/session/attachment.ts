import { isPeerError, type Clock } from '@signalbox/acp';
import { ClientError } from '../client-error.ts';
import { backoffMs } from '../connection/backoff.ts';
import { callServer } from '../connection/call.ts';
import type { Connection, ReconnectLimits } from '../connection/connection.ts';
import { abortError } from '../connection/deadline.ts';
import type { Link } from '../connection/link.ts';
import { createDeferred } from '../deferred.ts';
import { judgeAttachFailure } from './attach-failure.ts';
import { toAttachResult, type AttachResult, type GapReason } from './attach-result.ts';

/** Times that a session is attached again at one place because of a hole, before a snapshot is taken. */
const HOLES_MAX = 2;
/** The same before the session is given up. */
const HOLES_MAX_FRESH = 4;

/** Why nothing more comes of a session. */
export type EndReason =
  /** It was deleted. */
  | 'deleted'
  /** It cannot be followed any more, as the event's `error` says. */
  | 'failed';

/** What an {@link Attachment} works with. */
export interface AttachmentParts {
  readonly connection: Connection;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: ReconnectLimits;
  readonly timeoutMs: number;
  /** What the server is asked for each time, beside the place. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The place to go on behind; undefined: begin from a snapshot. */
  readonly place: () => string | undefined;
  readonly onAttached: (result: AttachResult, link: Link) => void;
  /** Nothing comes for now; may be told more than once. */
  readonly onDetached: () => void;
  /** Nothing more comes; told once, not before the first answer, and not when the owner ends it. */
  readonly onEnded: (reason: EndReason, error: Error | undefined) => void;
  readonly log: (line: string) => void;
}

/** Where an attachment stands. */
type State =
  /** There is no connection. Left when there is one. */
  | { readonly kind: 'offline' }
  /** The server was asked. Left by its answer and by the end of the connection. */
  | { readonly kind: 'attaching'; readonly link: Link }
  /** Events come. Left by the end of the connection and when the place has to be taken up again. */
  | { readonly kind: 'attached'; readonly link: Link; readonly isCaughtUp: boolean }
  /** The server could not do it now. Left when the time has come, and by the end of the connection. */
  | { readonly kind: 'resting'; readonly link: Link; readonly stop: () => void }
  /** The reader has enough for now. Left by `release`. */
  | { readonly kind: 'held' }
  /** Nothing more comes. Never left. */
  | { readonly kind: 'over'; readonly error: Error };

/** Keeps one session attached: anew over every connection, from the place of its reader. */
export class Attachment {
  readonly #parts: AttachmentParts;
  readonly #first = createDeferred<AttachResult>();
  #state: State = { kind: 'offline' };
  #isFirst = true;
  /** Set when the next attempt begins from a snapshot although there is a place. */
  #fresh: GapReason | undefined;
  #holes = 0;
  #failures = 0;
  #attachedAt = 0;
  #waiting: (() => void)[] = [];
  #unsubscribe: () => void = () => undefined;

  constructor(parts: AttachmentParts) {
    this.#parts = parts;
  }

  get isOver(): boolean {
    return this.#state.kind === 'over';
  }

  /**
   * The connection that events are taken from. What comes before the server has answered is none of this
   * attachment: an earlier one may have begun elsewhere, and may not have heard of its end yet.
   */
  get link(): Link | undefined {
    return this.#state.kind === 'attached' ? this.#state.link : undefined;
  }

  get isAttached(): boolean {
    return this.#state.kind === 'attached';
  }

  /** Whether everything that the log had when the session was attached has been told. */
  get isCaughtUp(): boolean {
    return this.#state.kind === 'attached' && this.#state.isCaughtUp;
  }

  /** Begins. Resolves with the first answer; rejects with what the server says, or why there is none. */
  start(): Promise<AttachResult> {
    this.#unsubscribe = this.#parts.connection.subscribe(() => this.#look());
    this.#look();
    return this.#first.promise;
  }

  /** The server has told everything that the log had. @returns whether that is said of this attachment. */
  caughtUp(): boolean {
    if (this.#state.kind !== 'attached') return false;
    this.#state = { ...this.#state, isCaughtUp: true };
    this.#wake();
    return true;
  }

  /** Events came that continue the log. */
  progressed(): void {
    this.#holes = 0;
  }

  /** Events came that do not continue the log here: the place is taken up again. */
  recover(problem: string): void {
    if (this.#state.kind !== 'attached') return;
    const { sessionId, log } = this.#parts;
    this.#holes++;
    log(`session ${sessionId}: ${problem}; attached again (${this.#holes})`);
    if (this.#holes > HOLES_MAX_FRESH) {
      const message = `session ${sessionId}: ${problem}, again and again`;
      this.#end('failed', new ClientError('inconsistent', message));
      return;
    }
    if (this.#holes > HOLES_MAX) this.#fresh = 'inconsistent';
    this.#attach(this.#state.link);
  }

  /** The server has ended this attachment, but not the session: it is attached again after a while. */
  rest(why: Error): void {
    const { link } = this;
    if (link !== undefined) this.#rest(link, why);
  }

  /** The server has ended the session. */
  ended(reason: EndReason, error?: Error): void {
    this.#end(reason, error);
  }

  /** Takes no more events for now. */
  hold(): void {
    if (this.#state.kind === 'over' || this.#state.kind === 'held') return;
    this.#leave();
    this.#state = { kind: 'held' };
  }

  /** Goes on from the reader's place. */
  release(): void {
    if (this.#state.kind !== 'held') return;
    this.#state = { kind: 'offline' };
    this.#look();
  }

  /** Resolves with the connection over which the session is attached. @throws ClientError why not. */
  whenAttached(signal: AbortSignal): Promise<Link> {
    return this.#when(signal, ({ link }) => !link.isOver);
  }

  /** As {@link whenAttached}, and everything that the log had is known. */
  whenCaughtUp(signal: AbortSignal): Promise<Link> {
    return this.#when(signal, ({ link, isCaughtUp }) => isCaughtUp && !link.isOver);
  }

  /** The owner wants no more of it; nobody is told. @param error what waiting calls fail with. */
  close(error: Error): void {
    if (this.#state.kind === 'over') return;
    this.#leave();
    this.#over(error);
  }

  /** Follows the connection. */
  #look(): void {
    const { connection } = this.#parts;
    const { state, link } = connection;
    if (this.#state.kind === 'over') return;
    if (state.kind === 'failed') return this.#end('failed', state.error);
    if (state.kind === 'closed') {
      return this.#end('failed', new ClientError('closed', 'the client was closed'));
    }
    if (this.#state.kind === 'held' || this.#linkInUse() === link) return;
    this.#stopResting();
    this.#state = { kind: 'offline' };
    this.#parts.onDetached();
    // A listener may have ended it.
    if (link !== undefined && this.#isOffline()) this.#attach(link);
  }

  #attach(link: Link): void {
    const state: State = { kind: 'attaching', link };
    this.#state = state;
    this.#ask(link).then(
      (result) => {
        if (this.#state === state) this.#onAnswer(result, link);
      },
      (error: unknown) => {
        if (this.#state === state) this.#onRefused(error, link);
      },
    );
  }

  async #ask(link: Link): Promise<AttachResult> {
    const { sessionId, params, place, clock, timeoutMs } = this.#parts;
    const after = this.#fresh === undefined ? place() : undefined;
    const call = {
      method: '_signalbox/session/attach',
      params: { ...params, sessionId, ...(after === undefined ? {} : { after }) },
      timeoutMs,
      mayRepeat: false,
    };
    const message = await callServer(call, clock, () => Promise.resolve(link));
    const result = toAttachResult(message);
    const isWhole = result.snapshot !== undefined;
    if (!isWhole && (after === undefined || result.gap !== undefined)) {
      throw new ClientError('invalid_response', `session ${sessionId} came without its snapshot`);
    }
    // What was asked for without a place is a gap to a reader who has one.
    return this.#fresh === undefined ? result : { ...result, gap: this.#fresh };
  }

  #onAnswer(result: AttachResult, link: Link): void {
    this.#state = { kind: 'attached', link, isCaughtUp: false };
    this.#fresh = undefined;
    this.#attachedAt = this.#parts.clock.elapsed();
    this.#isFirst = false;
    this.#parts.onAttached(result, link);
    this.#first.resolve(result);
    this.#wake();
  }

  #onRefused(error: unknown, link: Link): void {
    // The connection has ended, which is told in a moment.
    if (isPeerError(error, 'closed') || isLost(error)) return;
    const cause = error instanceof Error ? error : new Error(String(error));
    if (this.#isFirst) return this.#end('failed', cause);
    const failure = judgeAttachFailure(cause);
    if (failure === 'deleted') return this.#end('deleted', cause);
    if (failure === 'failed' || (failure === 'fresh' && this.#fresh !== undefined)) {
      return this.#end('failed', cause);
    }
    if (failure === 'again') return this.#rest(link, cause);
    this.#fresh = 'refused';
    this.#attach(link);
  }

  #rest(link: Link, why: Error): void {
    const { clock, random, limits, sessionId, log } = this.#parts;
    const wasStable = clock.elapsed() - this.#attachedAt >= limits.stableMs;
    this.#failures = this.isAttached && wasStable ? 1 : this.#failures + 1;
    const delayMs = backoffMs(this.#failures, random(), limits);
    log(`session ${sessionId} is not attached (${why.message}); tried again in ${delayMs} ms`);
    const stop = clock.setTimer(delayMs, () => this.#attach(link));
    this.#state = { kind: 'resting', link, stop };
    this.#parts.onDetached();
  }

  #stopResting(): void {
    if (this.#state.kind === 'resting') this.#state.stop();
  }

  /** Tells the server, as far as it knows of the attachment. */
  #leave(): void {
    this.#stopResting();
    const state = this.#state;
    if (state.kind !== 'attached' && state.kind !== 'attaching') return;
    const { link } = state;
    if (link.isOver) return;
    const { sessionId } = this.#parts;
    // Whatever it answers, nothing is taken from it any more.
    link.request('_signalbox/session/detach', { sessionId }).catch(() => undefined);
  }

  #end(reason: EndReason, error: Error | undefined): void {
    if (this.#state.kind === 'over') return;
    const { sessionId } = this.#parts;
    const message = `session ${sessionId} has ended: ${reason}`;
    this.#stopResting();
    this.#over(error ?? new ClientError('session_ended', message));
    // What has never begun does not end; whoever began it is told by the promise.
    if (!this.#isFirst) this.#parts.onEnded(reason, error);
  }

  #over(error: Error): void {
    this.#state = { kind: 'over', error };
    this.#unsubscribe();
    this.#first.reject(error);
    this.#wake();
  }

  #when(
    signal: AbortSignal,
    isGood: (state: Extract<State, { kind: 'attached' }>) => boolean,
  ): Promise<Link> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const state = this.#state;
        if (state.kind === 'over') reject(state.error);
        else if (signal.aborted) reject(abortError(signal, 'waiting for the session'));
        else if (state.kind === 'attached' && isGood(state)) resolve(state.link);
        else {
          this.#waiting.push(look);
          return;
        }
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== look);
        look();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      look();
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  #linkInUse(): Link | undefined {
    const state = this.#state;
    return 'link' in state ? state.link : undefined;
  }

  #isOffline(): boolean {
    return this.#state.kind === 'offline';
  }
}

function isLost(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'connection_lost';
}
