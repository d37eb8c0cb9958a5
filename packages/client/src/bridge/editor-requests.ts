import type { RequestMessage } from '@signalbox/acp';
import { createName } from '../session/prompt-id.ts';
import { withMemberAt } from './frame-edits.ts';

/** A request of the editor that is not answered. */
export interface EditorRequest {
  readonly idText: string;
  readonly method: string;
  readonly sessionId: string | undefined;
  /** As it goes to the server, each time. */
  readonly frame: string;
}

/** Requests that do the same when they are sent twice. A prompt does because it is named. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'session/prompt',
  'session/load',
  'session/resume',
  'session/list',
  'session/close',
  'session/delete',
  'session/set_mode',
  'session/set_config_option',
  'authenticate',
  'logout',
]);

const PROMPT_ID = 'signalbox/promptId';

/** Whether a request may be sent again when nobody knows what became of it. */
export function isRepeatable({ method }: EditorRequest): boolean {
  return REPEATABLE.has(method);
}

/** Where a client says what it calls itself over all its connections. */
const CLIENT_ID = ['params', 'clientCapabilities', '_meta', 'signalbox', 'clientId'];

/**
 * A request as it is sent to the server, and again if the connection is lost.
 *
 * @param clientId what the editor is called over all its connections: its own prompts stay its own.
 */
export function toEditorRequest(message: RequestMessage, clientId: string): EditorRequest {
  const { idText, method, text } = message;
  const params = (message.params ?? {}) as { sessionId?: unknown; _meta?: unknown };
  const sessionId = typeof params.sessionId === 'string' ? params.sessionId : undefined;
  const meta = (params._meta ?? {}) as Record<string, unknown>;
  const isUnnamed = method === 'session/prompt' && meta[PROMPT_ID] === undefined;
  const base = { idText, method, sessionId };
  if (method === 'initialize') return { ...base, frame: withMemberAt(text, CLIENT_ID, clientId) };
  if (!isUnnamed) return { ...base, frame: text };
  const frame = withMemberAt(text, ['params', '_meta', PROMPT_ID], createName());
  return { ...base, frame };
}
