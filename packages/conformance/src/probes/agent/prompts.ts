import { at, stringAt } from '../../json/json.ts';
import { SilentError } from '../../kit-client/wait-errors.ts';
import type { AgentProbe } from './probe.ts';
import { promptParams, type Ready } from './probe-run.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Turns, and prompts of every kind. */
export const PROMPT_PROBES: readonly AgentProbe[] = [
  {
    name: 'a prompt of text',
    ids: ['R-PRM-05', 'R-PRM-06', 'R-CFG-04', 'R-INI-13'],
    async run(probe) {
      const ready = await probe.ready();
      const answer = await probe.prompt(ready, probe.prompts.text);
      const isUnknown = answer.code === -32601;
      if (answer.isError && !isUnknown) {
        probe.notExercised(
          'R-PRM-05',
          `the turn failed: ${answer.message.entry.text.slice(0, 200)}`,
        );
        return;
      }
      probe.judge('R-INI-13', !isUnknown, 'session/prompt works', answer.message);
      const reason = stringAt(answer.result, 'stopReason');
      probe.judge('R-PRM-05', reason !== undefined, 'the answer has a stop reason', answer.message);
      if (reason !== undefined)
        probe.pass('R-CFG-04', 'a turn runs without any option set', answer.message);
    },
  },
  {
    name: 'a prompt with a link to a file',
    ids: ['R-PRM-03', 'R-CNT-08'],
    async run(probe) {
      const ready = await probe.ready();
      const path = join(ready.cwd, 'a file with ümläuts.txt');
      await writeFile(path, 'bullfinch-2288\n');
      const link = { type: 'resource_link', uri: pathToFileURL(path).href, name: 'a file' };
      const answer = await send(probe, ready, [{ type: 'text', text: probe.prompts.text }, link]);
      if (answer.isError && answer.code !== -32602) return;
      probe.judge(
        'R-PRM-03',
        !answer.isError,
        'text and a resource link are accepted',
        answer.message,
      );
      const isRead = ready.client.link.received.some(({ entry }) =>
        entry.text.includes('bullfinch-2288'),
      );
      if (isRead) probe.pass('R-CNT-08', 'the linked file was read', answer.message);
    },
  },
  {
    name: 'blocks that were not announced',
    ids: ['R-PRM-04'],
    blame: ['R-PRM-04'],
    isHostile: true,
    async run(probe) {
      const ready = await probe.ready();
      const announced = at(ready.client.agent, 'agentCapabilities', 'promptCapabilities');
      const blocks: readonly [string, object][] = [
        ['image', { type: 'image', data: PIXEL, mimeType: 'image/png' }],
        ['audio', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
        ['embeddedContext', { type: 'resource', resource: { uri: 'file:///x', text: 'x' } }],
        ['future', { type: 'future_block', data: {} }],
      ];
      for (const [flag, block] of blocks) {
        if (at(announced, flag) === true) continue;
        const answer = await send(probe, ready, [
          { type: 'text', text: probe.prompts.text },
          block,
        ]);
        const text = `a block for ${flag} is answered with ${answer.isError ? answer.code : 'a result'}`;
        probe.pass('R-PRM-04', text, answer.message);
      }
    },
  },
  {
    name: 'blocks that were announced',
    ids: ['R-INI-15'],
    async run(probe) {
      const ready = await probe.ready();
      const announced = at(ready.client.agent, 'agentCapabilities', 'promptCapabilities');
      const blocks: readonly [string, object][] = [
        ['image', { type: 'image', data: PIXEL, mimeType: 'image/png' }],
        ['embeddedContext', { type: 'resource', resource: { uri: 'file:///x', text: 'x' } }],
      ];
      for (const [flag, block] of blocks) {
        if (at(announced, flag) !== true) continue;
        const answer = await send(probe, ready, [
          { type: 'text', text: probe.prompts.text },
          block,
        ]);
        if (answer.isError && answer.code !== -32602) continue;
        const text = `a block for ${flag}, which was announced, is accepted`;
        probe.judge('R-INI-15', !answer.isError, text, answer.message);
      }
    },
  },
  {
    name: 'an empty prompt',
    ids: ['R-PRM-17'],
    blame: ['R-PRM-17'],
    isHostile: true,
    async run(probe) {
      const ready = await probe.ready();
      const answer = await send(probe, ready, []);
      const alive = await ready.client.ping();
      probe.pass('R-PRM-17', 'an empty prompt is answered', answer.message, alive.message);
    },
  },
  {
    name: 'a second prompt while one is pending',
    ids: ['R-PRM-13'],
    blame: ['R-PRM-13'],
    isHostile: true,
    async run(probe) {
      const ready = await probe.ready();
      const [first, second] = [ready.client.newId(), ready.client.newId()];
      const params = promptParams(ready.sessionId, probe.prompts.text);
      const lines = [first, second].map((id) =>
        JSON.stringify({ jsonrpc: '2.0', id, method: 'session/prompt', params }),
      );
      await ready.client.link.write(`${lines.join('\n')}\n`);
      const one = await probe.endOfTurn(ready.client, first);
      const two = await probe.endOfTurn(ready.client, second).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'NotReached') throw error;
        throw new SilentError(error.message);
      });
      probe.pass('R-PRM-13', 'both of two prompts are answered', one.message, two.message);
    },
  },
  {
    name: 'a second turn knows of the first',
    ids: ['R-PRM-11'],
    async run(probe) {
      const ready = await probe.ready();
      await probe.prompt(ready, probe.prompts.remember);
      const from = ready.client.link.received.length;
      const answer = await probe.prompt(ready, probe.prompts.recall);
      const isKnown = /heliotrope/i.test(ready.client.text(ready.sessionId, from));
      const text = 'the second turn knows a word of the first';
      probe.reached('recall', 'R-PRM-11', isKnown, text, answer.message);
    },
  },
];

function send(
  probe: Parameters<AgentProbe['run']>[0],
  { client, sessionId }: Ready,
  prompt: readonly object[],
): ReturnType<Ready['client']['request']> {
  const { turnMs } = probe.bench.timeouts;
  return client.request('session/prompt', { sessionId, prompt }, { timeoutMs: turnMs });
}
