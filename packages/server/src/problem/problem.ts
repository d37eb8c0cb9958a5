import { STATUS_CODES } from 'node:http';

/** Why a request was not done, by code. Match by code, never by text. */
export type ProblemCode =
  /** The Host header is not one of this server's names (B143). */
  | 'host_not_allowed'
  /** The Origin header is neither this server's own nor a configured one. */
  | 'origin_not_allowed'
  /** A page of another site sent a request with this browser's cookie. */
  | 'cross_site'
  /** A secret stood in the URL, where logs and histories keep it (B170). */
  | 'credential_in_url'
  /** Neither a valid token nor a valid cookie came with the request. */
  | 'unauthorized'
  /** Whoever asks is known, and may not do this. */
  | 'forbidden'
  /** The login code is unknown, used or too old. */
  | 'login_code_invalid'
  /** Too many sign-ins failed. */
  | 'too_many_failures'
  /** There is nothing at this address. */
  | 'not_found'
  | 'session_not_found'
  | 'agent_unknown'
  /** The address exists, but not for this method. */
  | 'method_not_allowed'
  /** Something about the request is not as documented. */
  | 'invalid_request'
  /** The cursor is not one of ours. */
  | 'cursor_malformed'
  /** The cursor belongs to another session or to an older log. */
  | 'cursor_foreign'
  /** The cursor lies behind the end of the log. */
  | 'cursor_gap'
  /** The body is longer than allowed. */
  | 'body_too_large'
  | 'unsupported_media_type'
  /** The request did not arrive in time. */
  | 'request_timeout'
  /** The connection asked for a protocol that is not spoken here. */
  | 'upgrade_not_supported'
  /** As many streams or WebSockets are open as the server allows, altogether or to one client. */
  | 'too_many_streams'
  /** The server is being shut down; what was asked can be asked of its successor. */
  | 'draining'
  /** The log cannot be read or written. */
  | 'journal_failed'
  /** A fault of this server. */
  | 'internal';

/** What the body of an error response says (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly code: ProblemCode;
  /** What happened, and what to do about it. */
  readonly detail: string;
  /** Response headers that belong to it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a problem is to be looked into by whoever runs the server. */
export function isFault({ code }: Problem): boolean {
  return code === 'internal' || code === 'journal_failed';
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The problem as the text of a response body. */
export function toProblemText({ status, code, detail }: Problem): string {
  const title = STATUS_CODES[status] ?? 'Error';
  return JSON.stringify({ type: `urn:signalbox:problem:${code}`, title, status, detail, code });
}

/** A problem on its way to whoever answers the request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.detail, options);
    this.problem = problem;
  }
}
