import { stringAt } from '../json/json.ts';

/** The methods whose POST names its session in a header, whatever the params say (R-HTTP-10). */
const SCOPED: ReadonlySet<string> = new Set([
  'session/cancel',
  'session/close',
  'session/delete',
  'session/fork',
  'session/load',
  'session/prompt',
  'session/resume',
  'session/set_config_option',
  'session/set_mode',
  'session/set_model',
]);

/** Whether a message of this method belongs to a session. */
export function isSessionScoped(method: string, params: unknown): boolean {
  return SCOPED.has(method) || stringAt(params, 'sessionId') !== undefined;
}

/**
 * The stream that a request of the client has to be answered on (R-HTTP-14, R-HTTP-15): the connection's,
 * the session's, or either where the draft is silent.
 */
export function answerStream(method: string, params: unknown): 'connection' | 'session' | 'either' {
  if (method === 'session/new' || method === 'session/load') return 'connection';
  // The official SDK answers these on the session's stream; the draft does not mention them.
  if (method === 'session/resume' || method === 'session/fork') return 'either';
  return isSessionScoped(method, params) ? 'session' : 'connection';
}
