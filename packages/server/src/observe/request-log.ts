import type { Logger } from 'pino';
import type { Principal } from '../auth/principal.ts';
import type { Metrics } from './metrics.ts';

/** One request that is over. It never holds a URL, a header or a body: secrets may stand there. */
export interface EndedRequest {
  readonly method: string;
  /** The route's template; undefined where none matched. */
  readonly route: string | undefined;
  /** 0: the connection ended before there was an answer. */
  readonly status: number;
  readonly ms: number;
  readonly principal: Principal | undefined;
  /** The client went away before the whole answer was sent. */
  readonly isAborted?: boolean;
}

const UNMATCHED = 'unmatched';
/** Methods that have a label of their own; anybody can send any other word. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Writes one line for each request when it is over, and counts it. */
export class RequestLog {
  readonly #log: Logger;
  readonly #metrics: Metrics;

  constructor(log: Logger, metrics: Metrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  note({ method, route = UNMATCHED, status, ms, principal, isAborted }: EndedRequest): void {
    const label = METHODS.has(method) ? method : 'other';
    this.#metrics.requests.inc({ method: label, route, status: String(status) });
    this.#metrics.durations.observe({ route }, ms / 1000);
    this.#log.info(
      {
        method,
        route,
        status,
        ms: Math.round(ms),
        ...(principal === undefined ? {} : { principal: principal.name }),
        ...(isAborted === true ? { aborted: true } : {}),
      },
      'request',
    );
  }
}
