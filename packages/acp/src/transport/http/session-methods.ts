/**
 * The methods whose POST has to carry the session in a header (R-HTTP-10). Every other message whose
 * params name a session has to carry it too.
 */
const SCOPED = new Set([
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

/** Requests behind whose success nothing more is expected on the session's stream. */
const LEAVING = new Set(['session/close', 'session/delete', '_signalbox/session/detach']);

/** Whether a message of this method belongs to a session, whatever its params say. */
export function isSessionScoped(method: string): boolean {
  return SCOPED.has(method);
}

/** Whether the client leaves the session with this request, so that its stream is not needed any more. */
export function leavesSession(method: string): boolean {
  return LEAVING.has(method);
}

/**
 * Whether the request is answered on the connection's stream although it belongs to a session: the
 * protocol says so of `session/load` (R-HTTP-14). It says nothing of `session/resume`, which the official
 * SDK answers on the session's stream.
 */
export function isAnsweredOnConnection(method: string): boolean {
  return method === 'session/load';
}
