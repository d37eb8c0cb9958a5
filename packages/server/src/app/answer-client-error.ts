import type { Socket } from 'node:net';
import type { Problem } from '../problem/problem.ts';
import { refuseSocket } from '../problem/refuse-socket.ts';

/** Answers what was no HTTP request, or took too long to become one, where anybody can still hear it. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  refuseSocket(socket, PROBLEMS[error.code ?? ''] ?? MALFORMED);
}

const MALFORMED: Problem = {
  status: 400,
  code: 'invalid_request',
  detail: 'This is not a valid HTTP request.',
};

const PROBLEMS: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    detail: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'invalid_request',
    detail: 'The headers of the request are too long.',
  },
};
