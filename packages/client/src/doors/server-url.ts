import { ClientError } from '../client-error.ts';

const AGENT_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The address of a server's endpoint.
 *
 * @param url the server's own address, `http(s)://host:port`, with the path in front of a proxy if there is
 *   one. User names and passwords have no place in it.
 * @param agent the agent that new sessions get; undefined: the server's default.
 * @throws ClientError `invalid_argument`.
 */
export function endpointUrl(url: string, agent: string | undefined): string {
  if (!URL.canParse(url)) throw invalid(`"${url}" is no URL`);
  const base = new URL(url);
  if (base.protocol !== 'http:' && base.protocol !== 'https:') {
    throw invalid(`the server's address begins with http:// or https://, not ${base.protocol}`);
  }
  if (base.username !== '' || base.password !== '' || base.search !== '') {
    // They would end up in logs and histories (B170).
    throw invalid('the address may hold no name, password or query; give the token as `token`');
  }
  if (agent !== undefined && !AGENT_NAME.test(agent)) {
    throw invalid(`"${agent.slice(0, 120)}" is no name of an agent`);
  }
  const path = base.pathname.replace(/\/+$/, '');
  return `${base.origin}${path}/acp${agent === undefined ? '' : `/agents/${agent}`}`;
}

/** The same address for a WebSocket. */
export function toWebSocketUrl(endpoint: string): string {
  return endpoint.replace(/^http/, 'ws');
}

function invalid(message: string): ClientError {
  return new ClientError('invalid_argument', message);
}
