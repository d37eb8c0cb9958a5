import type { Agent } from 'node:http';
import type { HttpFetch } from './http-fetch.ts';
import { NodeExchange, reasonOf } from './node-exchange.ts';
import { NodeTargets } from './node-targets.ts';

/** How a Node program sends its requests. */
export interface NodeFetchOptions {
  /**
   * Makes the connections and keeps them, for proxies and certificates of one's own: an agent of
   * `node:https` when the address begins so. Each event stream takes one of its sockets.
   */
  readonly agent?: Agent;
  /** How long connecting may take, in ms. Default 10 s. */
  readonly connectMs?: number;
  /** How long a request may wait for the next sign of its answer, in ms. Default 300 s. */
  readonly silenceMs?: number;
}

/**
 * A `fetch` on `node:http` and `node:https`, for `connectHttp`: it takes a fraction of the time that Node's own
 * needs for its web streams. It behaves the same: connections are kept for the next request and do not
 * keep the process alive, certificates are checked, redirections are not followed, and the proxies
 * of `--use-env-proxy` are used. It keeps no cookies and asks for no compression.
 */
export function createNodeFetch(options: NodeFetchOptions = {}): HttpFetch {
  const { agent, connectMs = 10_000, silenceMs = 300_000 } = options;
  const targets = new NodeTargets(agent);
  return async (url, { method, headers, body, signal }) => {
    if (signal.aborted) throw reasonOf(signal);
    const { request, options: where } = targets.find(url);
    const exchange = new NodeExchange(request({ ...where, timeout: silenceMs, method, headers }));
    exchange.endWith(signal);
    exchange.bound({ connectMs, silenceMs });
    return exchange.send(body);
  };
}
