import { rawMember, type RawJson, type RequestContext, type RequestMessage } from '@signalbox/acp';
import {
  CONTEXT_BYTES_DEFAULT,
  CONTEXT_BYTES_MAX,
  CONTEXT_BYTES_MIN,
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
const CONTEXT_BYTES = { min: CONTEXT_BYTES_MIN, max: CONTEXT_BYTES_MAX };

/** A session's context: where it works, what it has open, what was said, what is unfinished. */
export async function readContext(
  host: Host,
  sessions: ServedSessions,
  message: RequestMessage,
): Promise<ContextSnapshot> {
  const params = objectParams(message);
  const sessionId = stringOf(params, 'sessionId');
  sessions.get(sessionId);
  const bytesMax = optionalCount(params, 'bytesMax', CONTEXT_BYTES) ?? CONTEXT_BYTES_DEFAULT;
  const request = { bytesMax, diagnostics: toDiagnostics(params['diagnostics']) };
  return host.readContext(sessionId as SessionId, request);
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
  const own = { idText: message.idText, signal: context.signal };
  return sessions().createIn({ agent: named, cwd, setup: { context: snapshot } }, own);
}

/** What a client knows to be wrong in the files. @throws RpcError -32602. */
function toDiagnostics(value: unknown): ContextSnapshot['diagnostics'] {
  if (value == null) return [];
  return checked('/diagnostics', { ...EMPTY, diagnostics: value }).diagnostics;
}

const EMPTY: ContextSnapshot = {
  format: 'context/1',
  sessionId: 'none',
  agent: 'none',
  cwd: '/',
  openFiles: [],
  diagnostics: [],
  history: [],
  unfinishedToolCalls: [],
  plan: [],
  omitted: { openFiles: 0, diagnostics: 0, history: 0, unfinishedToolCalls: 0, plan: 0 },
};

function toSnapshot(params: RawJson | undefined, value: unknown): ContextSnapshot {
  if ((params?.text.length ?? 0) > CONTEXT_BYTES.max) {
    throw invalidParams(`/snapshot is larger than ${CONTEXT_BYTES.max} bytes`);
  }
  return checked('/snapshot', value);
}

function checked(where: string, value: unknown): ContextSnapshot {
  try {
    return parseContextSnapshot(value);
  } catch (error) {
    if (isCoreError(error)) throw invalidParams(`${where}: ${error.message}`);
    throw error;
  }
}
