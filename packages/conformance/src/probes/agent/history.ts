import { setTimeout as sleep } from 'node:timers/promises';
import { at, isPresent, listAt, stringAt } from '../../json/json.ts';
import { transportOf } from '../../kit-client/open-line.ts';
import type { KitClient } from '../../kit-client/kit-client.ts';
import type { AgentProbe } from './probe.ts';
import { NotReached, type ProbeRun, type Ready } from './probe-run.ts';

const SETTLE_MS = 300;
const BOGUS = 'kit-no-such-session';
const STATE_KINDS =
  /^(available_commands|current_mode|config_option|session_info|usage)_update$|^notice$/;

/** Sessions that are stored: loaded, resumed. */
export const HISTORY_PROBES: readonly AgentProbe[] = [
  {
    name: 'loading a session in a new process',
    ids: ['R-LOD-03', 'R-LOD-04', 'R-LOD-06', 'R-LOD-08', 'R-LOD-05', 'R-INI-15'],
    blame: ['R-INI-15'],
    missing: (agent) => (at(agent, 'loadSession') === true ? undefined : 'loadSession'),
    async run(probe) {
      const { stored, client } = await storeAndRestart(probe);
      const from = client.link.received.length;
      const asks = client.link.trace.length;
      const load = await client.request('session/load', setup(stored), {
        timeoutMs: probe.bench.timeouts.turnMs,
      });
      probe.judge('R-INI-15', load.code !== -32601, 'session/load works', load.message);
      probe.judge('R-LOD-03', !load.isError, 'a stored session can be loaded', load.message);
      if (load.isError) return;
      // Whoever goes on replaying behind the answer does it within this time.
      await client.ping();
      await sleep(SETTLE_MS);
      judgeReplay(probe, client, stored, { from, end: load.message.index });
      const asked = client.requests.filter(
        ({ index, method }) =>
          index > asks && index < load.message.index && !method.startsWith('_'),
      );
      probe.judge(
        'R-LOD-08',
        asked.length === 0,
        'a replay asks nothing of the client',
        ...asked.slice(0, 1),
      );
      await recall(probe, client, stored, 'R-LOD-06');
    },
  },
  {
    name: 'loading a session that does not exist',
    ids: ['R-LOD-07'],
    blame: ['R-LOD-07'],
    isHostile: true,
    missing: (agent) => (at(agent, 'loadSession') === true ? undefined : 'loadSession'),
    async run(probe) {
      const client = await probe.connect();
      const params = { sessionId: BOGUS, cwd: await probe.directory(), mcpServers: [] };
      const answer = await client.request('session/load', params);
      const text = `loading an unknown session is answered with ${answer.code ?? 'a result'}`;
      probe.found('R-LOD-07', answer.isError, text, answer.message);
    },
  },
  {
    name: 'resuming a session in a new process',
    ids: ['R-RSM-03', 'R-RSM-04', 'R-INI-15'],
    blame: ['R-INI-15'],
    missing: hasResume,
    async run(probe) {
      const { stored, client } = await storeAndRestart(probe);
      const from = client.link.received.length;
      const resume = await client.request('session/resume', setup(stored), {
        timeoutMs: probe.bench.timeouts.turnMs,
      });
      probe.judge('R-INI-15', resume.code !== -32601, 'session/resume works', resume.message);
      if (resume.isError) return;
      const replayed = client
        .updates(stored.sessionId, from)
        .find(({ params, index }) => index < resume.message.index && !isState(params));
      const text = 'no history is replayed before the answer';
      probe.judge('R-RSM-03', replayed === undefined, text, replayed, resume.message);
      await recall(probe, client, stored, 'R-RSM-04');
    },
  },
  {
    name: 'resuming a session that does not exist',
    ids: ['R-RSM-06'],
    blame: ['R-RSM-06'],
    isHostile: true,
    missing: hasResume,
    async run(probe) {
      const client = await probe.connect();
      const params = { sessionId: BOGUS, cwd: await probe.directory(), mcpServers: [] };
      const answer = await client.request('session/resume', params);
      const text = `resuming an unknown session is answered with ${answer.code ?? 'a result'}`;
      probe.found('R-RSM-06', answer.isError, text, answer.message);
    },
  },
];

function hasResume(agent: unknown): string | undefined {
  return isPresent(agent, 'sessionCapabilities', 'resume')
    ? undefined
    : 'sessionCapabilities.resume';
}

function setup({ sessionId, cwd }: Ready): object {
  return { sessionId, cwd, mcpServers: [] };
}

/** A session with one turn, and a new process that may know it. @throws NotReached */
async function storeAndRestart(probe: ProbeRun): Promise<{ stored: Ready; client: KitClient }> {
  const stored = await probe.ready();
  const turn = await probe.prompt(stored, probe.prompts.remember);
  if (turn.isError) throw new NotReached('the first turn failed');
  if (!(await stored.client.end())) await stored.client.stop();
  return { stored, client: await probe.connect() };
}

function isState(params: unknown): boolean {
  return STATE_KINDS.test(stringAt(params, 'update', 'sessionUpdate') ?? '');
}

function judgeReplay(
  probe: ProbeRun,
  client: KitClient,
  { sessionId }: Ready,
  { from, end }: { from: number; end: number },
): void {
  const updates = client.updates(sessionId, from);
  // Over HTTP the answer comes on another stream than the history, and between the two there is no order.
  const isOrdered = transportOf(probe.bench.target) !== 'http';
  const early = isOrdered ? updates.filter(({ index }) => index < end) : updates;
  const texts = early
    .filter(({ params }) => at(params, 'update', 'sessionUpdate') === 'user_message_chunk')
    .map(({ params }) => stringAt(params, 'update', 'content', 'text') ?? '')
    .join('');
  const isThere = texts.includes(probe.prompts.remember);
  const when = isOrdered ? ' before the answer' : '';
  const text = `the user message of the stored turn is replayed${when}`;
  if (isThere) probe.pass('R-LOD-03', text, ...early.slice(0, 1));
  else probe.fail('R-LOD-03', `${text}: it is not`, ...early.slice(0, 2));
  const count = texts.split(probe.prompts.remember).length - 1;
  if (count > 1) {
    probe.warn('R-LOD-03', `one user message is replayed ${count} times`, ...early.slice(0, 2));
  }
  if (!isOrdered) {
    probe.notExercised('R-LOD-04', 'the answer and the history come on streams without an order');
    return;
  }
  const late = updates.find(({ index, params }) => index > end && !isState(params));
  probe.judge('R-LOD-04', late === undefined, 'nothing is replayed after the answer', late);
}

async function recall(
  probe: ProbeRun,
  client: KitClient,
  { sessionId }: Ready,
  id: string,
): Promise<void> {
  const from = client.link.received.length;
  const answer = await probe.prompt({ client, sessionId }, probe.prompts.recall);
  const isKnown = /heliotrope/i.test(client.text(sessionId, from));
  const text = 'the next turn knows a word of the stored one';
  probe.reached('recall', id, isKnown, text, answer.message);
}

/** The sessions of a list, all pages together. */
export async function listAll(client: KitClient, params: object): Promise<readonly unknown[]> {
  const sessions: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await client.request(
      'session/list',
      cursor === undefined ? params : { ...params, cursor },
    );
    sessions.push(...listAt(answer.result, 'sessions'));
    const next = at(answer.result, 'nextCursor') ?? undefined;
    if (next === undefined) return sessions;
    if (next === cursor) throw new NotReached('a page of the list names itself as the next one');
    cursor = next;
  }
  throw new NotReached(`the list has more than ${PAGES_MAX} pages`);
}

const PAGES_MAX = 50;
