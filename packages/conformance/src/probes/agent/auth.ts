import { at, isPresent, listAt } from '../../json/json.ts';
import type { AgentProbe } from './probe.ts';
import { ALL_CAPABILITIES, helloParams, type ProbeRun } from './probe-run.ts';

/** Login and logout. */
export const AUTH_PROBES: readonly AgentProbe[] = [
  {
    name: 'terminal logins are listed only for clients that have terminals for them',
    ids: ['R-AUT-02', 'R-AUT-01'],
    blame: [],
    async run(probe) {
      const without = await probe.connect({});
      const withTerminal = await probe.connect({ ...ALL_CAPABILITIES, auth: { terminal: true } });
      const isTerminal = (method: unknown) => at(method, 'type') === 'terminal';
      const listed = listAt(without.agent, 'authMethods').find(isTerminal);
      probe.judge(
        'R-AUT-02',
        listed === undefined,
        'no terminal login is listed without auth.terminal',
        without.link.received[0],
      );
      const all = [...without.authMethods, ...withTerminal.authMethods];
      if (all.length === 0) return;
      const areNamed = all.every(
        (method) => typeof at(method, 'id') === 'string' && typeof at(method, 'name') === 'string',
      );
      probe.judge(
        'R-AUT-01',
        areNamed,
        'login methods have id and name',
        withTerminal.link.received[0],
      );
    },
  },
  {
    name: 'a login method that does not exist',
    ids: ['R-AUT-07'],
    blame: ['R-AUT-07'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const answer = await client.request('authenticate', { methodId: 'kit-no-such-method' });
      const text = `an unknown login method is answered with ${answer.code ?? 'a result'}`;
      probe.found('R-AUT-07', answer.isError, text, answer.message);
    },
  },
  {
    name: 'logging in',
    ids: ['R-AUT-04'],
    async run(probe) {
      const { authenticate } = probe.bench;
      if (authenticate === undefined) {
        probe.notExercised('R-AUT-04', 'no login method was named for the check');
        return;
      }
      const client = await probe.connect();
      const [, login] = client.link.received.filter(({ kind }) => kind === 'response');
      const params = { cwd: await probe.directory(), mcpServers: [] };
      const answer = await client.request('session/new', params);
      const isOk = login?.isError === false && answer.code !== -32000;
      probe.judge(
        'R-AUT-04',
        isOk,
        'a session can be opened after the login',
        login,
        answer.message,
      );
    },
  },
  {
    name: 'logging out',
    ids: ['R-AUT-09', 'R-AUT-10'],
    blame: ['R-AUT-09'],
    missing: (agent) => (isPresent(agent, 'auth', 'logout') ? undefined : 'auth.logout'),
    async run(probe) {
      if (!probe.bench.mayLogOut) {
        probe.notExercised('R-AUT-09', 'logging out was not allowed for the check');
        return;
      }
      const { client, sessionId } = await probe.ready();
      const answer = await client.request('logout', {});
      probe.judge('R-AUT-09', !answer.isError, 'logout works', answer.message);
      const next = await client.request('session/new', {
        cwd: await probe.directory(),
        mcpServers: [],
      });
      if (await isGated(probe)) {
        const isRefused = next.code === -32000;
        probe.judge('R-AUT-09', isRefused, 'a login is needed after logout', next.message);
      }
      const prompt = await probe.prompt({ client, sessionId }, probe.prompts.text);
      probe.pass('R-AUT-10', 'a session that was open is answered', prompt.message);
    },
  },
];

/** Whether the agent wants a login before a session is opened. */
async function isGated(probe: ProbeRun): Promise<boolean> {
  const client = probe.start();
  const { startMs } = probe.bench.timeouts;
  await client.request('initialize', helloParams({}), { timeoutMs: startMs });
  const params = { cwd: await probe.directory(), mcpServers: [] };
  const answer = await client.request('session/new', params);
  return answer.code === -32000;
}
