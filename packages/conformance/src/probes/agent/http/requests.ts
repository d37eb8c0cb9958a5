import { randomUUID } from 'node:crypto';
import { PING_METHOD } from '../../../kit-client/kit-client.ts';
import { HeaderName, JSON_TYPE } from '../../../remote/header-name.ts';
import { headerOf, quoteExchange } from '../../../wire/http-exchange.ts';
import { HTTP } from '../../played-over.ts';
import type { AgentProbe } from '../probe.ts';
import { promptParams } from '../probe-run.ts';
import { judgeStatus } from './judge-status.ts';
import { initializeText, newId, postInitialize, RawConnection } from './raw-connection.ts';

const OTHER_TYPES: readonly string[] = ['text/plain', 'application/x-www-form-urlencoded', ''];

/** POSTs that are as they should be, and POSTs that are not. */
export const REQUEST_PROBES: readonly AgentProbe[] = [
  {
    name: 'initialize by POST',
    ids: ['R-HTTP-06'],
    blame: ['R-HTTP-06'],
    over: HTTP,
    async run(probe) {
      const http = probe.http();
      const ids: string[] = [];
      for (let count = 0; count < 2; count++) {
        // The body and the header are judged like those of every other initialize.
        const exchange = await postInitialize(probe, http);
        judgeStatus(probe, exchange, { id: 'R-HTTP-06', allowed: [200], what: 'initialize' });
        const id = headerOf(exchange.answer.headers, HeaderName.connection);
        if (id !== undefined) ids.push(id);
      }
      const isFresh = new Set(ids).size === ids.length;
      probe.judge('R-HTTP-06', isFresh, `connection ids are fresh: ${ids.join(', ')}`);
    },
  },
  {
    name: 'POSTs of other types',
    ids: ['R-HTTP-05'],
    blame: ['R-HTTP-05'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const http = probe.http();
      const { answerMs } = probe.bench.timeouts;
      for (const type of OTHER_TYPES) {
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        const question = { method: 'POST', headers, body: initializeText() };
        const what = `a POST of ${type === '' ? 'no type' : type}`;
        const rule = { id: 'R-HTTP-05', allowed: [415], what };
        judgeStatus(probe, await http.ask(question, answerMs), rule);
      }
      const named = { 'content-type': `${JSON_TYPE}; charset=utf-8` };
      const exchange = await postInitialize(probe, http, named);
      const text = `${JSON_TYPE} with a charset is the same type`;
      if (exchange.answer.status !== 415) return;
      probe.warn('R-HTTP-05', `${text}, and is refused`, quoteExchange(exchange));
    },
  },
  {
    name: 'POSTs without a connection',
    ids: ['R-HTTP-09'],
    blame: ['R-HTTP-09'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const http = probe.http();
      const body = JSON.stringify({ jsonrpc: '2.0', id: newId(), method: PING_METHOD, params: {} });
      for (const [id, status, what] of [
        [undefined, 400, 'a POST without connection id'],
        [randomUUID(), 404, 'a POST with an unknown connection id'],
      ] as const) {
        const headers = {
          'content-type': JSON_TYPE,
          ...(id === undefined ? {} : { [HeaderName.connection]: id }),
        };
        const question = { method: 'POST', headers, body };
        const exchange = await http.ask(question, probe.bench.timeouts.answerMs);
        judgeStatus(probe, exchange, { id: 'R-HTTP-09', allowed: [status], what });
      }
    },
  },
  {
    name: 'messages of a session without its header',
    ids: ['R-HTTP-11'],
    blame: ['R-HTTP-11'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      const session = await connection.newSession();
      const params = promptParams(session.id, probe.prompts.text);
      const { id: sessionId } = session;
      for (const message of [
        { id: newId(), method: 'session/prompt', params },
        { method: 'session/cancel', params: { sessionId } },
      ]) {
        const exchange = await connection.post(message);
        const what = `${message.method} without Acp-Session-Id`;
        judgeStatus(probe, exchange, { id: 'R-HTTP-11', allowed: [400], what });
      }
    },
  },
  {
    name: 'a batch by POST',
    ids: ['R-HTTP-20'],
    blame: ['R-HTTP-20'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      const ids = [newId(), newId()];
      const calls = ids.map((id) => ({ jsonrpc: '2.0', id, method: PING_METHOD, params: {} }));
      const body = JSON.stringify(calls);
      const exchange = await connection.ask('POST', { 'content-type': JSON_TYPE }, body);
      const { status } = exchange.answer;
      // An entry that is processed is answered before this.
      await connection.request(PING_METHOD, {});
      const isServed = connection.arrivals.some(({ value }) => ids.includes(Number(value['id'])));
      const seen = `a batch is answered with ${status}${isServed ? ', and its entries too' : ''}`;
      const isRefused = status >= 400 && !isServed;
      if (isRefused && status !== 400 && status !== 501) {
        probe.warn('R-HTTP-20', `${seen} instead of 501`, quoteExchange(exchange));
      } else probe.found('R-HTTP-20', isRefused, seen, quoteExchange(exchange));
    },
  },
  {
    name: 'requests that make no sense',
    ids: ['R-HTTP-27'],
    blame: ['R-HTTP-27'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      const json = { 'content-type': JSON_TYPE };
      for (const [method, body, allowed, what] of [
        ['POST', initializeText(), 400, 'initialize on a connection that has been initialised'],
        ['POST', '{"jsonrpc":"2.0","id":1,"meth', 400, 'a POST that is no JSON'],
        ['PUT', initializeText(), 405, 'a PUT'],
      ] as const) {
        const exchange = await connection.ask(method, json, body);
        judgeStatus(probe, exchange, { id: 'R-HTTP-27', allowed: [allowed], what });
      }
    },
  },
];
