import { rawMember, type RawJson, type RequestContext, type RequestMessage } from '@signalbox/acp';
import {
  isCoreError,
  parseContextSnapshot,
  type ContextSnapshot,
  type SessionId,
} from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import type { HandlerParts } from '../handlers.ts';
import type { ServedSessions } from '../served-sessions.ts';
import { invalidParams } from '../to-rpc-error.ts';
import { objectParams, optionalCount, optionalString, stringOf } from './params.ts';

/** How large a context may be, in UTF-8 bytes of its JSON. */
export const CONTEXT_BYTES = { min: 4096, max: 4 * 1024 * 1024 };
const CONTEXT_BYTES_DEFAULT = 256 * 1024;

/** A session's context: where it works, what it has open, what was said, what is unfinished. */
export function readContext(
  host: Host,
  sessions: ServedSessions,
  message: RequestMessage,
): Promise<ContextSnapshot> {
  const params = objectParams(message);
  const sessionId = stringOf(params, 'sessionId');
  sessions.get(sessionId);
  const bytesMax = optionalCount(params, 'bytesMax', CONTEXT_BYTES) ?? CONTEXT_BYTES_DEFAULT;
  return host.readContext(sessionId as SessionId, bytesMax);
}

/** A new session whose agent is told a context with its first prompt. */
export function restoreContext(
  { agent, findAgent, sessions }: HandlerParts,
  message: RequestMessage,
  context: RequestContext,
): Promise<RawJson> {
  const params = objectParams(message);
  const snapshot = toSnapshot(rawMember(message, 'params'), params['snapshot']);
  const named = optionalString(params, 'agent') ?? agent.name;
  if (findAgent(named) === undefined) throw invalidParams(`there is no agent named "${named}"`);
  const cwd = optionalString(params, 'cwd') ?? snapshot.cwd;
  return sessions().createIn({ agent: named, cwd, setup: { context: snapshot } }, context);
}

function toSnapshot(params: RawJson | undefined, value: unknown): ContextSnapshot {
  if ((params?.text.length ?? 0) > CONTEXT_BYTES.max) {
    throw invalidParams(`/snapshot is larger than ${CONTEXT_BYTES.max} bytes`);
  }
  try {
    return parseContextSnapshot(value);
  } catch (error) {
    if (isCoreError(error)) throw invalidParams(`/snapshot: ${error.message}`);
    throw error;
  }
}
