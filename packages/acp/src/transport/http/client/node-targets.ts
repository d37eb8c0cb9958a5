import { Agent, request, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, globalAgent, request as requestTls } from 'node:https';

/** How long a connection is kept for the next request, in ms, unless its server says that it ends sooner. */
const KEPT_MS = 5000;

/** Where requests to one address go, and how. */
export interface NodeTarget {
  readonly url: string;
  readonly request: typeof request;
  readonly options: RequestOptions;
}

/** Finds targets by their addresses. All of one scheme share their connections. */
export class NodeTargets {
  readonly #agents = new Map<string, Agent>();
  readonly #givenAgent: Agent | undefined;
  #latest: NodeTarget | undefined;

  /** @param agent for all connections; undefined for agents of our own. */
  constructor(agent: Agent | undefined) {
    this.#givenAgent = agent;
  }

  /** @throws TypeError when the address is not that of a server, or has credentials in it. */
  find(url: string): NodeTarget {
    if (this.#latest?.url === url) return this.#latest;
    const { protocol, hostname, port, pathname, search, username, password } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new TypeError(`an address begins with http:// or https://, not ${protocol}`);
    }
    // They would end up in logs (B170).
    if (username !== '' || password !== '') throw new TypeError('an address holds no credentials');
    const options = {
      agent: this.#givenAgent ?? this.#agentOf(protocol),
      // An address of IPv6 stands in brackets in a URL only.
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: pathname + search,
    };
    this.#latest = { url, request: protocol === 'https:' ? requestTls : request, options };
    return this.#latest;
  }

  #agentOf(protocol: 'http:' | 'https:'): Agent {
    const agent = this.#agents.get(protocol) ?? createAgent(protocol);
    this.#agents.set(protocol, agent);
    return agent;
  }
}

/** Not the agent of the process: a bound on its sockets would let streams hold up everything else. */
function createAgent(protocol: 'http:' | 'https:'): Agent {
  // The proxies of `--use-env-proxy`, which are the same for both schemes.
  const { proxyEnv } = globalAgent.options;
  const options = { keepAlive: true, timeout: KEPT_MS, ...(proxyEnv && { proxyEnv }) };
  return protocol === 'https:' ? new TlsAgent(options) : new Agent(options);
}
