import type { SessionEvent } from '@signalbox/core';
import type { GapReason } from './attach-result.ts';
import type { EndReason } from './attachment.ts';

/** What a listener of a {@link RemoteSession} hears. The view is up to date with it. */
export type RemoteSessionEvent =
  /**
   * One event of the log; with `firstSeq` it stands for several adjacent ones. Each is told once and in
   * order, whatever the connection does.
   */
  | {
      readonly type: 'event';
      readonly seq: number;
      readonly firstSeq?: number;
      readonly event: SessionEvent;
    }
  /** The view is another object now, made from a snapshot: there are no single events up to its place. */
  | { readonly type: 'snapshot' }
  /** All that the log had when the session was attached has been told; what comes now is new. */
  | { readonly type: 'caught_up' }
  /** The place in the log was lost; a `snapshot` follows. Events between may never have been told. */
  | { readonly type: 'gap'; readonly reason: GapReason }
  /** Nothing comes for now: the connection is lost, or the session was closed at the server. */
  | { readonly type: 'detached' }
  /** The session is attached, for the first time or again. */
  | { readonly type: 'attached' }
  /** Nothing more comes, and nothing can be done with the session through this object. */
  | { readonly type: 'ended'; readonly reason: EndReason; readonly error?: Error }
  /** A listener has thrown this; the others were told all the same. */
  | { readonly type: 'error'; readonly error: unknown };
