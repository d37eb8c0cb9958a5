import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, symlink, watch } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { gone } from '../testing/processes.ts';
import { runTool } from '../testing/run-tool.ts';
import { createScratch } from '../testing/scratch.ts';
import { executeTool } from './execute.ts';

test('runs a shell line in the working directory and gives both outputs', async () => {
  await using scratch = await createScratch();
  const outcome = await runTool(executeTool, { command: 'pwd; echo err >&2' }, scratch.path);
  expect(outcome).toMatchObject({ isError: false, output: { exitCode: 0, ended: 'exited' } });
  expect(outcome.text).toBe(`${scratch.path}\nerr\n[exit code 0]`);
});

test('runs a program without a shell', async () => {
  await using scratch = await createScratch();
  const outcome = await runTool(executeTool, { argv: ['echo', '$HOME', 'a  b'] }, scratch.path);
  expect(outcome.text).toBe('$HOME a  b\n[exit code 0]');
});

test('fails with the exit code, the signal, or the reason why it did not start', async () => {
  await using scratch = await createScratch();
  const cases = [
    { input: { command: 'exit 3' }, text: '[exit code 3]' },
    { input: { command: 'kill -9 $$' }, text: '[ended by SIGKILL]' },
    { input: { argv: ['no-such-program'] }, text: 'not started' },
  ];
  for (const { input, text } of cases) {
    const outcome = await runTool(executeTool, input, scratch.path);
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain(text);
  }
});

test('refuses a directory outside, also behind a link, and input that does not fit', async () => {
  await using scratch = await createScratch();
  await mkdir(join(scratch.path, 'd'));
  await symlink('/', join(scratch.path, 'd/out'));
  const inputs = [
    { command: 'pwd', cwd: '..' },
    { command: 'pwd', cwd: 'd/out' },
    { command: 'pwd', argv: ['pwd'] },
    { argv: [] },
    { command: ' ' },
    {},
  ];
  for (const input of inputs) {
    const outcome = await runTool(executeTool, input, scratch.path);
    expect(outcome.output, JSON.stringify(input)).toBeUndefined();
    expect(outcome.isError).toBe(true);
  }
});

test('gives no input, so that a program that reads does not wait', async () => {
  await using scratch = await createScratch();
  const outcome = await runTool(executeTool, { command: 'cat; echo read' }, scratch.path);
  expect(outcome.text).toContain('read');
});

test('keeps the beginning and the end of a long output', async () => {
  await using scratch = await createScratch();
  const command = 'echo first; yes filler | head -c 300000; echo last';
  const { output } = await runTool(executeTool, { command }, scratch.path);
  const text = output?.['output'] as string;
  expect(text.length).toBeLessThan(70_000);
  expect(text).toMatch(/^first\n[\s\S]*\[\d+ bytes left out\][\s\S]*last\n$/);
  expect(output?.['omittedBytes']).toBe(300_011 - 65_536);
});

test('ends everything a command started when it takes too long', async () => {
  await using scratch = await createScratch();
  const mark = `timeout-${randomUUID()}`;
  const command = `(trap '' TERM; sh -c 'sleep 300; : ${mark}') & sh -c 'sleep 300; : ${mark}'`;
  const outcome = await runTool(executeTool, { command, timeoutMs: 100 }, scratch.path);
  expect(outcome.output).toMatchObject({ ended: 'timed_out' });
  await gone(mark);
});

test('ends everything when it is aborted, also what has left the process group', async () => {
  await using scratch = await createScratch();
  const mark = `abort-${randomUUID()}`;
  const abort = new AbortController();
  const stray = `setsid sh -c "trap '' TERM; touch up; while :; do sleep 1; done; : ${mark}"`;
  const running = runTool(executeTool, { command: `${stray} & wait` }, scratch.path, abort.signal);
  await untilExists(join(scratch.path, 'up'));
  abort.abort();
  expect((await running).output).toMatchObject({ ended: 'aborted' });
  await gone(mark);
});

test('ends what a command leaves in the background, and does not wait for it', async () => {
  await using scratch = await createScratch();
  const mark = `background-${randomUUID()}`;
  const command = `sh -c 'sleep 300; : ${mark}' & echo started`;
  const outcome = await runTool(executeTool, { command }, scratch.path);
  expect(outcome.text).toContain('started');
  await gone(mark);
});

async function untilExists(path: string): Promise<void> {
  const changes = watch(dirname(path))[Symbol.asyncIterator]();
  for (let change = changes.next(); !existsSync(path); change = changes.next()) await change;
}
