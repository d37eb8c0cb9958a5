import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isGroupAlive, isSameProcess, listPids, processStartTime } from './process-identity.ts';

/** Lets other things happen in between looks at what the system does not tell. */
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

const NO_PID = 2 ** 22 + 1;

async function start(...args: string[]): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(args[0] ?? '', args.slice(1), {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child, 'spawn');
  return child as ChildProcess & { readonly pid: number };
}

describe.runIf(process.platform === 'linux')('a process', () => {
  test('is the same for as long as it runs, and not when its pid was given out again', async () => {
    const child = await start('sleep', '1000');
    const startTime = processStartTime(child.pid);
    expect(startTime).toMatch(/^\d+$/);
    expect(isSameProcess(child.pid, startTime)).toBe(true);
    expect(isSameProcess(child.pid, '1')).toBe(false);
    expect(isSameProcess(child.pid, null)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isSameProcess(child.pid, startTime)).toBe(false);
  });

  test('with parentheses and spaces in its name is read right', async () => {
    const script = "process.title = 'a) Z 1 (b'; console.log(); setInterval(() => 0, 1000)";
    const child = await start(process.execPath, '-e', script);
    await once(child.stdout ?? child, 'data');
    expect(isSameProcess(child.pid, processStartTime(child.pid))).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('that has ended but is not reaped does not count as running', async () => {
    // The program that the shell becomes never asks how the shell's child has ended.
    const child = await start('sh', '-c', 'sleep 1000 & echo $!; exec sleep 1000');
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    while (readFileSync(`/proc/${child.pid}/comm`, 'latin1') !== 'sleep\n') await turn();
    const zombie = Number(String(line));
    const startTime = processStartTime(zombie);
    process.kill(zombie, 'SIGKILL');
    while (isSameProcess(zombie, startTime)) await turn();
    expect(processStartTime(zombie)).toBe(startTime);
    expect(isGroupAlive(child.pid)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isGroupAlive(child.pid)).toBe(false);
  });

  test('is alive as a group while any member runs', async () => {
    const child = await start('sh', '-c', 'sleep 1000 & echo; exit');
    await once(child, 'exit');
    expect(isGroupAlive(child.pid)).toBe(true);
    process.kill(-child.pid, 'SIGKILL');
    while (isGroupAlive(child.pid)) await turn();
  });
});

test('a pid that nobody has is nothing', () => {
  expect(processStartTime(NO_PID)).toBeNull();
  expect(isSameProcess(NO_PID, '1')).toBe(false);
  expect(isSameProcess(NO_PID, null)).toBe(false);
  expect(isGroupAlive(NO_PID)).toBe(false);
});

test.runIf(process.platform === 'linux')('all processes are listed', () => {
  expect(listPids()).toContain(process.pid);
});
