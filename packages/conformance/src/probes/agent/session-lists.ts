import { at, isPresent, listAt, stringAt } from '../../json/json.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import { listAll } from './history.ts';
import type { AgentProbe } from './probe.ts';
import type { ProbeRun, Ready } from './probe-run.ts';

/** Listing, closing and deleting sessions. Only sessions of the kit are closed and deleted. */
export const SESSION_LIST_PROBES: readonly AgentProbe[] = [
  {
    name: 'listing sessions',
    ids: ['R-LST-02', 'R-LST-03', 'R-LST-09', 'R-LST-10', 'R-INI-15'],
    blame: ['R-LST-02'],
    isHostile: true,
    missing: hasList,
    async run(probe) {
      const { client } = await spoken(probe);
      const empty = await client.request('session/list', {});
      probe.judge('R-INI-15', empty.code !== -32601, 'session/list works', empty.message);
      probe.judge('R-LST-02', !empty.isError, 'session/list works without filters', empty.message);
      const nulls = await client.request('session/list', { cwd: null, cursor: null });
      probe.judge('R-LST-02', !nulls.isError, 'cwd and cursor may be null', nulls.message);
      if (!empty.isError)
        probe.pass(
          'R-LST-10',
          `a page has ${listAt(empty.result, 'sessions').length} sessions`,
          empty.message,
        );
      const none = await client.request('session/list', { cwd: await probe.directory() });
      const isEmpty =
        listAt(none.result, 'sessions').length === 0 && Array.isArray(at(none.result, 'sessions'));
      probe.judge(
        'R-LST-03',
        isEmpty,
        'a directory without sessions gives an empty list',
        none.message,
      );
      const wrong = await client.request('session/list', { cursor: 'kit-no-cursor' });
      const text = `an unknown cursor is answered with ${wrong.code ?? 'a result'}`;
      probe.found('R-LST-09', wrong.isError, text, wrong.message);
    },
  },
  {
    name: 'listing does not change anything',
    ids: ['R-LST-05', 'R-LST-06', 'R-LST-11'],
    missing: hasList,
    async run(probe) {
      const first = await spoken(probe);
      const second = await probe.open(first.client);
      await probe.prompt(second, probe.prompts.text);
      // Other sessions may change meanwhile, by other connections of the kit or by other people.
      const own = [first.sessionId, second.sessionId];
      const list = async () =>
        (await listAll(first.client, {})).filter((each) =>
          own.includes(stringAt(each, 'sessionId') ?? ''),
        );
      let before = await list();
      let again = await list();
      // What an agent goes on with behind a turn, such as a title, changes a session too, but not for ever.
      for (let more = 0; more < LISTINGS_MORE && !isSame(before, again); more++) {
        before = again;
        again = await list();
      }
      if (before.length > 0) {
        const last = first.client.link.received.at(-1);
        probe.judge('R-LST-11', isSame(before, again), 'two listings in a row are equal', last);
        const ids = before.map((session) => at(session, 'sessionId'));
        const isOnce = new Set(ids).size === ids.length;
        probe.judge('R-LST-06', isOnce, 'no session is listed twice', last);
      }
      const mine = await listAll(first.client, { cwd: first.cwd });
      const others = mine.find((session) => at(session, 'cwd') !== first.cwd);
      if (mine.length === 0) return;
      const isOwn = others === undefined || at(others, 'sessionId') === first.sessionId;
      probe.judge(
        'R-LST-05',
        isOwn,
        'a filter by cwd leaves out other directories',
        first.client.link.received.at(-1),
      );
    },
  },
  {
    name: 'closing a session',
    ids: ['R-CLS-04', 'R-CLS-05', 'R-CLS-06', 'R-CLS-07', 'R-INI-15', 'R-SES-09'],
    blame: ['R-CLS-04'],
    isHostile: true,
    missing: hasClose,
    async run(probe) {
      const ready = await spoken(probe);
      const { client, sessionId } = ready;
      const agent = at(client.agent, 'agentCapabilities');
      const isListed = async () =>
        (await listAll(client, {})).some((session) => at(session, 'sessionId') === sessionId);
      const wasListed = hasList(agent) === undefined && (await isListed());
      // An agent may have room for one session only.
      const other = await probe.open(client).catch(() => undefined);
      const close = await client.request('session/close', { sessionId });
      probe.judge('R-INI-15', close.code !== -32601, 'session/close works', close.message);
      probe.judge('R-CLS-04', !close.isError, 'a session can be closed', close.message);
      const again = await client.request('session/close', { sessionId });
      const text = `closing twice is answered with ${again.code ?? 'a result'}`;
      probe.pass('R-CLS-05', text, again.message);
      const prompt = await client.request(
        'session/prompt',
        { sessionId, prompt: [{ type: 'text', text: 'x' }] },
        {
          timeoutMs: probe.bench.timeouts.turnMs,
        },
      );
      probe.judge(
        'R-CLS-06',
        prompt.isError,
        'a prompt for a closed session is refused',
        prompt.message,
      );
      if (other !== undefined) {
        const turn = await probe.prompt(other, probe.prompts.text);
        const text = 'a prompt for another session works after one was closed';
        // A model that fails now fails in a new session too, and then nothing is known.
        if (!turn.isError) probe.pass('R-SES-09', text, turn.message);
        else if (!(await turnOfItsOwn(probe)).isError) {
          probe.fail('R-SES-09', `not so: ${text}`, close.message, turn.message);
        }
      }
      if (wasListed) {
        const isThere = await isListed();
        probe.judge(
          'R-CLS-07',
          isThere,
          'a closed session stays in the list',
          client.link.received.at(-1),
        );
      }
    },
  },
  {
    name: 'deleting a session',
    ids: ['R-DEL-02', 'R-DEL-03', 'R-DEL-04', 'R-LOD-11', 'R-INI-15'],
    blame: ['R-DEL-02'],
    isHostile: true,
    missing: (agent) =>
      isPresent(agent, 'sessionCapabilities', 'delete') ? undefined : 'sessionCapabilities.delete',
    async run(probe) {
      const { client, sessionId, cwd } = await spoken(probe);
      const gone = await client.request('session/delete', { sessionId });
      probe.judge('R-INI-15', gone.code !== -32601, 'session/delete works', gone.message);
      const text = `deleting an open session is answered with ${gone.code ?? 'a result'}`;
      probe.pass('R-DEL-04', text, gone.message);
      if (gone.isError) return;
      const agent = at(client.agent, 'agentCapabilities');
      if (hasList(agent) === undefined) {
        const left = await listAll(client, {});
        const isGone = !left.some((session) => at(session, 'sessionId') === sessionId);
        probe.judge(
          'R-DEL-02',
          isGone,
          'a deleted session is not listed',
          client.link.received.at(-1),
        );
      }
      for (const id of [sessionId, 'kit-no-such-session']) {
        const again = await client.request('session/delete', { sessionId: id });
        probe.judge('R-DEL-03', !again.isError, `deleting ${id} succeeds silently`, again.message);
      }
      if (at(agent, 'loadSession') !== true) return;
      const load = await client.request('session/load', { sessionId, cwd, mcpServers: [] });
      probe.pass(
        'R-LOD-11',
        `loading a deleted session is answered with ${load.code ?? 'a result'}`,
        load.message,
      );
    },
  },
];

function hasList(agent: unknown): string | undefined {
  return isPresent(agent, 'sessionCapabilities', 'list') ? undefined : 'sessionCapabilities.list';
}

function hasClose(agent: unknown): string | undefined {
  return isPresent(agent, 'sessionCapabilities', 'close') ? undefined : 'sessionCapabilities.close';
}

/** The end of a turn of a session of its own. */
async function turnOfItsOwn(probe: ProbeRun): Promise<Answer> {
  return probe.prompt(await probe.ready(), probe.prompts.text);
}

/** A session in which something was said, since many agents store nothing before. */
async function spoken(probe: ProbeRun): Promise<Ready> {
  const ready = await probe.ready();
  await probe.prompt(ready, probe.prompts.text);
  return ready;
}

/** How often sessions are listed again while they are different each time. */
const LISTINGS_MORE = 5;

function isSame(before: readonly unknown[], again: readonly unknown[]): boolean {
  return JSON.stringify(before.map(facts)) === JSON.stringify(again.map(facts));
}

/** What may not change by listing. */
function facts(session: unknown): unknown {
  return [at(session, 'sessionId'), at(session, 'cwd'), at(session, 'updatedAt')];
}
