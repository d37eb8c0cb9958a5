import { at } from '../../json/json.ts';
import { PING_METHOD } from '../../kit-client/kit-client.ts';
import { timed, TIMED_OUT } from '../../process/timed.ts';
import { HeaderName } from '../../remote/header-name.ts';
import { headerOf } from '../../wire/http-exchange.ts';
import { WEBSOCKET } from '../played-over.ts';
import { startLong } from './long-turn.ts';
import type { AgentProbe } from './probe.ts';

/** A violation of the protocol, or of what the agent allows. */
const REFUSALS = [1002, 1008];

/** Everything about WebSockets that needs frames of a probe's own. */
export const WEBSOCKET_PROBES: readonly AgentProbe[] = [
  {
    name: 'opening a WebSocket',
    ids: ['R-WS-01', 'R-WS-03'],
    blame: ['R-WS-01'],
    over: WEBSOCKET,
    async run(probe) {
      const ids: (string | undefined)[] = [];
      for (let count = 0; count < 2; count++) {
        const { socket } = (await probe.connect()).link;
        ids.push(headerOf(socket.log.answerHeaders, HeaderName.connection));
      }
      const isFresh = new Set(ids).size === ids.length && !ids.includes(undefined);
      const text = `each upgrade makes a connection of its own: ${ids.join(', ')}`;
      probe.judge('R-WS-01', isFresh, text);
    },
  },
  {
    name: 'binary frames',
    ids: ['R-WS-04'],
    blame: ['R-WS-04'],
    isHostile: true,
    over: WEBSOCKET,
    async run(probe) {
      const client = await probe.connect();
      const request = { jsonrpc: '2.0', id: 'binary', method: PING_METHOD, params: {} };
      await client.link.socket.send(Buffer.from(JSON.stringify(request)), true);
      await client.link.socket.send(Uint8Array.of(0, 255, 1, 254), true);
      const alive = await client.ping();
      const answer = client.link.received.find(({ idText }) => idText === '"binary"');
      const text = 'binary frames are ignored, and the connection goes on';
      probe.judge('R-WS-04', answer === undefined, text, answer ?? alive.message);
    },
  },
  {
    name: 'frames that are no JSON',
    ids: ['R-WS-07'],
    blame: ['R-WS-07'],
    isHostile: true,
    over: WEBSOCKET,
    async run(probe) {
      const client = await probe.connect();
      const from = client.link.received.length;
      await client.line('{"jsonrpc":"2.0","id":1,"meth');
      const alive = await client.ping();
      const answer = client.link.received
        .slice(from)
        .find(({ idText, error }) => idText === 'null' && at(error, 'code') === -32700);
      const text = 'a frame that is no JSON is answered with -32700 and the id null';
      probe.judge('R-WS-07', answer !== undefined, text, answer ?? alive.message);
    },
  },
  {
    name: 'a ping frame',
    ids: ['R-WS-08'],
    over: WEBSOCKET,
    async run(probe) {
      const { link, timeouts } = await probe.connect();
      const isAnswered = await link.socket.ping(timeouts.answerMs);
      probe.judge('R-WS-08', isAnswered, 'a ping frame is answered by a pong frame');
    },
  },
  {
    name: 'a first message that is not initialize',
    ids: ['R-WS-09'],
    isHostile: true,
    over: WEBSOCKET,
    async run(probe) {
      const client = probe.start();
      const { socket } = client.link;
      await client.send({ id: client.newId(), method: PING_METHOD, params: {} });
      const { answerMs } = client.timeouts;
      const what = 'a connection that does not begin with initialize';
      if ((await timed(socket.ended, Math.min(answerMs, CLOSE_MS))) === TIMED_OUT) {
        probe.notExercised('R-WS-09', `${what} is not closed`);
        return;
      }
      const { code = 1006, reason = '' } = socket.log.closing ?? {};
      const seen = `${what} is closed with code ${code}${reason === '' ? '' : ` (${reason})`}`;
      probe.found('R-WS-09', REFUSALS.includes(code), seen);
    },
  },
  {
    name: 'a socket that is lost during a turn',
    ids: ['R-WS-05'],
    blame: ['R-WS-05'],
    over: WEBSOCKET,
    async run(probe) {
      const lost = await probe.ready();
      await startLong(probe, lost);
      lost.client.link.socket.drop();
      const { client } = await probe.ready();
      const text = 'a new connection with a new session works after one was lost during a turn';
      probe.pass('R-WS-05', text, client.link.received.at(-1));
      const { sessionId, cwd } = lost;
      if (at(client.agent, 'agentCapabilities', 'loadSession') !== true) return;
      // The draft has it both ways: the sessions of a lost connection may be gone.
      const load = await client.request('session/load', { sessionId, cwd, mcpServers: [] });
      const what = load.isError ? 'refused' : 'possible';
      probe.pass('R-WS-05', `loading the session of the lost one is ${what}`, load.message);
    },
  },
];

/** How long an agent may take to close a connection that it does not want. */
const CLOSE_MS = 3000;
