import type { McpServer } from '@signalbox/acp';
import type { TranscriptBounds } from '@signalbox/core';
import type { SessionRole } from './session/attach-result.ts';
import type { RemoteSessionEvent } from './session/session-event.ts';

/** What a new session is made of. */
export interface NewSessionOptions {
  /** The folder to work in: an absolute path on the server's machine. */
  readonly cwd: string;
  /** The agent; the client's own, or else the server's default. */
  readonly agent?: string;
  readonly mcpServers?: readonly McpServer[];
  readonly signal?: AbortSignal;
}

/** How to attach a session. */
export interface AttachOptions {
  /** What this client wants to do; the server may allow less. Default: as much as it is allowed. */
  readonly role?: SessionRole;
  /**
   * Where to begin: a cursor that was kept, or `start` for the whole log. Without it the view comes from a
   * snapshot, which is the quickest. With a cursor the view has only what happened behind it.
   */
  readonly after?: string;
  /** Whether adjacent pieces of one text may come as one event. Default false. */
  readonly merge?: boolean;
  /**
   * Longer strings of events, in UTF-8 bytes, stay with the server until `readContent` reads them. In a snapshot, texts
   * that are made of several events are cut to this instead, and marked in `cut`.
   */
  readonly inlineBytesMax?: number;
  /**
   * How much the view keeps: its older entries, and the beginnings of its long texts, are left out when there is much
   * more than this, and marked in `omitted` and `cut`. Default: it keeps all that came since its snapshot.
   */
  readonly viewBounds?: TranscriptBounds;
  /** A listener that hears of everything from the beginning. */
  readonly onEvent?: (event: RemoteSessionEvent) => void;
  /** Uses a connection of its own, so that a busy session delays no other one. Default false. */
  readonly dedicated?: boolean;
  /** Gives the attempt up; means nothing any more once the session is attached. */
  readonly signal?: AbortSignal;
}
