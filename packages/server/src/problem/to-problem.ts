import { isCoreError } from '@signalbox/core';
import { isHostError } from '@signalbox/host';
import { isServerError } from '../server-error.ts';
import type { ProblemCode, Problem } from './problem.ts';
import { ProblemError } from './problem.ts';

/** Codes for what Fastify refuses itself, by status. */
const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  404: 'not_found',
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** What a client is told of an error. Faults of ours are told without their text. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (isCoreError(error, 'cursor_malformed') || isCoreError(error, 'cursor_foreign')) {
    const detail = `${error.message}. Read the session from its beginning, with after=start.`;
    return {
      status: 400,
      code: error.code === 'cursor_foreign' ? error.code : 'cursor_malformed',
      detail,
    };
  }
  if (isHostError(error, 'closed') || isCoreError(error, 'journal_closed')) {
    return { status: 503, code: 'draining', detail: 'The server is being shut down. Try again.' };
  }
  if (isCoreError(error) || isHostError(error, 'journal_failed')) {
    const detail = 'The log of the sessions cannot be read or written; the server log says why.';
    return { status: 503, code: 'journal_failed', detail };
  }
  if (isServerError(error, 'options_invalid')) {
    return { status: 400, code: 'invalid_request', detail: error.message };
  }
  const status = statusOf(error);
  if (status !== undefined && error instanceof Error) {
    return { status, code: BY_STATUS[status] ?? 'invalid_request', detail: error.message };
  }
  return { status: 500, code: 'internal', detail: 'The server has failed; its log says why.' };
}

/** The status of an error that Fastify blames on the client. */
function statusOf(error: unknown): number | undefined {
  const { statusCode } = error as { statusCode?: unknown };
  if (typeof statusCode !== 'number') return undefined;
  return statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
