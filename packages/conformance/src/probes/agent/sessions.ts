import { at, isPresent, stringAt } from '../../json/json.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import { errorCode, type WireMessage } from '../../passive/wire-message.ts';
import { isWork } from './long-turn.ts';
import type { AgentProbe } from './probe.ts';
import { promptParams } from './probe-run.ts';

/** Whether a message is an update of a turn of this session. */
function isWorkOf(sessionId: string): (message: WireMessage) => boolean {
  return ({ params }) => isWork(params, sessionId);
}

function toMessage({ message }: Answer): WireMessage {
  return message;
}

const BOGUS = 'kit-no-such-session';

/** Opening sessions. */
export const SESSION_PROBES: readonly AgentProbe[] = [
  {
    name: 'opening a session',
    ids: ['R-INI-13', 'R-INI-15', 'R-SES-02'],
    blame: ['R-INI-13'],
    async run(probe) {
      const client = await probe.connect();
      const ids: (string | undefined)[] = [];
      for (const process of [client, client, client, await probe.connect()]) {
        const answer = await process.request('session/new', {
          cwd: await probe.directory(),
          mcpServers: [],
        });
        if (answer.code === -32000) {
          probe.notExercised('R-SES-02', 'a login is needed');
          return;
        }
        // An agent may have no room for more than one session.
        if (answer.isError && ids.length > 0) continue;
        if (answer.isError && answer.code !== -32601) {
          // It has the method, and may have a reason that is not ours to judge, such as a server that it needs.
          probe.warn('R-INI-13', 'session/new is refused', answer.message);
          return;
        }
        probe.judge('R-INI-13', !answer.isError, 'session/new works', answer.message);
        if (answer.isError) return;
        ids.push(stringAt(answer.result, 'sessionId'));
      }
      if (ids.length === 1) return;
      const isUnique = new Set(ids).size === ids.length && !ids.includes(undefined);
      probe.judge('R-SES-02', isUnique, `session ids are unique: ${ids.join(', ')}`);
    },
  },
  {
    name: 'directories that are not absolute',
    ids: ['R-SES-05'],
    blame: ['R-SES-05'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      for (const cwd of ['relative/path', '']) {
        const answer = await client.request('session/new', { cwd, mcpServers: [] });
        if (answer.code === -32000) return;
        probe.judge('R-SES-05', answer.isError, `the cwd "${cwd}" is refused`, answer.message);
      }
    },
  },
  {
    name: 'sessions that do not exist',
    ids: ['R-SES-13'],
    blame: ['R-SES-13'],
    isHostile: true,
    async run(probe) {
      const { client, session } = await probe.ready();
      const requests: [string, object][] = [['session/prompt', promptParams(BOGUS, 'x')]];
      if (isPresent(session, 'modes')) requests.push(['session/set_mode', { modeId: 'x' }]);
      for (const [method, params] of requests) {
        const answer = await client.request(method, { sessionId: BOGUS, ...params });
        const text = `${method} for an unknown session is answered with ${answer.code ?? 'a result'}`;
        probe.found('R-SES-13', answer.isError, text, answer.message);
      }
    },
  },
  {
    name: 'MCP servers over a transport that was not announced',
    ids: ['R-MCP-09'],
    blame: ['R-MCP-09'],
    isHostile: true,
    missing: (agent) =>
      at(agent, 'mcpCapabilities', 'http') === true ? 'an agent without MCP over HTTP' : undefined,
    async run(probe) {
      await probe.ready();
      const server = { type: 'http', name: 'kit', url: 'http://127.0.0.1:9/', headers: [] };
      const answer = await probe.tryOpen({ mcpServers: [server] });
      probe.judge('R-MCP-09', answer.isError, 'an MCP server over HTTP is refused', answer.message);
    },
  },
  {
    name: 'additional directories that do not fit',
    ids: ['R-DIR-03', 'R-DIR-04'],
    blame: ['R-DIR-03'],
    isHostile: true,
    missing: (agent) =>
      isPresent(agent, 'sessionCapabilities', 'additionalDirectories')
        ? undefined
        : 'sessionCapabilities.additionalDirectories',
    async run(probe) {
      const { cwd } = await probe.ready();
      for (const list of [['relative'], [''], [5], 'x']) {
        const answer = await probe.tryOpen({ additionalDirectories: list });
        const text = `additionalDirectories ${JSON.stringify(list)} is answered with ${answer.code ?? 'a result'}`;
        probe.found('R-DIR-03', answer.code === -32602, text, answer.message);
      }
      const answer = await probe.tryOpen({ additionalDirectories: [`${cwd}/does-not-exist`] });
      const text = 'a directory that does not exist is refused, not dropped';
      if (errorCode(answer.message) !== undefined) probe.pass('R-DIR-04', text, answer.message);
    },
  },
  {
    name: 'a cwd of one session does not show in another',
    ids: ['R-SES-09', 'R-CHK-02'],
    async run(probe) {
      const first = await probe.ready();
      const second = await probe.open(first.client);
      const ids = await Promise.all([
        probe.startPrompt(first, probe.prompts.text),
        probe.startPrompt(second, probe.prompts.text),
      ]);
      const answers = await Promise.all(ids.map((id) => probe.endOfTurn(first.client, id)));
      const failed = answers.find(({ isError }) => isError);
      if (failed !== undefined) {
        probe.notExercised('R-SES-09', 'a turn failed');
        return;
      }
      const known = [first.sessionId, second.sessionId];
      const silent = known.filter((id) => !first.client.updates(id).some(isWorkOf(id)));
      if (silent.length === 1) {
        const text = 'of two turns at the same time one has updates, and the other has none';
        for (const id of ['R-SES-09', 'R-CHK-02']) probe.warn(id, text, ...answers.map(toMessage));
      }
      const stray = first.client.link.received.find(
        ({ method, params }) =>
          method === 'session/update' && !known.includes(stringAt(params, 'sessionId') ?? ''),
      );
      for (const id of ['R-SES-09', 'R-CHK-02']) {
        probe.judge(
          id,
          stray === undefined,
          'two sessions run their turns at the same time',
          stray,
        );
      }
    },
  },
];
