import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at, stringAt } from '../../json/json.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import { Refusal } from '../../kit-client/responder.ts';
import type { WireMessage } from '../../passive/wire-message.ts';
import type { AgentProbe } from './probe.ts';
import { ALL_CAPABILITIES, MARKER, type ProbeRun, type Ready } from './probe-run.ts';

const FORBIDDEN = /^(fs|terminal|elicitation)\//;

/** Situations into which only the model can bring an agent; without it they are not exercised. */
export const STEERED_PROBES: readonly AgentProbe[] = [
  {
    name: 'a tool reads a file of the session',
    ids: ['R-SES-06', 'R-SES-07', 'R-TOOL-01'],
    async run(probe) {
      const ready = await probe.ready();
      for (const id of ['R-SES-06', 'R-SES-07']) {
        const from = ready.client.link.received.length;
        const answer = await probe.prompt(ready, probe.prompts.tool);
        if (answer.isError) return;
        const found = ready.client.link.received
          .slice(from)
          .find(({ entry, kind }) => kind === 'notification' && entry.text.includes(MARKER));
        const read = ready.client.requests.some(
          ({ params }) => stringAt(params, 'path') === join(ready.cwd, 'marker.txt'),
        );
        // The agent runs somewhere else, so only the session's directory can have the file.
        const isFound = found !== undefined || read;
        const text = 'a file of the session is found';
        probe.reached('tool', id, isFound, text, found ?? answer.message);
      }
      probe.reached('tool', 'R-TOOL-01', isToolSeen(ready), 'the tool call is reported');
    },
  },
  {
    name: 'tools of a client that offers nothing',
    ids: ['R-FS-01', 'R-TRM-01', 'R-ELI-02', 'R-INI-11', 'R-INI-20'],
    async run(probe) {
      const ready = await probe.ready({});
      await probe.prompt(ready, probe.prompts.tool);
      await probe.prompt(ready, probe.prompts.permission);
      const used = ready.client.requests.find(({ method }) => FORBIDDEN.test(method));
      if (used === undefined && !isToolSeen(ready)) return;
      for (const id of ['R-FS-01', 'R-TRM-01', 'R-ELI-02', 'R-INI-11', 'R-INI-20']) {
        const area =
          { 'R-FS-01': 'fs/', 'R-TRM-01': 'terminal/', 'R-ELI-02': 'elicitation/' }[id] ?? '';
        const isOk = used?.method.startsWith(area) !== true;
        probe.judge(id, isOk, 'nothing is used that the client does not offer', used);
      }
    },
  },
  {
    name: 'errors of the client while a tool runs',
    ids: ['R-FS-10'],
    async run(probe) {
      const ready = await probe.ready();
      const refuse = () => {
        throw new Refusal(-32603, 'kit: this fails on purpose');
      };
      ready.client.responder = {
        ...ready.client.responder,
        'fs/read_text_file': refuse,
        'fs/write_text_file': refuse,
        'terminal/create': refuse,
      };
      const answer = await probe.prompt(ready, probe.prompts.tool);
      const asked = ready.client.requests.find(({ method }) => /^(fs|terminal)\//.test(method));
      if (asked === undefined) return;
      probe.judge(
        'R-FS-10',
        !answer.isError,
        'the turn goes on after an error of the client',
        asked,
        answer.message,
      );
    },
  },
  {
    name: 'a plan',
    ids: ['R-PLN-01'],
    async run(probe) {
      const ready = await probe.ready();
      await probe.prompt(ready, probe.prompts.plan);
      const plan = ready.client
        .updates(ready.sessionId)
        .find(({ params }) => at(params, 'update', 'sessionUpdate') === 'plan');
      probe.reached('plan', 'R-PLN-01', plan !== undefined, 'a plan is reported', plan);
    },
  },
  {
    name: 'a file outside the roots',
    ids: ['R-SES-08'],
    async run(probe) {
      const { outside } = probe.prompts;
      if (outside === undefined) return;
      const ready = await probe.ready();
      const path = join(await probe.directory(), 'outside.txt');
      await writeFile(path, 'wheatear-9021\n');
      const answer = await probe.prompt(ready, outside.replaceAll('{path}', path));
      const isAsked = ready.client.requests.some(
        ({ method }) => method === 'session/request_permission',
      );
      const told = ready.client.link.received.find(({ entry }) =>
        entry.text.includes('wheatear-9021'),
      );
      const isOk = isAsked || told === undefined;
      probe.judge(
        'R-SES-08',
        isOk,
        'a file outside needs permission or is refused',
        told,
        answer.message,
      );
    },
  },
  {
    name: 'a turn that fails',
    ids: ['R-PRM-15'],
    async run(probe) {
      const { failing } = probe.prompts;
      if (failing === undefined) return;
      const ready = await probe.ready();
      const answer = await probe.prompt(ready, failing);
      probe.judge('R-PRM-15', answer.isError, 'a failure is an error response', answer.message);
      const next = await probe.prompt(ready, probe.prompts.text);
      probe.judge('R-PRM-15', !next.isError, 'the session is usable after a failure', next.message);
    },
  },
  {
    name: 'commands',
    ids: ['R-CMD-05', 'R-CMD-06'],
    async run(probe) {
      const ready = await probe.ready();
      for (const text of ['/kit-no-such-command x', '/tmp']) {
        const answer = await probe.prompt(ready, text);
        if (answer.isError && answer.code === -32000) return;
        probe.judge('R-CMD-06', !answer.isError, `${text} is no error`, answer.message);
      }
      const { command } = probe.prompts;
      if (command === undefined) return;
      const answer = await probe.prompt(ready, command);
      const isOk = stringAt(answer.result, 'stopReason') !== undefined;
      probe.judge('R-CMD-05', isOk, `${command} ends with a stop reason`, answer.message);
    },
  },
  {
    name: 'answers to elicitations',
    ids: ['R-ELI-09', 'R-ELI-10', 'R-ELI-11', 'R-ELI-23'],
    isHostile: true,
    async run(probe) {
      const { elicitation } = probe.prompts;
      if (elicitation === undefined) return;
      const cases: readonly [string, () => unknown][] = [
        ['R-ELI-10', () => ({ action: 'decline' })],
        ['R-ELI-11', () => ({ action: 'cancel', content: { secret: 'x' } })],
        ['R-ELI-23', () => ({ action: '_later' })],
        ['R-ELI-09', () => ({ action: 'accept', content: { kitUnknown: [1] } })],
        [
          'R-ELI-10',
          () => {
            throw new Refusal(-32603, 'kit: this fails on purpose');
          },
        ],
      ];
      for (const [id, answering] of cases) {
        const { answer, asked } = await elicit(probe, elicitation, answering);
        if (asked === undefined) return;
        const isOk = answer.code !== -32603;
        probe.judge(id, isOk, 'the turn ends in order after the answer', asked, answer.message);
      }
    },
  },
];

async function elicit(
  probe: ProbeRun,
  prompt: string,
  answering: () => unknown,
): Promise<{ answer: Answer; asked: WireMessage | undefined }> {
  const ready = await probe.ready({ ...ALL_CAPABILITIES, elicitation: { form: {}, url: {} } });
  ready.client.responder = { ...ready.client.responder, 'elicitation/create': answering };
  const answer = await probe.prompt(ready, prompt);
  const asked = ready.client.requests.find(({ method }) => method === 'elicitation/create');
  return { answer, asked };
}

function isToolSeen({ client, sessionId }: Ready): boolean {
  return client
    .updates(sessionId)
    .some(({ params }) => at(params, 'update', 'sessionUpdate') === 'tool_call');
}

/** Whether a file is there. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
