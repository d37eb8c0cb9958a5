import { randomBytes } from 'node:crypto';
import { PING_METHOD } from '../../../kit-client/kit-client.ts';
import { HeaderName, isEventStream, EVENT_STREAM_TYPE } from '../../../remote/header-name.ts';
import { askOverHttp2 } from '../../../remote/http2.ts';
import type { RawHttp } from '../../../remote/raw-http.ts';
import { httpUrl } from '../../../remote/endpoint.ts';
import { headerOf, quoteExchange, type AnsweredExchange } from '../../../wire/http-exchange.ts';
import { HTTP, REMOTE } from '../../played-over.ts';
import type { AgentProbe } from '../probe.ts';
import type { ProbeRun } from '../probe-run.ts';
import { judgeStatus } from './judge-status.ts';
import { initializeText, postInitialize, RawConnection, newId } from './raw-connection.ts';

const STRANGER = 'http://signalbox-check.example';

/** What the endpoint is as a whole, and whom it lets in. */
export const ENDPOINT_PROBES: readonly AgentProbe[] = [
  {
    name: 'one endpoint for everything',
    ids: ['R-HTTP-01'],
    blame: ['R-HTTP-01'],
    over: REMOTE,
    async run(probe) {
      const http = probe.http();
      const socket = await upgrade(probe, http);
      const isSocketOnly = probe.endpoint.transport === 'websocket';
      const rule = { id: 'R-HTTP-01', allowed: [101], what: 'a WebSocket upgrade' };
      judgeStatus(probe, socket, rule);
      const begun = await postInitialize(probe, http);
      if (begun.answer.status !== 200 && isSocketOnly) {
        const text = 'the endpoint offers WebSocket only, which is allowed';
        probe.pass('R-HTTP-01', text, quoteExchange(begun));
        return;
      }
      judgeStatus(probe, begun, { id: 'R-HTTP-01', allowed: [200], what: 'initialize by POST' });
      const id = headerOf(begun.answer.headers, HeaderName.connection);
      if (id === undefined) return;
      const named = { [HeaderName.connection]: id };
      const { answerMs } = probe.bench.timeouts;
      for (const [method, headers, status] of [
        ['GET', { ...named, accept: EVENT_STREAM_TYPE }, 200],
        ['DELETE', named, 202],
      ] as const) {
        const exchange = await http.ask({ method, headers }, answerMs);
        const what = `a ${method}`;
        judgeStatus(probe, exchange, { id: 'R-HTTP-01', allowed: [status], what });
      }
    },
  },
  {
    name: 'HTTP/2',
    ids: ['R-HTTP-03'],
    over: HTTP,
    async run(probe) {
      const url = httpUrl(probe.endpoint);
      const { startMs } = probe.bench.timeouts;
      const headers = { ...probe.endpoint.headers, 'content-type': 'application/json' };
      const answer = await askOverHttp2(url, headers, initializeText(), startMs);
      const { connectionId: made } = answer;
      if (made !== undefined) {
        const named = { [HeaderName.connection]: made };
        await probe.http().ask({ method: 'DELETE', headers: named }, startMs);
      }
      if (answer.status === 200) {
        probe.pass('R-HTTP-03', 'initialize is answered over HTTP/2');
      } else if (url.protocol === 'https:' || answer.status !== undefined) {
        probe.warn('R-HTTP-03', `initialize does not work over HTTP/2: ${answer.text}`);
      } else {
        // Who speaks it over TLS, or behind a proxy that does, need not speak it without.
        const text = `HTTP/2 is not spoken here without TLS: ${answer.text}`;
        probe.notExercised('R-HTTP-03', text);
      }
    },
  },
  {
    name: 'requests of a foreign origin',
    ids: ['R-HTTP-25'],
    isHostile: true,
    over: REMOTE,
    async run(probe) {
      const http = probe.http();
      const headers = { origin: STRANGER };
      const isSocket = probe.endpoint.transport === 'websocket';
      const exchange = isSocket
        ? await upgrade(probe, http, headers)
        : await postInitialize(probe, http, headers);
      const { status } = exchange.answer;
      const what = isSocket ? 'an upgrade' : 'initialize';
      const text = `${what} from a page of another origin is answered with ${status}`;
      if (status >= 400) probe.pass('R-HTTP-25', text, quoteExchange(exchange));
      else probe.warn('R-HTTP-25', text, quoteExchange(exchange));
    },
  },
  {
    name: 'a connection id without credentials',
    ids: ['R-HTTP-26'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const stranger = probe.http({});
      const { status } = (await postInitialize(probe, stranger)).answer;
      if (status < 400) {
        probe.notExercised('R-HTTP-26', 'the endpoint asks nobody for credentials');
        return;
      }
      const connection = await RawConnection.open(probe);
      const stream = { [HeaderName.connection]: connection.id, accept: EVENT_STREAM_TYPE };
      const ping = { jsonrpc: '2.0', id: newId(), method: PING_METHOD, params: {} };
      const { answerMs } = probe.bench.timeouts;
      for (const question of [
        { method: 'GET', headers: stream },
        {
          method: 'POST',
          headers: { ...stream, 'content-type': 'application/json' },
          body: JSON.stringify(ping),
        },
        { method: 'DELETE', headers: stream },
      ]) {
        const exchange = await stranger.ask(question, answerMs);
        const isIn = exchange.answer.status < 400 || isEventStream(exchange.answer.headers);
        const text = `a ${question.method} with a connection id, but without credentials, is answered with ${exchange.answer.status}`;
        probe.found('R-HTTP-26', !isIn, text, quoteExchange(exchange));
      }
    },
  },
];

/** Asks for a WebSocket, and leaves it at once if there is one. @throws SilentError, EndedError */
function upgrade(
  probe: ProbeRun,
  http: RawHttp,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnsweredExchange> {
  const asked = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  };
  return http.ask({ method: 'GET', headers: asked }, probe.bench.timeouts.answerMs);
}
