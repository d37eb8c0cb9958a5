import { at } from '../../../json/json.ts';
import { PING_METHOD } from '../../../kit-client/kit-client.ts';
import { timed, TIMED_OUT } from '../../../process/timed.ts';
import { quoteExchange } from '../../../wire/http-exchange.ts';
import { HTTP } from '../../played-over.ts';
import type { AgentProbe } from '../probe.ts';
import { judgeStatus } from './judge-status.ts';
import { newId, RawConnection } from './raw-connection.ts';

/** The life of a connection, and what is left behind it. */
export const LIFETIME_PROBES: readonly AgentProbe[] = [
  {
    name: 'the life of a connection',
    ids: ['R-HTTP-22'],
    blame: ['R-HTTP-22'],
    over: HTTP,
    async run(probe) {
      const ready = await probe.ready();
      const { message, isError } = await probe.prompt(ready, probe.prompts.text);
      if (isError) return;
      await ready.client.end();
      probe.pass('R-HTTP-22', 'a connection lives as it does on stdio', message);
    },
  },
  {
    name: 'ending a connection',
    ids: ['R-HTTP-19'],
    blame: ['R-HTTP-19'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      const own = await connection.stream();
      const session = await connection.newSession();
      const other = await connection.stream(session.id);
      const { answerMs } = probe.bench.timeouts;
      const nameless = await probe.http().ask({ method: 'DELETE' }, answerMs);
      const what = 'a DELETE without connection id';
      judgeStatus(probe, nameless, { id: 'R-HTTP-19', allowed: [400], what });
      const deleted = await connection.delete();
      judgeStatus(probe, deleted, { id: 'R-HTTP-19', allowed: [202], what: 'a DELETE' });
      const ended = await timed(Promise.all([own.ended, other.ended]), answerMs);
      const text = 'a DELETE ends the streams of its connection';
      probe.judge('R-HTTP-19', ended !== TIMED_OUT, text, quoteExchange(deleted));
      const late = await connection.post({ id: newId(), method: PING_METHOD, params: {} });
      const then = 'a POST for a connection that was ended';
      judgeStatus(probe, late, { id: 'R-HTTP-19', allowed: [404], what: then });
    },
  },
  {
    name: 'loading behind a connection that was lost',
    ids: ['R-HTTP-23'],
    over: HTTP,
    missing: (agent) => (at(agent, 'loadSession') === true ? undefined : 'loadSession'),
    async run(probe) {
      const http = probe.http();
      const lost = await RawConnection.open(probe, http);
      await lost.stream();
      const session = await lost.newSession();
      await lost.stream(session.id);
      await lost.endOfTurn(await lost.prompt(session.id, probe.prompts.remember));
      http.close();
      const connection = await RawConnection.open(probe);
      await connection.stream();
      await connection.stream(session.id);
      const params = { sessionId: session.id, cwd: session.cwd, mcpServers: [] };
      const load = { id: newId(), method: 'session/load', params };
      const exchange = await connection.post(load, session.id);
      const isAccepted = exchange.answer.status === 202;
      const answer = isAccepted ? await connection.answerTo(load.id) : undefined;
      const proof = answer?.data ?? quoteExchange(exchange);
      const text = 'a session can be loaded on a new connection after its streams broke';
      const isLoaded = answer !== undefined && answer.value['error'] === undefined;
      if (isLoaded) probe.pass('R-HTTP-23', text, proof);
      else probe.warn('R-HTTP-23', `not so: ${text}`, proof);
    },
  },
];
