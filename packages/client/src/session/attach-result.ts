import type { ResponseMessage } from '@signalbox/acp';
import { decodeTranscript, type Transcript } from '@signalbox/core';
import { ClientError } from '../client-error.ts';

/** What a client may do in a session: prompt; answer permission requests and cancel; or only look. */
export type SessionRole = 'driver' | 'approver' | 'observer';

/** Why a place in the log could not be continued from. */
export type GapReason =
  /** The log ends before the place: it was restored from an older copy. */
  | 'future'
  /** The log was made anew. */
  | 'epoch'
  /** The server does not take the place for one in this log. */
  | 'refused'
  /** The events that came did not follow one another. */
  | 'inconsistent';

/** The server's answer to `_signalbox/session/attach`. */
export interface AttachResult {
  readonly role: SessionRole;
  readonly agent: string;
  readonly cwd: string;
  readonly snapshot: { readonly view: Transcript; readonly cursor: string } | undefined;
  readonly gap: GapReason | undefined;
}

/** @throws ClientError `invalid_response`. */
export function toAttachResult(message: ResponseMessage): AttachResult {
  const result = (message.result ?? {}) as Partial<Record<string, unknown>>;
  const { role, agent, cwd, gap, snapshot } = result;
  if (!isRole(role) || typeof agent !== 'string' || typeof cwd !== 'string') {
    throw new ClientError('invalid_response', 'the answer to session/attach has no role or agent');
  }
  const { reason } = (gap ?? {}) as { reason?: unknown };
  return {
    role,
    agent,
    cwd,
    snapshot: toSnapshot(snapshot),
    gap: gap == null ? undefined : reason === 'future' ? 'future' : 'epoch',
  };
}

function toSnapshot(snapshot: unknown): AttachResult['snapshot'] {
  if (snapshot == null) return undefined;
  const { cursor, transcript } = snapshot as { cursor?: unknown; transcript?: unknown };
  try {
    if (typeof cursor !== 'string') throw new TypeError('it has no cursor');
    return { view: decodeTranscript(transcript), cursor };
  } catch (cause) {
    const message = 'the snapshot of the session cannot be read';
    throw new ClientError('invalid_response', message, { cause });
  }
}

function isRole(value: unknown): value is SessionRole {
  return value === 'driver' || value === 'approver' || value === 'observer';
}
