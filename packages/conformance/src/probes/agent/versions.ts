import { at } from '../../json/json.ts';
import { excerpt } from '../../findings/excerpt.ts';
import type { Answer, KitClient } from '../../kit-client/kit-client.ts';
import type { PlayedOver } from '../played-over.ts';
import type { AgentProbe } from './probe.ts';
import { ALL_CAPABILITIES, helloParams, type ProbeRun } from './probe-run.ts';

const NEWEST_PLAUSIBLE = 100;

const BEHIND_NOTHING: PlayedOver = {
  transports: ['stdio'],
  why: 'the endpoint itself refuses it, which R-HTTP-09 and R-WS-09 are about',
};

/** The first exchange, with versions and capabilities of every kind. */
export const VERSION_PROBES: readonly AgentProbe[] = [
  {
    name: 'initialize with version 1',
    ids: ['R-INI-06', 'R-INI-07', 'R-INI-13'],
    blame: ['R-INI-06'],
    async run(probe) {
      const answer = await initialize(probe.start(), 1);
      const version = at(answer.result, 'protocolVersion');
      const isOk = !answer.isError && Number.isInteger(version);
      probe.judge('R-INI-06', isOk, 'initialize answers with a version', answer.message);
      probe.judge('R-INI-13', !answer.isError, 'initialize is answered', answer.message);
      probe.found(
        'R-INI-07',
        version === 1,
        `version 1 is answered with ${shown(version)}`,
        answer.message,
      );
    },
  },
  {
    name: 'initialize with versions that do not exist',
    ids: ['R-INI-08'],
    blame: ['R-INI-08'],
    isHostile: true,
    async run(probe) {
      for (const asked of [999, 65535]) {
        const answer = await initialize(probe.start(), asked);
        const version = at(answer.result, 'protocolVersion');
        const isOwn =
          Number.isInteger(version) && Number(version) >= 1 && Number(version) <= NEWEST_PLAUSIBLE;
        const text = `version ${asked} is answered with ${answer.isError ? 'an error' : shown(version)}`;
        probe.found('R-INI-08', isOwn, text, answer.message);
      }
      // Agents that also speak version 2 may refuse a version below all of theirs.
      const answer = await initialize(probe.start(), 0);
      const version = at(answer.result, 'protocolVersion');
      const isOk = answer.code === -32022 || (Number.isInteger(version) && Number(version) >= 1);
      const text = `version 0 is answered with ${answer.isError ? 'an error' : shown(version)}`;
      probe.found('R-INI-08', isOk, text, answer.message);
    },
  },
  {
    name: 'initialize without a usable version',
    ids: ['R-ERR-04', 'R-ERR-05'],
    blame: ['R-ERR-05'],
    isHostile: true,
    async run(probe) {
      for (const params of [
        { ...helloParams({}), protocolVersion: '1' },
        { clientCapabilities: {} },
      ]) {
        // A connection of its own, since what a refusal leaves behind is another matter.
        const client = probe.start();
        const answer = await client.request('initialize', params, startLimit(probe));
        const text = 'initialize without an integer version is not refused with -32602';
        if (answer.code === -32602) probe.pass('R-ERR-04', 'refused with -32602', answer.message);
        else probe.warn('R-ERR-04', text, answer.message);
        const again = await initialize(client, 1);
        const works = 'initialize works after it was refused';
        probe.judge('R-ERR-05', !again.isError, works, again.message);
      }
    },
  },
  {
    name: 'requests before initialize',
    ids: ['R-INI-02'],
    over: BEHIND_NOTHING,
    blame: ['R-INI-02'],
    isHostile: true,
    async run(probe) {
      const client = probe.start();
      const params = { cwd: await probe.directory(), mcpServers: [] };
      const early = await client.request('session/new', params, startLimit(probe));
      probe.judge(
        'R-INI-02',
        early.isError,
        'session/new before initialize is refused',
        early.message,
      );
      const answer = await initialize(client, 1);
      probe.judge('R-INI-02', !answer.isError, 'initialize works afterwards', answer.message);
    },
  },
  {
    name: 'a second initialize',
    ids: ['R-INI-19'],
    blame: ['R-INI-19'],
    isHostile: true,
    async run(probe) {
      const { client } = await probe.ready();
      const again = await client.request('initialize', helloParams(ALL_CAPABILITIES));
      const alive = await client.ping();
      const text = `a second initialize is answered with ${again.isError ? 'an error' : 'a result'}`;
      probe.pass('R-INI-19', text, again.message, alive.message);
    },
  },
  {
    name: 'capabilities that are unknown or malformed',
    ids: ['R-INI-16', 'R-FRM-23', 'R-FRM-24', 'R-EXT-02'],
    blame: ['R-INI-16'],
    isHostile: true,
    async run(probe) {
      const odd = { terminal: {}, fs: [], futureCapability: { deep: {} } };
      const first = await probe.start().request('initialize', helloParams(odd), startLimit(probe));
      probe.judge(
        'R-INI-16',
        !first.isError,
        'unknown and malformed capabilities are ignored',
        first.message,
      );
      const members = { ...helloParams({}), futureField: { a: [1] } };
      const second = await probe.start().request('initialize', members, startLimit(probe));
      probe.judge(
        'R-FRM-23',
        !second.isError,
        'an unknown member of initialize is ignored',
        second.message,
      );
      const nulls = { protocolVersion: 1, clientCapabilities: null, clientInfo: null };
      const third = await probe.start().request('initialize', nulls, startLimit(probe));
      probe.judge(
        'R-FRM-24',
        !third.isError,
        'optional members of initialize may be null',
        third.message,
      );
      const meta = { ...helloParams({}), _meta: { deep: { a: { b: [{}] } } } };
      const fourth = await probe.start().request('initialize', meta, startLimit(probe));
      probe.judge('R-EXT-02', !fourth.isError, 'any _meta is accepted', fourth.message);
    },
  },
  {
    name: 'every set of client capabilities',
    ids: ['R-INI-12', 'R-SES-10'],
    blame: ['R-INI-12'],
    async run(probe) {
      const sets = [
        ALL_CAPABILITIES,
        {},
        { fs: { readTextFile: true } },
        { fs: { writeTextFile: true } },
        { terminal: true },
      ];
      for (const [place, capabilities] of sets.entries()) {
        const client = await probe.connect(capabilities);
        const answer = await client.request('session/new', {
          cwd: await probe.directory(),
          mcpServers: [],
        });
        const text = `session/new works with the capabilities ${JSON.stringify(capabilities)}`;
        // What is refused to a client that offers everything is refused for another reason, such as a login.
        if (answer.isError && place === 0) {
          probe.notExercised(
            'R-INI-12',
            `session/new is refused: ${excerpt(answer.message.entry.text)}`,
          );
          return;
        }
        if (answer.code === -32000) probe.notExercised('R-INI-12', 'a login is needed');
        else probe.judge('R-INI-12', !answer.isError, text, answer.message);
        if (!answer.isError) probe.pass('R-SES-10', 'session/new is answered', answer.message);
      }
    },
  },
];

function initialize(client: KitClient, protocolVersion: number): Promise<Answer> {
  // An agent that also speaks version 2 wants its names for the same things.
  const both = {
    ...helloParams({}),
    protocolVersion,
    info: { name: 'kit', version: '1' },
    capabilities: {},
  };
  const params = protocolVersion === 1 ? helloParams({}) : both;
  return client.request('initialize', params, { timeoutMs: client.timeouts.startMs });
}

function startLimit(probe: ProbeRun): { timeoutMs: number } {
  return { timeoutMs: probe.bench.timeouts.startMs };
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
