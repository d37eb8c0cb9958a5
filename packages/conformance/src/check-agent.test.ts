import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAgent } from './check-agent.ts';
import { StartError } from './kit-client/wait-errors.ts';
import { AGENT_PROBES } from './probes/agent/run-probes.ts';
import { whyNotOver } from './probes/played-over.ts';
import type { Report } from './report/report.ts';
import { bundleFixture } from './testing/bundle-fixture.ts';
import { fixture, fixtureAgent } from './testing/fixture.ts';
import { readTrace } from './trace/trace-file.ts';

let store: string;
beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'signalbox-fixture-'));
});
afterAll(async () => {
  await rm(store, { recursive: true, force: true });
});

function brokenIds({ results }: Report): string[] {
  return results
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warning')
    .map(({ requirement, text }) => `${requirement.id}: ${text}`);
}

test('an agent without faults breaks nothing, and every probe has something to say of it', async () => {
  const traceDirectory = join(store, 'traces');
  const report = await checkAgent({
    ...fixtureAgent('none', join(store, 'none')),
    env: { FIXTURE_STORE: join(store, 'none'), FIXTURE_NEEDS_LOGIN: '1' },
    authenticate: 'kit',
    mayLogOut: true,
    concurrency: 3,
    traceDirectory,
  });
  expect(brokenIds(report)).toEqual([expect.stringMatching(/^R-MCP-07/)]);
  expect(report.exitCode).toBe(0);
  const passed = new Set(report.results.flatMap(({ passedIn }) => passedIn));
  // The fixture announces no image blocks, so nothing is sent that was announced.
  const local = AGENT_PROBES.filter(({ over }) => whyNotOver(over, 'stdio') === undefined);
  const silent = local.map(({ name }) => name).filter((name) => !passed.has(name));
  expect(silent).toEqual(['methods that were not announced', 'blocks that were announced']);
  const [first = ''] = await readdir(traceDirectory);
  expect((await readTrace(join(traceDirectory, first))).length).toBeGreaterThan(1);
}, 60_000);

test('an agent that announces less passes what is about that', async () => {
  const report = await checkAgent({
    ...fixtureAgent('no-logout', store),
    only: ['methods that were not announced', 'blocks that were announced'],
  });
  expect(brokenIds(report)).toEqual([expect.stringMatching(/^R-MCP-07/)]);
  const less = await checkAgent({
    ...fixtureAgent('no-list', store),
    only: ['R-FRM-22', 'R-FRM-20'],
  });
  const verdicts = new Map(
    less.results.map(({ requirement, verdict }) => [requirement.id, verdict]),
  );
  expect(verdicts.get('R-FRM-22')).toBe('not applicable');
  expect(verdicts.get('R-FRM-20')).toBe('passed');
});

test('a program that is no agent fails at the handshake and nowhere else', async () => {
  const report = await checkAgent({ command: [process.execPath, '-e', 'process.exit(3)'] });
  expect(brokenIds(report)).toEqual([expect.stringMatching(/^R-INI-06: the agent ended while/)]);
  expect(report.exitCode).toBe(1);
  expect(report.counts.passed).toBe(0);
});

test('a program that cannot be started is no agent that breaks rules', async () => {
  const checked = checkAgent({ command: ['/does/not/exist'] });
  await expect(checked).rejects.toThrow(StartError);
});

test('an agent that answers initialize under an id of another type is told so', async () => {
  const program = `process.stdin.once('data', (bytes) => {
    const { id } = JSON.parse(bytes);
    const result = { protocolVersion: 1 };
    console.log(JSON.stringify({ jsonrpc: '2.0', id: String(id), result }));
  });`;
  const command = [process.execPath, '-e', program];
  const report = await checkAgent({ command, timeouts: { startMs: 2000 } });
  expect(brokenIds(report)).toEqual([
    'R-FRM-11: the id of an answer has another type than that of the request',
  ]);
});

test('a program that says nothing is given up after the time for its start', async () => {
  const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
  const report = await checkAgent({ command, timeouts: { startMs: 300 } });
  expect(brokenIds(report)).toEqual([
    expect.stringMatching(/^R-INI-06: no answer .* within 300 ms/),
  ]);
});

test('an agent made with this library breaks no rule', async () => {
  const report = await checkAgent({
    ...fixtureAgent('', store),
    command: [process.execPath, await bundleFixture('acp-agent.mjs', store)],
    prompts: { text: 'text', long: 'long', recall: 'recall', remember: 'remember heliotrope' },
    timeouts: { startMs: 8000, answerMs: 4000, turnMs: 8000, exitMs: 5000 },
    concurrency: 3,
  });
  // It has no MCP servers, which is the fixture's own doing.
  expect(brokenIds(report).filter((line) => !/^R-MCP-0[17]/.test(line))).toEqual([]);
  expect(report.counts.passed).toBeGreaterThan(75);
}, 60_000);

test('an agent made with the official SDK breaks no rule of what is asked', async () => {
  const report = await checkAgent({
    ...fixtureAgent('', store),
    command: [process.execPath, fixture('sdk-agent.mjs')],
    prompts: { text: 'text', long: 'long' },
    concurrency: 3,
    only: [
      'R-FRM-01',
      'R-FRM-11',
      'R-FRM-17',
      'R-FRM-18',
      'R-FRM-20',
      'R-CAN-05',
      'R-INI-08',
      'R-ERR-04',
    ],
  });
  // It computes with double precision, so it cannot keep ids beyond that.
  const expected = [/^R-FRM-11: an id above 2\^53/, /^R-MCP-07/];
  expect(brokenIds(report)).toEqual(expected.map((each) => expect.stringMatching(each) as unknown));
  expect(report.exitCode).toBe(0);
}, 60_000);
