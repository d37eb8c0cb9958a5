import { defineArea } from './requirement.ts';

/** WebSocket (draft). */
export const WEBSOCKET = defineArea('WS', 'WebSocket (draft)', [
  {
    id: 'R-WS-01',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence:
      'Accept a GET with `Upgrade: websocket` on the endpoint and return Acp-Connection-Id in the 101 response.',
    whyNot: { agent: 'transport not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-WS-02',
    bound: 'client',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence: 'Send initialize as first message on the socket.',
    whyNot: { client: 'transport not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-WS-03',
    bound: 'both',
    level: 'MUST',
    source: 'R',
    kind: 'passive',
    sentence: 'Send one JSON-RPC message per text frame.',
    whyNot: {
      agent: 'transport not attached: plugs in with the HTTP and WebSocket transports',
      client: 'transport not attached: plugs in with the HTTP and WebSocket transports',
    },
  },
  {
    id: 'R-WS-04',
    bound: 'both',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence: 'Ignore binary frames.',
    whyNot: {
      agent: 'transport not attached: plugs in with the HTTP and WebSocket transports',
      client: 'transport not attached: plugs in with the HTTP and WebSocket transports',
    },
  },
  {
    id: 'R-WS-05',
    bound: 'agent',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence: 'Clean up the connection when the socket closes.',
    whyNot: { agent: 'transport not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-WS-06',
    bound: 'client',
    level: 'MUST',
    source: 'R',
    kind: 'active',
    sentence: 'Send stored cookies on the upgrade request.',
    whyNot: { client: 'transport not attached: plugs in with the HTTP and WebSocket transports' },
  },
  {
    id: 'R-WS-07',
    bound: 'both',
    level: 'SHOULD',
    source: 'K',
    kind: 'active',
    sentence: 'Answer unparsable frames with -32700/null and go on.',
    whyNot: {
      agent: 'transport not attached: plugs in with the HTTP and WebSocket transports',
      client: 'transport not attached: plugs in with the HTTP and WebSocket transports',
    },
  },
  {
    id: 'R-WS-08',
    bound: 'both',
    level: 'SHOULD',
    source: 'R',
    kind: 'active',
    sentence: 'Provide liveness by ping/pong at implementation level.',
    whyNot: {
      agent: 'transport not attached: plugs in with the HTTP and WebSocket transports',
      client: 'transport not attached: plugs in with the HTTP and WebSocket transports',
    },
  },
  {
    id: 'R-WS-09',
    bound: 'agent',
    level: 'SHOULD',
    source: 'K',
    kind: 'passive',
    sentence:
      'Use close codes 1001 shutdown, 1002 protocol error, 1008 limit, 1011 internal error.',
    whyNot: { agent: 'transport not attached: plugs in with the HTTP and WebSocket transports' },
  },
]);
