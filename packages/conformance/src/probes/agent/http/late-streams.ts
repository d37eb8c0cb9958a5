import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '../../../json/json.ts';
import { timed, TIMED_OUT } from '../../../process/timed.ts';
import { quoteExchange } from '../../../wire/http-exchange.ts';
import { HTTP } from '../../played-over.ts';
import type { AgentProbe } from '../probe.ts';
import { NotReached, promptParams, type ProbeRun } from '../probe-run.ts';
import { newId, RawConnection } from './raw-connection.ts';

/** How much later than a turn is over its stream is opened. */
const LATE_MS = 500;
/** How often a stream is asked for again that is still taken. */
const AGAIN_MS = 100;

/** Streams that are opened late, break, or bring nothing. */
export const LATE_STREAM_PROBES: readonly AgentProbe[] = [
  {
    name: 'a stream that is opened late',
    ids: ['R-HTTP-17'],
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      const [usual, late] = [await connection.newSession(), await connection.newSession()];
      await connection.stream(usual.id);
      const started = performance.now();
      await connection.endOfTurn(await connection.prompt(usual.id, probe.prompts.text));
      const usualMs = performance.now() - started;
      const id = await connection.prompt(late.id, probe.prompts.text);
      await sleep(usualMs + LATE_MS);
      await connection.stream(late.id);
      const waitMs = usualMs + probe.bench.timeouts.answerMs;
      const end = await connection.answerTo(id, waitMs).catch(() => undefined);
      const [expected, kept] = [usual, late].map(
        (session) => connection.arrivals.filter((each) => isChunk(each, session.id)).length,
      );
      if (end === undefined) {
        const text = 'the answer to a prompt is lost when its stream is opened late';
        probe.fail('R-HTTP-17', text);
      } else if (expected !== 0 && kept === 0) {
        probe.fail('R-HTTP-17', 'updates are lost when their stream is opened late', end.data);
      } else {
        const text = `${kept} updates and the answer wait for a stream that is opened late`;
        probe.pass('R-HTTP-17', text, end.data);
      }
    },
  },
  {
    name: 'a stream that breaks',
    ids: ['R-HTTP-29'],
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      const [broken, other] = [await connection.newSession(), await connection.newSession()];
      const first = await connection.stream(broken.id);
      const second = await connection.stream(other.id);
      const long = await connection.prompt(broken.id, probe.prompts.long);
      await connection
        .next((each) => isChunk(each, broken.id), probe.bench.timeouts.turnMs, 'update')
        .catch(() => undefined);
      first.close();
      const end = await turnWithout(probe, connection, other.id, second.ended);
      const text = 'another stream goes on when one breaks';
      probe.judge('R-HTTP-29', typeof end !== 'string', text, evidenceOf(end));
      if (typeof end === 'string') return;
      await reopen(probe, connection, broken.id);
      const sessionId = broken.id;
      await connection.post({ method: 'session/cancel', params: { sessionId } }, sessionId);
      const { answerMs } = probe.bench.timeouts;
      const later = await connection.answerTo(long, answerMs).catch(() => undefined);
      // The answer may have been lost with the broken stream if the turn was short.
      const next = later ?? (await turnAfter(probe, connection, broken.id));
      const isThere = next !== undefined;
      const what = 'a stream that broke brings later messages when it is opened again';
      probe.judge('R-HTTP-29', isThere, what, next?.data);
    },
  },
  {
    name: 'an idle stream',
    ids: ['R-HTTP-28'],
    over: HTTP,
    isIdle: true,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      const reader = await connection.stream();
      const { idleMs } = probe.bench.timeouts;
      const started = performance.now();
      const seen = await timed(
        Promise.race([
          reader.nextComment().then(() => 'a comment comes'),
          reader.ended.then(() => 'the stream is ended'),
        ]),
        idleMs,
      );
      const ms = Math.round(performance.now() - started);
      if (seen === 'a comment comes') {
        probe.pass('R-HTTP-28', `${seen} after ${ms} ms on an idle stream`);
      } else {
        // Nothing says how often one has to come, so longer intervals are not wrong.
        const what =
          seen === TIMED_OUT ? `nothing comes for ${idleMs} ms` : `${seen} after ${ms} ms`;
        probe.warn('R-HTTP-28', `${what} on an idle stream, which proxies cut sooner or later`);
      }
    },
  },
];

type Arrival = RawConnection['arrivals'][number];

function isChunk({ value }: Arrival, session: string): boolean {
  return value['method'] === 'session/update' && at(value, 'params', 'sessionId') === session;
}

/** The end of a turn beside a broken stream, or what is in its way. @throws NotReached for a slow model */
async function turnWithout(
  probe: ProbeRun,
  connection: RawConnection,
  session: string,
  broken: Promise<void>,
): Promise<Arrival | string> {
  const id = newId();
  const params = promptParams(session, probe.prompts.text);
  const exchange = await connection.post({ id, method: 'session/prompt', params }, session);
  if (exchange.answer.status !== 202) return quoteExchange(exchange);
  const end = await Promise.race([connection.endOfTurn(id), broken]);
  return end ?? 'the other stream has ended, too';
}

function evidenceOf(end: Arrival | string): string {
  return typeof end === 'string' ? end : end.data;
}

/** Opens a stream again; the agent may take a moment to notice that its reader has gone. */
async function reopen(probe: ProbeRun, connection: RawConnection, session: string): Promise<void> {
  const deadline = performance.now() + probe.bench.timeouts.answerMs;
  for (;;) {
    try {
      await connection.stream(session);
      return;
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      if (performance.now() > deadline) {
        probe.fail('R-HTTP-29', `a stream that broke cannot be opened again: ${error.message}`);
        return;
      }
    }
    await sleep(AGAIN_MS);
  }
}

async function turnAfter(
  probe: ProbeRun,
  connection: RawConnection,
  session: string,
): Promise<Arrival | undefined> {
  const id = await connection.prompt(session, probe.prompts.text);
  return connection.answerTo(id, probe.bench.timeouts.turnMs).catch(() => undefined);
}
