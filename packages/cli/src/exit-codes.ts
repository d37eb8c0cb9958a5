import type { HostErrorCode } from '@signalbox/host';
import type { TurnEnd } from '@signalbox/core';

/** What `signalbox` exits with. Stop reasons and failures are kept apart, so that scripts can tell. */
export const ExitCode = {
  /** The turn ended by itself, or the command did what it was asked. */
  Ok: 0,
  /** A fault of Signalbox itself. */
  Internal: 1,
  /** The command line or the configuration is wrong. */
  Usage: 2,
  MaxTokens: 10,
  MaxTurnRequests: 11,
  Refusal: 12,
  AgentStart: 20,
  AgentExited: 21,
  AgentError: 22,
  AuthRequired: 23,
  InvalidResponse: 24,
  TurnIdle: 25,
  Interrupted: 26,
  SessionNotFound: 30,
  SessionInUse: 31,
  SessionBusy: 32,
  JournalFailed: 33,
  /** The turn was cancelled; the code that shells give for Ctrl-C. */
  Cancelled: 130,
} as const;

/** One of the documented exit codes. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code for the way a turn ended. */
export function exitCodeOfTurn(end: TurnEnd): ExitCode {
  if (end.kind === 'stopped') {
    switch (end.stopReason) {
      case 'end_turn':
        return ExitCode.Ok;
      case 'max_tokens':
        return ExitCode.MaxTokens;
      case 'max_turn_requests':
        return ExitCode.MaxTurnRequests;
      case 'refusal':
        return ExitCode.Refusal;
      case 'cancelled':
        return ExitCode.Cancelled;
    }
  }
  switch (end.failure) {
    case 'agent_start':
      return ExitCode.AgentStart;
    case 'agent_exited':
      return ExitCode.AgentExited;
    case 'agent_error':
      return ExitCode.AgentError;
    case 'auth_required':
      return ExitCode.AuthRequired;
    case 'invalid_response':
      return ExitCode.InvalidResponse;
    case 'turn_idle':
      return ExitCode.TurnIdle;
    case 'interrupted':
      return ExitCode.Interrupted;
  }
}

/** The exit code for a failure of the host. */
export function exitCodeOfHostError(code: HostErrorCode): ExitCode {
  switch (code) {
    case 'agent_unknown':
    case 'cwd_invalid':
    case 'prompt_conflict':
      return ExitCode.Usage;
    case 'agent_spawn_failed':
    case 'agent_handshake_failed':
      return ExitCode.AgentStart;
    case 'auth_required':
      return ExitCode.AuthRequired;
    case 'session_not_found':
      return ExitCode.SessionNotFound;
    case 'session_in_use':
      return ExitCode.SessionInUse;
    case 'session_busy':
      return ExitCode.SessionBusy;
    case 'journal_failed':
      return ExitCode.JournalFailed;
    case 'permission_not_answerable':
    case 'closed':
      return ExitCode.Internal;
  }
}
