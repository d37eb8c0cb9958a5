/** Why the host could not do what it was asked. */
export type HostErrorCode =
  /** No agent of that name is configured, and it is no command either. */
  | 'agent_unknown'
  /** The agent's program could not be started; the message says which part is missing. */
  | 'agent_spawn_failed'
  /** The agent started but did not complete a step of the handshake. */
  | 'agent_handshake_failed'
  /** The agent wants its user to sign in. */
  | 'auth_required'
  /** The working directory does not exist, is no directory, or is not absolute. */
  | 'cwd_invalid'
  /** There is no session of that id. */
  | 'session_not_found'
  /** Another running process owns the session. */
  | 'session_in_use'
  /** A turn is running and the caller did not want to wait, or too many wait already. */
  | 'session_busy'
  /** A prompt with another content was sent under the same id before. */
  | 'prompt_conflict'
  /** The permission request is not waiting any more, or does not offer that option. */
  | 'permission_not_answerable'
  /** The session's log could not be written; nothing that was not written was done. */
  | 'journal_failed'
  /** The host or the session is closed. */
  | 'closed';

/** A local failure of the host. Match by `code`, never by text. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  /** What the reader can do about it. */
  readonly hint: string | undefined;

  constructor(code: HostErrorCode, message: string, options?: { cause?: unknown; hint?: string }) {
    super(message, options?.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options?.hint;
  }
}

/** Whether `error` is a {@link HostError} with this code, also across bundled copies. */
export function isHostError(error: unknown, code?: HostErrorCode): error is HostError {
  return (
    error instanceof Error &&
    error.name === 'HostError' &&
    (code === undefined || (error as HostError).code === code)
  );
}

/** An error in words for people: what happened, and below it what can be done about it. */
export function toWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = isHostError(error) ? error.hint : undefined;
  return hint === undefined ? error.message : `${error.message}\n${hint}`;
}
