import {
  METHODS,
  missingCapability,
  type AgentCapabilities,
  type MethodName,
} from '@signalbox/acp';
import { isPresent } from '../../json/json.ts';
import { at } from '../../json/json.ts';
import type { AgentProbe } from './probe.ts';

/** Requests that would need more than a session id to make sense, and what they carry. */
const SESSION = { sessionId: 'no-such-session' };

/** Methods and notifications that the agent does not know or did not announce. */
export const METHOD_PROBES: readonly AgentProbe[] = [
  {
    name: 'methods that do not exist',
    ids: ['R-FRM-20', 'R-EXT-05'],
    blame: ['R-FRM-20'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const unknown = await client.request('session/does_not_exist', SESSION);
      const text = 'an unknown method is answered with';
      probe.found(
        'R-FRM-20',
        unknown.code === -32601,
        `${text} ${unknown.code ?? 'a result'}`,
        unknown.message,
      );
      const custom = await client.request('_signalbox.check/echo', { a: 1 });
      const isOk = custom.code === -32601;
      probe.found(
        'R-EXT-05',
        isOk,
        `an unknown own method is answered with ${custom.code ?? 'a result'}`,
        custom.message,
      );
    },
  },
  {
    name: 'methods that were not announced',
    ids: ['R-FRM-20'],
    blame: ['R-FRM-20'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const capabilities = (at(client.agent, 'agentCapabilities') ?? {}) as AgentCapabilities;
      const names = (Object.keys(METHODS) as MethodName[]).filter(
        (name) =>
          METHODS[name].side === 'agent' &&
          missingCapability(name, { agent: capabilities }) !== undefined &&
          // Logging out may work where it is not announced, and that would harm the user.
          name !== 'logout',
      );
      for (const name of names) {
        const params = { ...SESSION, cwd: await probe.directory(), mcpServers: [] };
        const answer = await client.request(name, name === 'session/list' ? {} : params);
        const isOk = answer.code === -32601;
        // Some agents serve more than they announce; that is wrong only if nobody can know it.
        if (isOk) probe.pass('R-FRM-20', `${name} is answered with -32601`, answer.message);
        else
          probe.warn(
            'R-FRM-20',
            `${name} was not announced and is not answered -32601`,
            answer.message,
          );
      }
    },
  },
  {
    name: 'notifications that are unknown or malformed',
    ids: ['R-FRM-13', 'R-FRM-21', 'R-EXT-06', 'R-CRQ-02', 'R-CRQ-05', 'R-CRQ-09'],
    blame: ['R-FRM-13', 'R-FRM-21'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const from = client.link.received.length;
      await client.notify('session/cancel', SESSION);
      await client.notify('session/cancel');
      await client.notify('$/cancel_request', { requestId: 'never-sent' });
      await client.notify('$/future', { a: 1 });
      await client.notify('_vendor/x', {});
      await client.notify('foo/bar', { a: 1 });
      const alive = await client.ping();
      const stray = client.link.received
        .slice(from)
        .find((each) => each.kind === 'response' && each !== alive.message);
      const ids = ['R-FRM-13', 'R-FRM-21', 'R-EXT-06', 'R-CRQ-02', 'R-CRQ-05', 'R-CRQ-09'];
      for (const id of stray === undefined ? ids : ['R-FRM-13']) {
        probe.judge(
          id,
          stray === undefined,
          'notifications are not answered',
          stray ?? alive.message,
        );
      }
    },
  },
  {
    name: 'a late $/cancel_request',
    ids: ['R-CRQ-05', 'R-CRQ-03'],
    blame: ['R-CRQ-05'],
    async run(probe) {
      const client = await probe.connect();
      const answered = await client.ping('late');
      await client.notify('$/cancel_request', { requestId: 'late' });
      const alive = await client.ping();
      const answers = client.link.received.filter(({ idText }) => idText === '"late"');
      const isOnce = answers.length === 1;
      for (const id of ['R-CRQ-05', 'R-CRQ-03']) {
        probe.judge(
          id,
          isOnce,
          'an answered request is not answered again',
          answered.message,
          alive.message,
        );
      }
    },
  },
  {
    name: 'a request without params',
    ids: ['R-FRM-22'],
    blame: ['R-FRM-22'],
    missing: (agent) =>
      isPresent(agent, 'sessionCapabilities', 'list') ? undefined : 'sessionCapabilities.list',
    async run(probe) {
      const client = await probe.connect();
      for (const params of [undefined, null, {}]) {
        const answer = await client.request('session/list', params);
        const text = `session/list with params ${JSON.stringify(params) ?? 'left out'} is answered`;
        if (answer.code === -32000) probe.notExercised('R-FRM-22', 'a login is needed');
        else probe.judge('R-FRM-22', !answer.isError, text, answer.message);
      }
    },
  },
];
