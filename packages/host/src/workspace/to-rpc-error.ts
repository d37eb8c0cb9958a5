import { pathToFileURL } from 'node:url';
import { ErrorCode, isRpcError, RpcError } from '@signalbox/acp';
import { FileProblem, type FileProblemReason } from './problem.ts';

/**
 * The answer to a file request that failed. `data` holds `path` as it was asked for, `reason`
 * ({@link FileProblemReason}), what else is known, and for a missing file its `uri`.
 */
export function toFileRpcError(error: unknown): RpcError {
  if (isRpcError(error)) return error;
  if (!(error instanceof FileProblem)) {
    // What went wrong inside the host is not the agent's business.
    const data = { reason: 'internal' };
    return new RpcError(ErrorCode.InternalError, 'The host failed', data, { cause: error });
  }
  const { reason, path, details, message } = error;
  const uri = reason === 'missing' ? { uri: pathToFileURL(path).href } : {};
  const data = { path, reason, ...uri, ...details };
  return new RpcError(codeOf(reason), message, data, { cause: error });
}

/** What can never work with these params is invalid params; what the file's state prevents is not. */
function codeOf(reason: FileProblemReason): number {
  switch (reason) {
    case 'missing':
      return ErrorCode.ResourceNotFound;
    case 'path_invalid':
    case 'params_invalid':
    case 'outside':
    case 'not_a_file':
    case 'not_a_directory':
    case 'link_loop':
      return ErrorCode.InvalidParams;
    case 'not_text':
    case 'too_large':
    case 'conflict':
    case 'changed':
    case 'no_access':
    case 'io':
      return ErrorCode.InternalError;
  }
}
