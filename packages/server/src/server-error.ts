/** Why a server could not be made or started. */
export type ServerErrorCode =
  /** The options would let others in who must not come in; the message says which. */
  | 'exposure_refused'
  /** An option is not what its documentation says. */
  | 'options_invalid'
  /** The address cannot be listened on. */
  | 'listen_failed';

/** A local failure of the server. Match by `code`, never by text. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;
  /** What the reader can do about it. */
  readonly hint: string | undefined;

  constructor(
    code: ServerErrorCode,
    message: string,
    options?: { cause?: unknown; hint?: string },
  ) {
    super(message, options?.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options?.hint;
  }
}

/** Whether `error` is a {@link ServerError} with this code, also across bundled copies. */
export function isServerError(error: unknown, code?: ServerErrorCode): error is ServerError {
  return (
    error instanceof Error &&
    error.name === 'ServerError' &&
    (code === undefined || (error as ServerError).code === code)
  );
}
