import { randomUUID } from 'node:crypto';
import { at, isPresent, stringAt } from '../../../json/json.ts';
import { PING_METHOD } from '../../../kit-client/kit-client.ts';
import { EVENT_STREAM_TYPE, HeaderName, isEventStream } from '../../../remote/header-name.ts';
import { quoteExchange } from '../../../wire/http-exchange.ts';
import { HTTP } from '../../played-over.ts';
import type { AgentProbe } from '../probe.ts';
import type { ProbeRun } from '../probe-run.ts';
import { judgeStatus } from './judge-status.ts';
import { RawConnection, type Arrival } from './raw-connection.ts';

const BOGUS = 'kit-no-such-session';

/** Which streams there are, and what comes on which. */
export const STREAM_PROBES: readonly AgentProbe[] = [
  {
    name: 'opening streams',
    ids: ['R-HTTP-13'],
    blame: ['R-HTTP-13'],
    isHostile: true,
    over: HTTP,
    async run(probe) {
      const { id } = await RawConnection.open(probe);
      const named = { [HeaderName.connection]: id };
      const events = { accept: EVENT_STREAM_TYPE };
      for (const [headers, allowed, what] of [
        [{ ...named, accept: 'application/json' }, [406], 'a GET that takes no event stream'],
        [events, [400], 'a GET without connection id'],
        [{ ...events, [HeaderName.connection]: randomUUID() }, [404], 'a GET with an unknown id'],
        // It has to be possible before session/load, for which the official SDK opens any stream.
        [
          { ...named, ...events, [HeaderName.session]: BOGUS },
          [404, 200],
          'a GET for a session that does not exist',
        ],
      ] as const) {
        const exchange = await probe.http().ask({ method: 'GET', headers }, limitOf(probe));
        judgeStatus(probe, exchange, { id: 'R-HTTP-13', allowed, what });
      }
      const headers = { ...named, ...events };
      const exchange = await probe.http().ask({ method: 'GET', headers }, limitOf(probe));
      const isOpened = exchange.answer.status === 200 && isEventStream(exchange.answer.headers);
      const text = 'a GET as it should be opens an event stream';
      probe.judge('R-HTTP-13', isOpened, text, quoteExchange(exchange));
    },
  },
  {
    name: 'answers that belong to no session',
    ids: ['R-HTTP-14'],
    blame: ['R-HTTP-14'],
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      const session = await connection.newSession();
      await connection.stream(session.id);
      await connection.stream(BOGUS).catch(() => undefined);
      const asked: [method: string, params: object, session?: string][] = [[PING_METHOD, {}]];
      const capabilities = at(connection.agent, 'agentCapabilities');
      if (isPresent(capabilities, 'sessionCapabilities', 'list')) asked.push(['session/list', {}]);
      if (at(capabilities, 'loadSession') === true) {
        // Whether it succeeds does not matter here.
        const params = { sessionId: BOGUS, cwd: session.cwd, mcpServers: [] };
        asked.push(['session/load', params, BOGUS]);
      }
      for (const [method, params, of] of asked) {
        const { stream, data } = await connection.request(method, { ...params }, of);
        const where = stream === undefined ? "the connection's stream" : `the stream of ${stream}`;
        const text = `${method} is answered on ${where}`;
        probe.found('R-HTTP-14', stream === undefined, text, data);
      }
    },
  },
  {
    name: 'two sessions on their streams',
    ids: ['R-HTTP-15'],
    over: HTTP,
    async run(probe) {
      const connection = await RawConnection.open(probe);
      await connection.stream();
      const sessions = [await connection.newSession(), await connection.newSession()];
      for (const { id } of sessions) await connection.stream(id);
      const prompts = await Promise.all(
        sessions.map(async ({ id }) => connection.prompt(id, probe.prompts.text)),
      );
      const ends = await Promise.all(prompts.map((id) => connection.endOfTurn(id)));
      const strays = [
        ...connection.arrivals.filter((each) => isStray(each)),
        ...ends.filter(({ stream }, place) => stream !== sessions[place]?.id),
      ];
      const text = 'updates, questions and answers of two sessions come on their own streams';
      probe.judge('R-HTTP-15', strays.length === 0, text, strays[0]?.data);
      const answers = connection.arrivals.filter(({ value }) => isAnswerTo(value, prompts));
      const isOnce = answers.length === prompts.length;
      probe.judge('R-HTTP-15', isOnce, 'each prompt is answered once', answers.at(-1)?.data);
    },
  },
];

function limitOf(probe: ProbeRun): number {
  return probe.bench.timeouts.answerMs;
}

function sessionOf(value: Arrival['value']): string | undefined {
  return stringAt(value, 'params', 'sessionId');
}

/** Whether a message names a session and comes on another stream than that one's. */
function isStray({ stream, value }: Arrival): boolean {
  const session = sessionOf(value);
  return session !== undefined && session !== stream;
}

function isAnswerTo(value: Arrival['value'], prompts: readonly number[]): boolean {
  return typeof value['method'] !== 'string' && prompts.includes(Number(value['id']));
}
