import { ErrorCode, isRpcError } from '@signalbox/acp';
import type { ClientError } from '../client-error.ts';
import { isClientError } from '../client-error.ts';

/** What a failed attempt to attach a session again means for it. */
export type AttachFailure =
  /** It may work later. */
  | 'again'
  /** The server does not take the place: begin anew from a snapshot. */
  | 'fresh'
  /** The session does not exist any more. */
  | 'deleted'
  /** It will not work. */
  | 'failed';

/** The server does not let this client do it. */
const FORBIDDEN = -32012;

/** Judges why a session could not be attached. */
export function judgeAttachFailure(error: unknown): AttachFailure {
  if (isClientError(error)) return isPassing(error) ? 'again' : 'failed';
  if (!isRpcError(error)) return 'again';
  switch (error.code) {
    case ErrorCode.ResourceNotFound:
      return 'deleted';
    case ErrorCode.InvalidParams:
      return 'fresh';
    case ErrorCode.MethodNotFound:
    case FORBIDDEN:
      return 'failed';
    default:
      return 'again';
  }
}

function isPassing({ code }: ClientError): boolean {
  return code === 'timeout' || code === 'aborted' || code === 'unreachable';
}
