import type { Problem } from './problem.ts';

/** What is answered while the server is being shut down. */
export const DRAINING: Problem = {
  status: 503,
  code: 'draining',
  detail: 'The server is being shut down. Try again in a moment.',
  headers: { 'Retry-After': '2' },
};
