/** What can go wrong in the model and in a journal, by code. */
export type CoreErrorCode =
  /** A cursor's text is not one of ours. */
  | 'cursor_malformed'
  /** A cursor belongs to another session. */
  | 'cursor_foreign'
  /** An append named a generation older than the stream's: another owner has taken over. */
  | 'stale_generation'
  /** An append expected another head than the stream has: somebody else appended. */
  | 'seq_conflict'
  /** The journal is closed. */
  | 'journal_closed'
  /**
   * The store could not be opened or written, for example because the disk is full. Nothing of this
   * write was acknowledged.
   */
  | 'journal_write_failed'
  /** The store belongs to another program or to a newer version; nothing was changed in it. */
  | 'journal_unsupported'
  /** Stored bytes are not what was written. */
  | 'journal_corrupt'
  /** A record exists already, or its revision is not the expected one. */
  | 'record_conflict'
  /** A value is no transcript that this version wrote. */
  | 'transcript_malformed'
  /** A value is no state of a session that this version wrote. */
  | 'state_malformed'
  /** An event that stands for several begins before the end of the transcript and ends behind it. */
  | 'events_overlap'
  /** A value is no context snapshot, or goes beyond the bounds of one. */
  | 'context_malformed'
  /** A limit is not within the bounds that it may have. */
  | 'limit_invalid';

/** A local failure of the model or a journal. Match by `code`, never by text. */
export class CoreError extends Error {
  override readonly name = 'CoreError';
  readonly code: CoreErrorCode;
  /** What the reader of the message can do about it. */
  readonly hint: string | undefined;

  constructor(code: CoreErrorCode, message: string, options?: { cause?: unknown; hint?: string }) {
    super(`${code}: ${message}`, options?.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options?.hint;
  }
}

/** Whether `error` is a {@link CoreError} with this code, also across bundled copies. */
export function isCoreError(error: unknown, code?: CoreErrorCode): error is CoreError {
  return (
    error instanceof Error &&
    error.name === 'CoreError' &&
    (code === undefined || (error as CoreError).code === code)
  );
}
