import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostError } from '../host-error.ts';
import { AgentProcess } from './agent-process.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-spawn-'));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'plain'), 'text');
  writeFileSync(join(folder, 'script'), '#!/no/such/interpreter -x\n');
  chmodSync(join(folder, 'script'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function problemOf(
  command: string[],
  cwd = folder,
  PATH = '/usr/bin:/bin',
): Promise<HostError> {
  const request = { command, cwd, environment: { PATH } };
  return AgentProcess.spawn(request, 'a-session').then(
    () => {
      throw new Error('it started');
    },
    (error: unknown) => error as HostError,
  );
}

test('each missing part has its own message', async () => {
  const problems = [
    await problemOf(['no-such-program']),
    await problemOf(['./plain']),
    await problemOf(['./sub']),
    await problemOf(['./script']),
    await problemOf(['cat'], join(folder, 'gone')),
  ];
  expect(
    problems.map(({ code, message }) => `${code}: ${message.replaceAll(folder, '.')}`),
  ).toEqual([
    'agent_spawn_failed: The program "no-such-program" was not found',
    'agent_spawn_failed: ./plain is not executable',
    'agent_spawn_failed: ./sub is a directory, not a program',
    'agent_spawn_failed: ./script names the interpreter /no/such/interpreter, which was not found',
    'cwd_invalid: The working directory ./gone does not exist',
  ]);
  expect(problems[0]?.hint).toBe('PATH of the agent: /usr/bin:/bin');
});

test('a program is looked for in the path of the agent, not of the host', async () => {
  expect((await problemOf(['cat'], folder, '/no/such/folder')).message).toMatch(
    /"cat" was not found/,
  );
});

test.for([
  ['no program', [], /no command/],
  ['an empty program', [''], /no command/],
  ['a NUL in an argument', ['cat', 'a\0b'], /could not be started/],
  ['arguments without end', ['cat', 'x'.repeat(4 * 1024 * 1024)], /could not be started.*E2BIG/],
] as const)('%s is an error like the others', async ([, command, message]) => {
  const error = await problemOf([...command]);
  expect(error).toMatchObject({ name: 'HostError', code: 'agent_spawn_failed' });
  expect(error.message).toMatch(message);
});
