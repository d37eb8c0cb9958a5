import type { AgentProbe } from './probe.ts';
import { promptParams } from './probe-run.ts';

const SECRET = 'kit-secret-7f3a9';

/** Params that do not fit, and params that carry more than the schema knows. */
export const PARAM_PROBES: readonly AgentProbe[] = [
  {
    name: 'params that do not fit',
    ids: ['R-ERR-02', 'R-ERR-04', 'R-ERR-05'],
    blame: ['R-ERR-04', 'R-ERR-05'],
    isHostile: true,
    async run(probe) {
      const { client, sessionId } = await probe.ready();
      const wrong: readonly [string, unknown][] = [
        ['session/new', { mcpServers: [] }],
        ['session/new', []],
        ['session/prompt', { sessionId }],
        ['session/prompt', { sessionId, prompt: 'text' }],
        ['session/prompt', { prompt: [{ type: 'text', text: 'x' }] }],
      ];
      for (const [method, params] of wrong) {
        const answer = await client.request(method, params);
        const text = `${method} with ${JSON.stringify(params)} is answered with`;
        const outcome = answer.isError ? String(answer.code) : 'a result';
        probe.found('R-ERR-04', answer.code === -32602, `${text} ${outcome}`, answer.message);
      }
      const alive = await client.request('session/new', {
        cwd: await probe.directory(),
        mcpServers: [],
      });
      if (alive.isError && !(await probe.hasRoom())) return;
      probe.judge('R-ERR-05', !alive.isError, 'the next request works', alive.message);
      if (!alive.isError) probe.pass('R-ERR-02', 'error codes have their meaning', alive.message);
    },
  },
  {
    name: 'lists of MCP servers that do not fit',
    ids: ['R-FRM-25'],
    blame: ['R-FRM-25'],
    isHostile: true,
    async run(probe) {
      await probe.ready();
      const none = await probe.tryOpen({ mcpServers: null });
      probe.judge('R-FRM-25', !none.isError, 'mcpServers may be null', none.message);
      const text = await probe.tryOpen({ mcpServers: 'x' });
      probe.judge('R-FRM-25', text.isError, 'mcpServers that is a string is refused', text.message);
    },
  },
  {
    name: 'members that the schema does not know',
    ids: ['R-FRM-23', 'R-FRM-24', 'R-EXT-02'],
    blame: ['R-FRM-23'],
    isHostile: true,
    async run(probe) {
      await probe.ready();
      const more = await probe.tryOpen({ futureField: { a: 1 } });
      probe.judge(
        'R-FRM-23',
        !more.isError,
        'an unknown member of session/new is ignored',
        more.message,
      );
      const nulls = await probe.tryOpen({ additionalDirectories: null });
      probe.judge('R-FRM-24', !nulls.isError, 'an optional member may be null', nulls.message);
      for (const _meta of [
        null,
        {},
        { deep: { a: [{ b: null }] }, text: 'x', number: 5, none: null },
      ]) {
        const meta = await probe.tryOpen({ _meta });
        const text = `session/new with _meta ${JSON.stringify(_meta)} works`;
        probe.judge('R-EXT-02', !meta.isError, text, meta.message);
      }
    },
  },
  {
    name: 'a prompt with members that the schema does not know',
    ids: ['R-FRM-23'],
    blame: [],
    isHostile: true,
    async run(probe) {
      const { client, sessionId } = await probe.ready();
      const block = {
        type: 'text',
        text: probe.prompts.text,
        futureField: 1,
        annotations: null,
        _meta: {},
      };
      const answer = await client.request(
        'session/prompt',
        { ...promptParams(sessionId, ''), prompt: [block], futureField: {} },
        { timeoutMs: probe.bench.timeouts.turnMs },
      );
      const isRefused = answer.code === -32602;
      if (answer.isError && !isRefused) probe.notExercised('R-FRM-23', 'the turn failed');
      else
        probe.judge(
          'R-FRM-23',
          !isRefused,
          'unknown members of a prompt are ignored',
          answer.message,
        );
    },
  },
  {
    name: 'secrets in params that do not fit',
    ids: ['R-ERR-07'],
    isHostile: true,
    async run(probe) {
      const client = await probe.connect();
      const server = {
        name: 'm',
        command: '/bin/false',
        args: 5,
        env: [{ name: 'TOKEN', value: SECRET }],
      };
      const answer = await client.request('session/new', {
        cwd: await probe.directory(),
        mcpServers: [server],
      });
      if (!answer.isError) return;
      const isQuiet = !answer.message.entry.text.includes(SECRET);
      probe.judge(
        'R-ERR-07',
        isQuiet,
        'an error does not repeat values of the environment',
        answer.message,
      );
    },
  },
];
