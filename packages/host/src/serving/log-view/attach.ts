import type { RequestMessage } from '@signalbox/acp';
import {
  boundTranscript,
  encodeTranscript,
  toCursor,
  type SessionId,
  type Transcript,
  type TranscriptJson,
} from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import { afterAnswer } from '../after-answer.ts';
import { toPlace } from '../places.ts';
import type { Role } from '../role.ts';
import type { ServedSessions } from '../served-sessions.ts';
import { toRpcError } from '../to-rpc-error.ts';
import { contentDigest } from './content-digest.ts';
import { objectParams, optionalCount, optionalString, roleOf, stringOf } from './params.ts';

/**
 * How much of a session a snapshot shows; older entries, and the beginnings of long texts, are left out and
 * counted.
 */
export const SNAPSHOT_LIMITS = {
  entriesMax: 500,
  bytesMax: 2 * 1024 * 1024,
  textBytesMax: 256 * 1024,
};

/** The least and the most that may go inline, in UTF-8 bytes of one string. */
const INLINE_BYTES = { min: 1024, max: 64 * 1024 * 1024 };

/** What a client that attaches to a session is answered. */
export interface Attached {
  readonly sessionId: string;
  readonly role: Role;
  readonly agent: string;
  readonly cwd: string;
  /** The session up to here, where the client named no place that could be gone on from. */
  readonly snapshot?: { readonly cursor: string; readonly transcript: TranscriptJson };
  /** The client's place is none of this log: it is behind its end. */
  readonly gap?: { readonly reason: 'future'; readonly requested: string };
}

/**
 * Lets a client follow a session's log: from the beginning, behind a cursor, or behind a snapshot of it.
 * Events follow the answer.
 */
export async function attach(
  host: Host,
  sessions: ServedSessions,
  message: RequestMessage,
): Promise<Attached> {
  const params = objectParams(message);
  const sessionId = stringOf(params, 'sessionId') as SessionId;
  const after = optionalString(params, 'after');
  const place = after === undefined || after === 'start' ? undefined : toPlace(sessionId, after);
  const inlineBytesMax = optionalCount(params, 'inlineBytesMax', INLINE_BYTES);
  const merge = params['merge'] === true;
  const served = await sessions.openLog(sessionId, roleOf(params), { merge, inlineBytesMax });
  const { session, role, view, feed } = served;
  try {
    const { agentName, cwd } = session.state;
    const facts = { sessionId, role, agent: agentName, cwd };
    const isGap = place !== undefined && place.seq > session.headSeq;
    const begin = (seq: number): void => {
      afterAnswer(() => {
        view.begin(seq);
        feed.start(seq);
      });
    };
    if (after !== undefined && !isGap) {
      begin(place?.seq ?? 0);
      return facts;
    }
    const transcript = await host.readTranscript(sessionId);
    const snapshot = {
      cursor: toCursor(sessionId, transcript.lastSeq),
      transcript: encodeTranscript(toShown(transcript, inlineBytesMax)),
    };
    begin(transcript.lastSeq);
    if (after === undefined) return { ...facts, snapshot };
    return { ...facts, snapshot, gap: { reason: 'future', requested: after } };
  } catch (error) {
    sessions.detach(sessionId);
    throw toRpcError(error, sessionId);
  }
}

/** What a snapshot shows. @param inlineBytesMax longer strings are wanted by reference; undefined: none are. */
function toShown(transcript: Transcript, inlineBytesMax: number | undefined): Transcript {
  if (inlineBytesMax === undefined) return boundTranscript(transcript, SNAPSHOT_LIMITS);
  const textBytesMax = Math.min(SNAPSHOT_LIMITS.textBytesMax, inlineBytesMax);
  const references = { inlineBytesMax, digest: contentDigest };
  return boundTranscript(transcript, { ...SNAPSHOT_LIMITS, textBytesMax }, references);
}
