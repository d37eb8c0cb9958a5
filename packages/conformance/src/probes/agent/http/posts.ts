import { PING_METHOD } from '../../../kit-client/kit-client.ts';
import { SilentError } from '../../../kit-client/wait-errors.ts';
import { quoteExchange } from '../../../wire/http-exchange.ts';
import { HTTP } from '../../played-over.ts';
import type { AgentProbe } from '../probe.ts';
import { promptParams, type ProbeRun } from '../probe-run.ts';
import { judgeStatus } from './judge-status.ts';
import { newId, RawConnection } from './raw-connection.ts';

/** A POST that is answered this much later than the turn began waited for something. */
const AT_ONCE_MS = 1000;

/** When POSTs are answered. */
export const POST_PROBES: readonly AgentProbe[] = [
  {
    name: 'POSTs behind initialize',
    ids: ['R-HTTP-08'],
    blame: ['R-HTTP-08'],
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      for (const message of [
        { id: newId(), method: PING_METHOD, params: {} },
        { method: '_signalbox.check/note', params: {} },
      ]) {
        const what = 'id' in message ? 'a request' : 'a notification';
        const exchange = await connection.post(message);
        judgeStatus(probe, exchange, { id: 'R-HTTP-08', allowed: [202], what });
      }
      const session = await connection.newSession();
      await connection.stream(session.id);
      const id = await judgePrompt(probe, connection, session.id);
      const params = { sessionId: session.id };
      await connection.post({ method: 'session/cancel', params }, session.id);
      await connection.endOfTurn(id);
    },
  },
];

/** Sends a long prompt whose POST has to be answered while the turn goes on. @returns its id */
async function judgePrompt(
  probe: ProbeRun,
  connection: RawConnection,
  session: string,
): Promise<number> {
  const id = newId();
  const params = promptParams(session, probe.prompts.long);
  const message = { id, method: 'session/prompt', params };
  const exchange = await connection.post(message, session).catch((error: unknown) => {
    if (error instanceof SilentError) return undefined;
    throw error;
  });
  if (exchange === undefined) {
    const { answerMs } = probe.bench.timeouts;
    probe.fail('R-HTTP-08', `the POST of a prompt is not answered within ${answerMs} ms`);
    return id;
  }
  const isOver = connection.arrivals.some(({ value }) => value['id'] === id);
  const ms = Math.round(exchange.answer.at - exchange.at);
  if (isOver && ms > AT_ONCE_MS) {
    const text = `the POST of a prompt is answered ${ms} ms later, when the turn is over`;
    probe.fail('R-HTTP-08', text, quoteExchange(exchange));
    return id;
  }
  const what = `the POST of a prompt, after ${ms} ms,`;
  judgeStatus(probe, exchange, { id: 'R-HTTP-08', allowed: [202], what });
  return id;
}
