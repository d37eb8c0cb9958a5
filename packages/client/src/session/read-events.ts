import type { StoredEvent } from '@signalbox/core';
import { ClientError } from '../client-error.ts';
import { EventBuffer, type EventBufferLimits } from './event-buffer.ts';
import { LogFollower, type LogFollowerParts } from './log-follower.ts';

/** Opens a connection of its own for a slow reader. */
export type OpenReader = () => {
  readonly parts: Omit<LogFollowerParts, 'after' | 'hasView' | 'reader'>;
  close(): Promise<void>;
};

/**
 * The events in a buffer, and behind them those that it had no room for: they are read again from the log
 * over a connection of their own, as fast as the reader takes them.
 *
 * @throws ClientError `gap` when the log does not have them any more, and what ended the session.
 */
export async function* readEvents(
  buffer: EventBuffer,
  limits: EventBufferLimits,
  openReader: OpenReader,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredEvent, void, undefined> {
  try {
    for (;;) {
      const taken = await buffer.next(signal);
      if (taken.kind === 'item') {
        yield taken.item;
      } else if (taken.kind === 'overflow') {
        yield* readAlone(taken.cursor, limits, openReader(), signal);
        return;
      } else {
        if (taken.error !== undefined) throw taken.error;
        return;
      }
    }
  } finally {
    // Nothing more is to be put in for a reader that has gone.
    buffer.end();
  }
}

/** Events from a place on, no faster than they are taken: between whiles nothing is attached. */
async function* readAlone(
  after: string,
  limits: EventBufferLimits,
  opened: ReturnType<OpenReader>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredEvent, void, undefined> {
  const buffer = new EventBuffer(limits, () => {
    if (buffer.hasRoom) follower.attachment.release();
  });
  const follower = new LogFollower({
    ...opened.parts,
    after,
    hasView: false,
    reader: {
      onItem: () => undefined,
      onBatch: (items) => {
        buffer.push(items, undefined);
        if (buffer.isFull) follower.attachment.hold();
      },
      onAttached: ({ gap }) => {
        if (gap !== undefined) buffer.end(gapError(opened.parts.sessionId, gap));
      },
      onCaughtUp: () => undefined,
      onDetached: () => undefined,
      onEnded: (reason, error) => buffer.end(reason === 'failed' ? error : undefined),
    },
  });
  follower.start().catch((error: Error) => buffer.end(error));
  try {
    for (;;) {
      const taken = await buffer.next(signal);
      if (taken.kind === 'item') yield taken.item;
      else if (taken.kind === 'end' && taken.error !== undefined) throw taken.error;
      else return;
    }
  } finally {
    follower.close(new ClientError('closed', 'the reader has ended'));
    await opened.close();
  }
}

/** The error of a reader who cannot be told all events. */
export function gapError(sessionId: string, reason: string): ClientError {
  const message = `events of session ${sessionId} are missing from the log (${reason}); its view is right, its events have to be read anew`;
  return new ClientError('gap', message);
}
