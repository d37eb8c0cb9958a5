import { STATUS_CODES } from 'node:http';

/** Why a request was refused, by code: stands in the `type` and the `code` of the body. */
export type HttpProblemCode =
  | 'invalid_request'
  | 'connection_id_missing'
  | 'connection_unknown'
  | 'session_id_missing'
  | 'session_id_mismatch'
  | 'already_initialized'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'stream_refused'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'too_many_streams'
  | 'too_many_connections'
  | 'draining'
  | 'overloaded'
  | 'initialize_timeout'
  | 'rewind_timeout'
  | 'internal';

/** A refusal on its way to the response (RFC 9457). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly code: HttpProblemCode;
  /** Response headers that belong to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** More members of the body. */
  readonly members: Readonly<Record<string, string>>;

  /** @param detail what happened, and what to do about it. */
  constructor(
    status: number,
    code: HttpProblemCode,
    detail: string,
    more: Partial<Pick<HttpProblem, 'headers' | 'members'>> = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.members = more.members ?? {};
  }

  /** The text of the response body. */
  toText(): string {
    const { status, code, message: detail, members } = this;
    const title = STATUS_CODES[status] ?? 'Error';
    const type = `urn:signalbox:problem:${code}`;
    return JSON.stringify({ type, title, status, detail, code, ...members });
  }
}
