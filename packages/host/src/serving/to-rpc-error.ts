import { ErrorCode, isPeerError, isRpcError, RpcError } from '@signalbox/acp';
import { isCoreError, type CoreError, type TurnEnd } from '@signalbox/core';
import { isHostError, type HostError } from '../host-error.ts';
import { ServingErrorCode } from './serving-error-code.ts';

/**
 * An error for a client. What the agent answered passes through as it is; paths and stacks stay here.
 *
 * @throws the error itself when it is a fault of ours: the connection answers it, and tells the log of it.
 */
export function toRpcError(error: unknown, sessionId?: string): RpcError {
  if (isRpcError(error)) return error;
  if (isHostError(error)) return ofHostError(error, sessionId);
  if (isCoreError(error)) return ofCoreError(error, sessionId);
  if (!isPeerError(error)) throw error;
  // A call that failed on the agent's connection: it has ended, or answers what is no answer.
  const failure = isPeerError(error, 'closed') ? 'agent_exited' : 'internal';
  const data = withSession({ failure }, sessionId);
  const message = `The agent did not answer: ${error.message}`;
  return new RpcError(ErrorCode.InternalError, message, data, { cause: error });
}

/** What a client is told of a turn that failed: the agent's own code and words where there are any. */
export function ofTurnFailure(
  end: Extract<TurnEnd, { kind: 'failed' }>,
  sessionId: string,
): RpcError {
  const { failure, message } = end;
  return new RpcError(codeOfTurn(end), message, { failure, sessionId });
}

/** The session of this id is not known, or not open on this connection (R-SES-13). */
export function unknownSession(sessionId: string, hint?: string): RpcError {
  const message = `There is no session ${sessionId} here${hint === undefined ? '' : `; ${hint}`}`;
  const data = { sessionId, failure: 'session_not_found' };
  return new RpcError(ErrorCode.ResourceNotFound, message, data);
}

/** We have given a request up, as when we end (R-CRQ-06). */
export function cancelled(): RpcError {
  return new RpcError(ErrorCode.RequestCancelled, 'Request cancelled');
}

/** The client sent something that cannot be worked with. */
export function invalidParams(message: string, data?: Record<string, unknown>): RpcError {
  return new RpcError(ErrorCode.InvalidParams, `Invalid params: ${message}`, data);
}

function codeOfTurn(end: Extract<TurnEnd, { kind: 'failed' }>): number {
  switch (end.failure) {
    case 'auth_required':
      return ErrorCode.AuthRequired;
    case 'agent_error':
      return end.code ?? ErrorCode.InternalError;
    case 'agent_start':
    case 'agent_exited':
    case 'invalid_response':
    case 'turn_idle':
    case 'interrupted':
      return ErrorCode.InternalError;
  }
}

function ofHostError(error: HostError, sessionId: string | undefined): RpcError {
  const { code, hint, cause } = error;
  // The agent's own words reach the client as the agent said them (B172).
  if (code === 'auth_required' && isRpcError(cause)) {
    return new RpcError(ErrorCode.AuthRequired, cause.message, cause.data, { cause: error });
  }
  if (code === 'session_not_found' && sessionId !== undefined) return unknownSession(sessionId);
  const of = { failure: code, ...(hint === undefined ? {} : { hint }) };
  return new RpcError(codeOf(error), error.message, withSession(of, sessionId), { cause: error });
}

/** The log is damaged, or cannot be reached; the session is not lost, and can be deleted (B124). */
function ofCoreError(error: CoreError, sessionId: string | undefined): RpcError {
  const { hint = 'Look at the disk, restore the journal from a copy, or delete the session.' } =
    error;
  const message = `The log cannot be read or written: ${error.message}`;
  const data = withSession({ failure: 'journal_failed', hint }, sessionId);
  return new RpcError(ErrorCode.InternalError, message, data, { cause: error });
}

function codeOf({ code }: HostError): number {
  switch (code) {
    case 'auth_required':
      return ErrorCode.AuthRequired;
    case 'cwd_invalid':
    case 'prompt_conflict':
      return ErrorCode.InvalidParams;
    case 'session_not_found':
      return ErrorCode.ResourceNotFound;
    case 'session_busy':
      return ServingErrorCode.SessionBusy;
    case 'session_in_use':
      return ServingErrorCode.SessionInUse;
    case 'agent_unknown':
    case 'agent_spawn_failed':
    case 'agent_handshake_failed':
    case 'permission_not_answerable':
    case 'journal_failed':
    case 'closed':
      return ErrorCode.InternalError;
  }
}

function withSession(
  data: Record<string, unknown>,
  sessionId: string | undefined,
): Record<string, unknown> {
  return sessionId === undefined ? data : { ...data, sessionId };
}
