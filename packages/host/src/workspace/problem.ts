/** Why a path may not be used. */
export type RefusalReason =
  /** Empty, relative, too long, or with characters that no path can hold. */
  | 'path_invalid'
  /** It leads out of the session's roots, by `..`, by a link, or to begin with. */
  | 'outside'
  /** There is nothing of that name. */
  | 'missing'
  /** A directory, pipe, socket or device where a file is needed. */
  | 'not_a_file'
  /** Something else where a directory is needed. */
  | 'not_a_directory'
  /** Symbolic links lead in a circle. */
  | 'link_loop'
  /** The system does not let the host look at it. */
  | 'no_access'
  /** The system failed otherwise. */
  | 'io';

/** An expected outcome: the path is not for this session. A value, not an error. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reason: RefusalReason;
  /** As it was asked for. */
  readonly path: string;
  /** A sentence for the agent. It tells nothing about places outside the roots. */
  readonly message: string;
  /** Where a file of that name would be. Only for `missing`. */
  readonly realPath?: string;
}

/** Why a file could not be read or written. */
export type FileProblemReason =
  | RefusalReason
  /** `line`, `limit` or `content` cannot be used. */
  | 'params_invalid'
  /** The bytes are no UTF-8 text. */
  | 'not_text'
  | 'too_large'
  /** The file is not as the session saw it last. */
  | 'conflict'
  /** Somebody moved or replaced a part of the path between check and use. */
  | 'changed';

/** A file that could not be read or written. Match by `reason`, never by text. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  readonly reason: FileProblemReason;
  /** As it was asked for. */
  readonly path: string;
  /** Further facts for the agent's program, in JSON. */
  readonly details: Readonly<Record<string, string | number | null>>;

  constructor(
    reason: FileProblemReason,
    path: string,
    message: string,
    options: {
      readonly details?: Readonly<Record<string, string | number | null>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.reason = reason;
    this.path = path;
    this.details = options.details ?? {};
  }
}

/** A refusal as something to throw. */
export function toFileProblem({ reason, path, message }: Refusal): FileProblem {
  return new FileProblem(reason, path, message);
}

/**
 * What an error of the system means for a path that was checked before. A link or a missing directory
 * there is news, so the path has changed since.
 */
export function fromSystemError(error: unknown, path: string): FileProblem {
  if (error instanceof FileProblem) return error;
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const options = { cause: error, details: { errno: code } };
  switch (code) {
    case 'ENOENT':
      return new FileProblem('missing', path, `${path} does not exist`, options);
    case 'ELOOP':
    case 'ENOTDIR':
    case 'EMLINK':
      return changedProblem(path, error);
    case 'ENXIO':
    case 'EISDIR':
      return new FileProblem('not_a_file', path, `${path} is not a regular file`, options);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new FileProblem('no_access', path, `No access to ${path} (${code})`, options);
    default:
      return new FileProblem('io', path, `The system failed at ${path} (${code})`, options);
  }
}

/** A part of the path is not what it was when it was checked. */
export function changedProblem(path: string, cause?: unknown): FileProblem {
  const message = `${path} was moved or replaced while it was being opened; try again`;
  return new FileProblem('changed', path, message, { cause });
}
