import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RpcError } from '@signalbox/acp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toAgentEnvironment } from '../agents/environment.ts';
import { resolveRoots } from '../workspace/roots.ts';
import { SNAPSHOTS_MAX } from './snapshots.ts';
import type { TerminalExited, TerminalStarted } from './terminal-facts.ts';
import { Terminals, type TerminalsOptions } from './terminals.ts';

let base = '';
let root = '';
let all: Terminals[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-terminals-')));
  root = join(base, 'app');
  mkdirSync(join(root, 'sub'), { recursive: true });
  all = [];
});
afterEach(async () => {
  await Promise.all(all.map((terminals) => terminals.close()));
  rmSync(base, { recursive: true });
});

async function createTerminals(options: Partial<TerminalsOptions> = {}): Promise<Terminals> {
  const environment = toAgentEnvironment(process.env, [], { A: '1', B: '1' });
  const roots = await resolveRoots(root);
  const terminals = new Terminals({ sessionId: `test-${base}`, roots, environment, ...options });
  all.push(terminals);
  return terminals;
}

/** Runs a command to its end. */
async function run(terminals: Terminals, command: string, args: string[] = []) {
  const { terminalId } = await terminals.create({ command, args });
  await terminals.waitForExit({ terminalId });
  return { terminalId, ...terminals.output({ terminalId }) };
}

/** Resolves when the output of a terminal holds the text. */
async function untilOutput(terminals: Terminals, terminalId: string, text: string): Promise<void> {
  while (!terminals.output({ terminalId }).output.includes(text)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function failure(work: Promise<unknown>): Promise<RpcError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error('It was not refused', { cause: error });
  return error;
}

/** Whether a process runs. One that waits to be reaped does not. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

describe('a command', () => {
  test('runs as given, with arguments unchanged and no input', async () => {
    const terminals = await createTerminals();
    const args = ['a b', '"', "'", '$HOME', '*', '', 'x\ny', '日'];
    const print = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const { output } = await run(terminals, process.execPath, ['-e', print, ...args]);
    expect(JSON.parse(output)).toEqual(args);
    expect(await run(terminals, 'cat')).toMatchObject({ output: '', exitStatus: { exitCode: 0 } });
  });

  test('may be a line for the shell', async () => {
    const terminals = await createTerminals();
    expect((await run(terminals, 'echo a b')).output).toBe('a b\n');
    expect((await run(terminals, 'printf "1\\n2\\n" | wc -l')).output.trim()).toBe('2');
    expect((await run(terminals, 'echo', ['a b'])).output).toBe('a b\n');
    const missing = await run(terminals, 'no-such-program-here');
    expect(missing.exitStatus).toEqual({ exitCode: 127, signal: null });
    expect(missing.output).toContain('not found');
  });

  test('has its stdout and stderr in one order', async () => {
    const terminals = await createTerminals();
    const { output } = await run(
      terminals,
      'for i in 1 2 3 4 5 6; do echo o$i; echo e$i >&2; done',
    );
    expect(output.split('\n').join(' ')).toBe('o1 e1 o2 e2 o3 e3 o4 e4 o5 e5 o6 e6 ');
  });

  test('gets the environment of the agent, then its own, exactly', async () => {
    process.env['SIGNALBOX_SECRET'] = 'not for commands';
    const terminals = await createTerminals();
    const env = [
      { name: 'B', value: '2' },
      { name: 'NEWLINE', value: 'a\nb' },
      { name: 'LONG', value: 'x'.repeat(100 * 1024) },
      { name: 'BASH_FUNC_f%%', value: '() {  echo f\n}' },
      { name: 'SIGNALBOX_SESSION', value: 'forged' },
    ];
    const args = ['-e', 'console.log(JSON.stringify(process.env))'];
    const { terminalId } = await terminals.create({ command: process.execPath, args, env });
    delete process.env['SIGNALBOX_SECRET'];
    await terminals.waitForExit({ terminalId });
    const seen = JSON.parse(terminals.output({ terminalId }).output) as Record<string, string>;
    expect(seen).toMatchObject({ A: '1', B: '2', NEWLINE: 'a\nb', 'BASH_FUNC_f%%': env[3]?.value });
    expect(seen['LONG']).toHaveLength(100 * 1024);
    expect(seen['HOME']).toBe(process.env['HOME']);
    expect(seen['SIGNALBOX_SESSION']).toBe(`test-${base}`);
    expect(seen['SIGNALBOX_TERMINAL']).toBe(terminalId);
    expect(seen['SIGNALBOX_SECRET']).toBeUndefined();
  });

  test('runs in the working directory of the session or in another one within the roots', async () => {
    const terminals = await createTerminals();
    symlinkSync('sub', join(root, 'in'));
    symlinkSync('/', join(root, 'out'));
    const pwd = async (cwd: string | null): Promise<string> => {
      const { terminalId } = await terminals.create({ command: 'pwd', cwd });
      await terminals.waitForExit({ terminalId });
      return terminals.output({ terminalId }).output.trim();
    };
    expect(await pwd(null)).toBe(root);
    expect(await pwd(join(root, 'sub'))).toBe(join(root, 'sub'));
    expect(await pwd(join(root, 'in'))).toBe(join(root, 'sub'));
    for (const cwd of ['sub', '', '/', join(root, 'out'), join(root, '..')]) {
      expect(await failure(pwd(cwd))).toMatchObject({ code: -32602 });
    }
    const missing = await failure(pwd(join(root, 'missing')));
    expect(missing).toMatchObject({ code: -32002, data: { reason: 'missing' } });
  });

  test('that cannot be started says what is missing', async () => {
    const terminals = await createTerminals();
    const script = join(root, 'script');
    writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
    writeFileSync(join(root, 'plain'), 'x', { mode: 0o644 });
    const cases: [string, string[], RegExp][] = [
      ['no-such-program', ['a'], /"no-such-program" was not found/],
      [join(root, 'none'), ['a'], /was not found/],
      [script, [], /interpreter \/no\/such\/interpreter/],
      [join(root, 'plain'), [], /not executable/],
      [root, ['a'], /is a directory/],
    ];
    for (const [command, args, message] of cases) {
      const error = await failure(terminals.create({ command, args }));
      expect(error).toMatchObject({ code: -32603, data: { reason: 'spawn_failed' } });
      expect(error.message).toMatch(message);
    }
    const env = [{ name: 'HUGE', value: 'x'.repeat(4 * 1024 * 1024) }];
    const huge = await failure(terminals.create({ command: 'ls', env }));
    expect(huge.message).toContain('E2BIG');
    expect(terminals.size).toBe(0);
  });

  test.each([
    { command: '' },
    { command: '  ' },
    { command: 'a\0b' },
    { command: 'ls', args: ['\0'] },
    { command: 'ls', env: [{ name: '', value: '' }] },
    { command: 'ls', env: [{ name: 'A=B', value: '' }] },
    { command: 'ls', env: [{ name: 'A', value: '\0' }] },
    { command: 'ls', outputByteLimit: -1 },
    { command: 'ls', outputByteLimit: 1.5 },
  ])('is refused as %j', async (params) => {
    const terminals = await createTerminals();
    expect(await failure(terminals.create(params))).toMatchObject({ code: -32602 });
    expect(terminals.size).toBe(0);
  });
});

describe('the exit of a command', () => {
  test.each([
    ['exit 0', { exitCode: 0, signal: null }],
    ['exit 3', { exitCode: 3, signal: null }],
    ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }],
    ['kill -KILL $$', { exitCode: null, signal: 'SIGKILL' }],
  ])('of %s is told', async (command, exit) => {
    const terminals = await createTerminals();
    const { terminalId } = await terminals.create({ command });
    const waits = [1, 2].map(() => terminals.waitForExit({ terminalId }));
    expect(await Promise.all(waits)).toEqual([exit, exit]);
    expect(await terminals.waitForExit({ terminalId })).toEqual(exit);
    expect(terminals.output({ terminalId }).exitStatus).toEqual(exit);
  });

  test('comes with all output, every time', { timeout: 60_000 }, async () => {
    const terminals = await createTerminals();
    const expected = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('');
    for (let round = 0; round < 30; round++) {
      const outputByteLimit = 8 * 1024 * 1024;
      const { terminalId } = await terminals.create({
        command: 'seq 200000; exit 3',
        outputByteLimit,
      });
      expect(await terminals.waitForExit({ terminalId })).toEqual({ exitCode: 3, signal: null });
      const { output, truncated } = terminals.output({ terminalId });
      expect(output === expected).toBe(true);
      expect(truncated).toBe(false);
      await terminals.release({ terminalId });
    }
  });

  test('does not wait for a process that keeps the output open', async () => {
    const terminals = await createTerminals();
    const { output, terminalId } = await run(terminals, 'echo A; sleep 500 & echo B');
    expect(output).toBe('A\nB\n');
    expect(terminals.output({ terminalId }).exitStatus).toEqual({ exitCode: 0, signal: null });
  });

  test('does not wait for a process that keeps writing, whose output is still added', async () => {
    const terminals = await createTerminals({ limits: { killGraceMs: 2000, drainMs: 300 } });
    const { terminalId } = await run(terminals, 'yes & echo started');
    const before = terminals.snapshot(terminalId)?.output.length ?? 0;
    expect(before).toBeGreaterThan(0);
    await terminals.release({ terminalId });
  });

  test('still takes late output in', async () => {
    const terminals = await createTerminals();
    const command = '(while [ ! -e go ]; do :; done; echo late) & echo early';
    const { terminalId, output } = await run(terminals, command);
    expect(output).toBe('early\n');
    writeFileSync(join(root, 'go'), '');
    await untilOutput(terminals, terminalId, 'early\nlate\n');
  });

  test('is not waited for by a request that was cancelled', async () => {
    const terminals = await createTerminals();
    const { terminalId } = await terminals.create({ command: 'sleep', args: ['500'] });
    const request = new AbortController();
    const wait = terminals.waitForExit({ terminalId }, request.signal);
    request.abort();
    expect(await failure(wait)).toMatchObject({ code: -32800 });
    const late = terminals.waitForExit({ terminalId }, request.signal);
    expect(await failure(late)).toMatchObject({ code: -32800 });
    expect(terminals.output({ terminalId }).exitStatus).toBeUndefined();
  });
});

describe('a terminal', () => {
  test('is answered at once, with output so far and no exit while it runs', async () => {
    const terminals = await createTerminals();
    const { terminalId } = await terminals.create({ command: 'echo ready; sleep 500' });
    await untilOutput(terminals, terminalId, 'ready\n');
    expect(terminals.output({ terminalId })).toEqual({ output: 'ready\n', truncated: false });
    expect(terminals.output({ terminalId })).toEqual({ output: 'ready\n', truncated: false });
  });

  test('keeps the end of the output within the limit', async () => {
    const terminals = await createTerminals();
    const print = "process.stdout.write('日😀'.repeat(10000))";
    for (const outputByteLimit of [0, 1, 3, 4, 7, 10, 1000, 69_999, 70_000, null]) {
      const args = ['-e', print];
      const { terminalId } = await terminals.create({
        command: process.execPath,
        args,
        outputByteLimit,
      });
      await terminals.waitForExit({ terminalId });
      const { output, truncated } = terminals.output({ terminalId });
      expect(Buffer.byteLength(output)).toBeLessThanOrEqual(outputByteLimit ?? 70_000);
      expect('日😀'.repeat(10_000).endsWith(output)).toBe(true);
      expect(truncated).toBe((outputByteLimit ?? 70_000) < 70_000);
      await terminals.release({ terminalId });
    }
  });

  test('keeps its output and id after a kill, and again after another', async () => {
    const terminals = await createTerminals();
    const { terminalId } = await terminals.create({ command: 'seq 100; sleep 500' });
    await untilOutput(terminals, terminalId, '\n100\n');
    const wait = terminals.waitForExit({ terminalId });
    for (let round = 0; round < 2; round++) {
      expect(await terminals.kill({ terminalId })).toEqual({});
      const { output, exitStatus } = terminals.output({ terminalId });
      expect(output.trim().split('\n')).toHaveLength(100);
      expect(exitStatus).toEqual({ exitCode: null, signal: 'SIGTERM' });
    }
    expect(await wait).toEqual({ exitCode: null, signal: 'SIGTERM' });
  });

  test('may be killed after it has ended by itself', async () => {
    const terminals = await createTerminals();
    const { terminalId } = await run(terminals, 'exit 3');
    await terminals.kill({ terminalId });
    expect(terminals.output({ terminalId }).exitStatus).toEqual({ exitCode: 3, signal: null });
  });

  test('is killed hard when it does not care', async () => {
    const terminals = await createTerminals({ limits: { killGraceMs: 100, drainMs: 1000 } });
    const command = 'trap "" TERM; echo ready; while :; do sleep 500; done';
    const { terminalId } = await terminals.create({ command });
    await untilOutput(terminals, terminalId, 'ready');
    await terminals.kill({ terminalId });
    expect(terminals.output({ terminalId }).exitStatus?.signal).toBe('SIGKILL');
  });

  test('is unknown after its release, but still shown', async () => {
    const terminals = await createTerminals();
    const { terminalId } = await terminals.create({ command: 'echo shown; sleep 500' });
    await untilOutput(terminals, terminalId, 'shown');
    const wait = terminals.waitForExit({ terminalId });
    const release = terminals.release({ terminalId });
    const unknown = { code: -32002, data: { terminalId } };
    expect(() => terminals.output({ terminalId })).toThrow(
      expect.objectContaining(unknown) as Error,
    );
    expect(terminals.snapshot(terminalId)?.output).toBe('shown\n');
    expect(await release).toEqual({});
    expect(await wait).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(await failure(terminals.waitForExit({ terminalId }))).toMatchObject(unknown);
    expect(await failure(terminals.kill({ terminalId }))).toMatchObject(unknown);
    expect(await failure(terminals.release({ terminalId }))).toMatchObject(unknown);
    const exit = { exitCode: null, signal: 'SIGTERM' };
    expect(terminals.snapshot(terminalId)).toEqual({ output: 'shown\n', truncated: false, exit });
    expect(terminals.size).toBe(0);
  });

  test('is shown by the end of its output, and only so many are', async () => {
    const terminals = await createTerminals();
    const { terminalId } = await run(terminals, 'seq 100000');
    await terminals.release({ terminalId });
    const snapshot = terminals.snapshot(terminalId);
    expect(snapshot?.output).toHaveLength(64 * 1024);
    expect(snapshot?.output.endsWith('\n100000\n')).toBe(true);
    expect(snapshot?.truncated).toBe(true);
    for (let count = 0; count < SNAPSHOTS_MAX; count++) {
      await terminals.release(await terminals.create({ command: 'true' }));
    }
    expect(terminals.snapshot(terminalId)).toBeUndefined();
  });

  test('means nothing in another session', async () => {
    const [one, other] = [await createTerminals(), await createTerminals()];
    const { terminalId } = await one.create({ command: 'sleep', args: ['500'] });
    expect(await failure(other.kill({ terminalId }))).toMatchObject({ code: -32002 });
    expect(other.snapshot(terminalId)).toBeUndefined();
  });

  test('takes no more memory the more its command writes, and does not block it', async () => {
    const terminals = await createTerminals();
    const command = 'yes | head -c 500000000; echo; echo done';
    const before = process.memoryUsage().rss;
    const { terminalId } = await terminals.create({ command, outputByteLimit: 1e12 });
    await terminals.waitForExit({ terminalId });
    expect(terminals.output({ terminalId }).output.endsWith('\ndone\n')).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });
});

describe('the terminals of a session', () => {
  test('are limited in number, released ones not counting', async () => {
    const terminals = await createTerminals({ terminalsMax: 3 });
    const params = { command: 'sleep', args: ['500'] };
    const created = await Promise.allSettled([1, 2, 3, 4, 5].map(() => terminals.create(params)));
    expect(
      created.map(({ status }) => status).filter((status) => status === 'fulfilled'),
    ).toHaveLength(3);
    const refused = await failure(terminals.create(params));
    expect(refused).toMatchObject({ code: -32603, data: { reason: 'too_many_terminals' } });
    const [first] = created;
    if (first?.status !== 'fulfilled') throw new Error('It was not created');
    await terminals.release(first.value);
    await terminals.create(params);
  });

  test('are told with their facts when they start and end', async () => {
    const judged: TerminalStarted[] = [];
    const started: TerminalStarted[] = [];
    const exited: TerminalExited[] = [];
    const terminals = await createTerminals({
      authorise: (command) => void judged.push(command),
      onStarted: (command) => void started.push(command),
      onExited: (exit) => void exited.push(exit),
    });
    const env = [{ name: 'TOKEN', value: 'secret' }];
    const params = { command: 'echo $TOKEN; exit 3', env, outputByteLimit: 3 };
    const { terminalId } = await terminals.create(params, { turnId: 'turn-1' });
    await terminals.waitForExit({ terminalId });
    const who = { terminalId, turnId: 'turn-1' };
    expect(started).toEqual([
      {
        ...who,
        command: params.command,
        argv: ['/bin/sh', '-c', params.command],
        isShellLine: true,
        cwd: root,
        env: [
          {
            name: 'TOKEN',
            valueDigest: '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
          },
        ],
        outputBytesMax: 3,
      },
    ]);
    expect(judged).toEqual(started);
    await terminals.release({ terminalId });
    expect(exited).toEqual([
      { ...who, exitCode: 3, signal: null, outputBytes: 7, truncated: true },
    ]);
  });

  test('do not start what is refused', async () => {
    const terminals = await createTerminals({
      authorise: () => Promise.reject(new RpcError(-32001, 'No')),
    });
    const refused = await failure(terminals.create({ command: 'touch made' }));
    expect(refused).toMatchObject({ code: -32001 });
    expect(terminals.size).toBe(0);
  });

  test('are all gone when the session ends, with everything they started', async () => {
    const terminals = await createTerminals();
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) {
      const { terminalId } = await terminals.create({ command: 'echo $$; sleep 500' });
      ids.push(terminalId);
    }
    const { terminalId } = await terminals.create({
      command: 'setsid sh -c "echo \\$\\$ ready; setsid sleep 500; :" & exec sleep 500',
    });
    await untilOutput(terminals, terminalId, 'ready');
    for (const id of ids) await untilOutput(terminals, id, '\n');
    const pids = [...ids, terminalId].map((id) =>
      parseInt(terminals.output({ terminalId: id }).output),
    );
    expect(pids.every(isRunning)).toBe(true);
    await terminals.endAll();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(terminals.size).toBe(0);
    expect(terminals.snapshot(terminalId)?.exit?.signal).toBe('SIGTERM');
    // Another agent of the same session may start commands.
    expect((await run(terminals, 'echo again')).output).toBe('again\n');
  });

  test('end what left the process group when they are killed or released', async () => {
    const terminals = await createTerminals();
    for (const method of ['kill', 'release'] as const) {
      const command = 'setsid sh -c "echo \\$\\$ ready; exec sleep 500" & exit 0';
      const { terminalId } = await terminals.create({ command });
      await untilOutput(terminals, terminalId, 'ready');
      const pid = parseInt(terminals.output({ terminalId }).output);
      expect(isRunning(pid)).toBe(true);
      await terminals[method]({ terminalId });
      // The system takes a moment to end a process that was killed.
      await expect.poll(() => isRunning(pid), { interval: 5 }).toBe(false);
    }
  });

  test('of a cancelled turn are killed and stay readable; others go on', async () => {
    const terminals = await createTerminals();
    const params = { command: 'echo ready; sleep 500' };
    const one = await terminals.create(params, { turnId: 'turn-1' });
    const two = await terminals.create(params, { turnId: 'turn-2' });
    await untilOutput(terminals, one.terminalId, 'ready');
    await terminals.endTurn('turn-1');
    expect(terminals.output(one)).toMatchObject({
      output: 'ready\n',
      exitStatus: { exitCode: null },
    });
    expect(terminals.output(two).exitStatus).toBeUndefined();
  });

  test('do not appear after the end of their turn or session', async () => {
    let decide = (): void => undefined;
    const asked = new Promise<void>((resolve) => (decide = resolve));
    const terminals = await createTerminals({ authorise: () => asked });
    const params = { command: 'touch made; sleep 500' };
    const waiting = failure(terminals.create(params, { turnId: 'turn-1' }));
    await terminals.endTurn('turn-1');
    decide();
    expect(await waiting).toMatchObject({ code: -32800 });
    const starting = terminals.create(params);
    const refused = failure(starting);
    await terminals.close();
    expect(await refused).toMatchObject({ code: -32800 });
    expect(await failure(terminals.create(params))).toMatchObject({ code: -32603 });
    expect(terminals.size).toBe(0);
  });

  test('outlive nothing but say so when they do not end', async () => {
    const exited: TerminalExited[] = [];
    const terminals = await createTerminals({ onExited: (exit) => void exited.push(exit) });
    await terminals.create({ command: 'sleep', args: ['500'] });
    await terminals.endAll();
    expect(exited).toMatchObject([{ exitCode: null, signal: 'SIGTERM' }]);
  });
});
