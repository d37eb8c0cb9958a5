import type { RemoteEndpoint } from '@signalbox/conformance';
import { UsageError } from '../../usage-error.ts';

/** The options that name an endpoint. */
export interface EndpointOptions {
  readonly url?: string;
  readonly transport?: string;
  /** Each like `Name: value`. */
  readonly header?: readonly string[];
}

const SCHEMES = ['http:', 'https:', 'ws:', 'wss:'];
/** The name of a header field (RFC 9110). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The endpoint that the options name; undefined when they name none. The token for it is in SIGNALBOX_TOKEN,
 * unless a header says who asks.
 *
 * @throws UsageError for what is no endpoint, and for options that need one.
 */
export function toEndpoint(
  { url, transport, header = [] }: EndpointOptions,
  environment: NodeJS.ProcessEnv = process.env,
): RemoteEndpoint | undefined {
  if (url === undefined) {
    if (transport !== undefined) throw new UsageError('--transport needs --url');
    if (header.length > 0) throw new UsageError('--header needs --url');
    return undefined;
  }
  const { protocol, username, password } = parse(url);
  if (username !== '' || password !== '') {
    throw new UsageError('--url holds no credentials; use SIGNALBOX_TOKEN or --header');
  }
  const named = transport ?? (protocol.startsWith('ws') ? 'websocket' : 'http');
  return { url, transport: toRemote(named), headers: toHeaders(header, environment) };
}

/** @throws UsageError unless it is one of the two transports over a network. */
export function toRemote(name: string): RemoteEndpoint['transport'] {
  if (name === 'websocket' || name === 'http') return name;
  throw new UsageError(`--transport ${name}: it is "websocket" or "http"`);
}

function parse(url: string): URL {
  if (!URL.canParse(url)) throw new UsageError(`--url ${url} is no URL`);
  const parsed = new URL(url);
  if (SCHEMES.includes(parsed.protocol)) return parsed;
  throw new UsageError(`--url ${url}: it begins with http, https, ws or wss`);
}

function toHeaders(
  given: readonly string[],
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const headers = Object.fromEntries(given.map(toHeader));
  const token = environment['SIGNALBOX_TOKEN'] ?? '';
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return token === '' || isNamed ? headers : { ...headers, Authorization: `Bearer ${token}` };
}

function toHeader(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(at, 0)).trim();
  const value = text.slice(at + 1).trim();
  if (FIELD_NAME.test(name) && FIELD_VALUE.test(value)) return [name, value];
  // It may hold a credential, so it is not repeated.
  throw new UsageError('--header is like "Name: value"');
}
