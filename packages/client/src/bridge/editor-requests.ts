import type { RequestMessage } from '@signalbox/acp';
import { createPromptId } from '../session/prompt-id.ts';
import { withParamsMeta } from './frame-edits.ts';

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

/** A request as it is sent to the server, and again if the connection is lost. */
export function toEditorRequest(message: RequestMessage): EditorRequest {
  const { idText, method, text } = message;
  const params = (message.params ?? {}) as { sessionId?: unknown; _meta?: unknown };
  const sessionId = typeof params.sessionId === 'string' ? params.sessionId : undefined;
  const meta = (params._meta ?? {}) as Record<string, unknown>;
  const isUnnamed = method === 'session/prompt' && meta[PROMPT_ID] === undefined;
  const frame = isUnnamed ? withParamsMeta(text, PROMPT_ID, createPromptId()) : text;
  return { idText, method, sessionId, frame };
}
