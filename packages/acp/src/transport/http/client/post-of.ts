import { PeerError } from '../../../jsonrpc/peer-error.ts';
import type { Envelope } from '../envelope.ts';
import type { PostLanes, QueuedPost } from './post-lanes.ts';

/** The lane of what belongs to no session. No session has this id, since an id is not empty. */
const CONNECTION_LANE = '';

/** What a header can carry without a change. */
const HEADER_SAFE = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * How a frame is posted. Answers wait for nothing. A cancel waits for what it cancels, without which it would
 * do nothing, and for nothing else (B147).
 *
 * @param sessionId the session that the frame belongs to.
 * @throws PeerError `not_supported` when the session's id cannot be sent in a header.
 */
export function postOf(
  text: string,
  envelope: Envelope,
  sessionId: string | undefined,
  lanes: PostLanes,
): QueuedPost {
  if (sessionId !== undefined && !HEADER_SAFE.test(sessionId)) {
    const message = 'a session whose id is not of plain ASCII cannot be used over HTTP';
    throw new PeerError('not_supported', message);
  }
  const { kind, idText, method } = envelope;
  const common = { text, sessionId, requestId: kind === 'request' ? idText : undefined };
  if (kind === 'response') return { ...common, lane: undefined, isUrgent: true };
  if (method === '$/cancel_request') {
    const requestId = cancelledId(text);
    const lane = requestId === undefined ? undefined : lanes.laneOf(requestId);
    return { ...common, lane, isUrgent: true };
  }
  const lane = sessionId ?? CONNECTION_LANE;
  return { ...common, lane, isUrgent: method === 'session/cancel' };
}

function cancelledId(text: string): string | undefined {
  const { params } = JSON.parse(text) as { params?: { requestId?: unknown } | null };
  const requestId = params?.requestId;
  return requestId === undefined ? undefined : JSON.stringify(requestId);
}
