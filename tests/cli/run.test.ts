import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import { createPlace, fixtureAgent, PROGRAM, script, type Place } from './signalbox.ts';

let place: Place;
beforeEach(() => {
  place = createPlace({ SIGNALBOX_TEST_SECRET: 'do not pass me on' });
});
afterEach(() => place.dispose());

/** The events that `--json` printed. */
function events(stdout: string): { id: string; seq: number; type: string; data: never }[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; seq: number; type: string; data: never });
}

describe('signalbox run', () => {
  it('shows what the agent says and ends with 0', async () => {
    const { stdout, code } = await place.run('run', script({ say: 'Hello, world.' }));
    expect(stdout).toContain('Hello, world.');
    expect(stdout).toContain('[end_turn]');
    expect(code).toBe(0);
  });

  it('reads the prompt from stdin when it is "-"', async () => {
    const { stderr, code } = await place.run('run', '-');
    expect(stderr).toContain('There is no prompt');
    expect(code).toBe(2);
  });

  it('gives one event a line with --json, with ids in order and without gaps', async () => {
    const { stdout, code } = await place.run('run', '--json', script({ say: 'Hi' }));
    const all = events(stdout);
    expect(code).toBe(0);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + (all[0]?.seq ?? 0)));
    expect(all.map(({ id }) => id)).toEqual([...all.map(({ id }) => id)].sort());
    expect(all.at(0)?.type).toBe('turn.started');
    expect(all.at(-1)?.type).toBe('turn.finished');
  });

  const ENDS: [name: string, steps: object[], code: number][] = [
    ['end_turn', [{ say: 'done' }], 0],
    ['max_tokens', [{ say: 'cut off' }, { stop: 'length' }], 10],
    ['refusal', [{ stop: 'refusal' }], 12],
    ['agent_error', [{ error: 'the model is down' }], 22],
  ];
  it.each(ENDS)('keeps %s apart, in the text and in the exit code', async (name, steps, code) => {
    const finished = await place.run('run', script(...steps));
    expect(finished.stdout).toContain(`[${name}]`);
    expect(finished.code).toBe(code);
  });

  it('ends with 11 when the agent reached its limit of model requests', async () => {
    const steps = Array.from({ length: 60 }, () => ({ tool: 'think', input: { thought: 'x' } }));
    const { stdout, code } = await place.run('run', script(...steps));
    expect(stdout).toContain('[max_turn_requests]');
    expect(code).toBe(11);
  });

  it('cancels on the first interrupt and ends with 130', async () => {
    const running = place.start('run', script({ say: 'waiting' }, { wait: true }));
    await running.whenPrinted('waiting');
    running.child.kill('SIGINT');
    const { stdout, code } = await running.finished;
    expect(stdout).toContain('[cancelled]');
    expect(code).toBe(130);
  });

  it('cancels an agent that is still starting, which never sees the prompt (B46)', async () => {
    const agent = ['--agent', fixtureAgent('never-initializes')];
    const running = place.start('run', '--json', ...agent, 'hello');
    await running.whenPrinted('turn.started');
    running.child.kill('SIGINT');
    const { stdout, code } = await running.finished;
    expect(events(stdout).map(({ type }) => type)).toEqual(['turn.started', 'turn.finished']);
    expect(code).toBe(130);
  });

  it('says while an agent starts slowly what it says itself (B26)', async () => {
    const go = join(place.cwd, 'go');
    const slow = createPlace({ GO: go });
    const agent = fixtureAgent('slow-to-start');
    const running = slow.start('run', '--agent', agent, '--env', 'GO', 'hello');
    let told = '';
    for await (const text of running.child.stderr ?? []) {
      told += String(text);
      if (told.includes('starting')) break;
    }
    expect(told).toContain('The agent is starting … fetching 2 of 7');
    writeFileSync(go, '');
    expect((await running.finished).code).toBe(0);
    slow.dispose();
  });

  it('gives up an agent that does nothing for too long (B27)', async () => {
    writeFileSync(place.configFile, JSON.stringify({ turnIdleMs: 300, cancelGraceMs: 100 }));
    const { stdout, code } = await place.run(
      'run',
      '--agent',
      fixtureAgent('odd-answers'),
      'silent',
    );
    expect(stdout).toContain('[turn_idle]');
    expect(code).toBe(25);
  });

  it('ends the agent and the turn when nobody reads its output any more (B41)', async () => {
    const running = place.start('run', '--agent', fixtureAgent('streams-on'), 'hello');
    await running.whenPrinted('OLD');
    running.child.stdout?.destroy();
    const { code, stderr } = await running.finished;
    expect(code).toBe(130);
    expect(stderr).not.toContain('EPIPE');
    const { stdout } = await place.run('log', 'last');
    expect(stdout.trimEnd().split('\n').slice(-2).join()).toMatch(/agent.exited.*turn.finished/s);
    const list = await place.run('sessions', 'list', '--json');
    const { sessionId, status } = JSON.parse(list.stdout) as { sessionId: string; status: string };
    expect(markedProcesses(sessionId)).toEqual([]);
    expect(status).toBe('cancelled');
  });

  it('ends an agent that ignores cancelling on the second interrupt', async () => {
    const running = place.start('run', '--agent', fixtureAgent('ignores-cancel'), 'hello');
    await running.whenPrinted('OLD');
    running.child.kill('SIGINT');
    await running.whenPrinted('Cancelling');
    running.child.kill('SIGINT');
    const { stdout, code } = await running.finished;
    expect(stdout).toContain('processes had to be ended');
    expect(code).toBe(130);
  });

  it('ends the turn and says why when its output cannot be written', async () => {
    const line = `"${process.execPath}" "${PROGRAM}" run "list the files" > /dev/full`;
    const child = spawn('sh', ['-c', line], {
      cwd: place.cwd,
      env: { ...process.env, SIGNALBOX_DATA: join(place.cwd, 'data') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    expect(await readAll(child.stderr)).toMatch(/cannot be written: ENOSPC: .*\n$/);
    // 1 when the turn has ended before that was noticed.
    expect([1, 130]).toContain((await ended)[0]);
    expect((await place.run('log', 'last')).stdout).toContain('turn.finished');
  });

  it('ends an agent at once when it is interrupted again while the agent is given time to end', async () => {
    const running = place.start('run', '--agent', fixtureAgent('stubborn'), 'hello');
    await running.whenPrinted('[end_turn]');
    const interrupting = setInterval(() => running.child.kill('SIGINT'), 20);
    const { code } = await running.finished;
    clearInterval(interrupting);
    expect(code).toBe(130);
    const list = await place.run('sessions', 'list', '--json');
    const { sessionId } = JSON.parse(list.stdout) as { sessionId: string };
    await vi.waitUntil(() => markedProcesses(sessionId).length === 0);
  });

  const FAILURES: [what: string, agent: () => string, code: number, text: string][] = [
    [
      'a program that does not exist',
      () => 'no-such-agent-program --acp',
      20,
      '"no-such-agent-program" was not found\nIt is none of the names that "signalbox agents" shows',
    ],
    ['a known agent that is not there', () => 'pi', 20, 'Get it with: npm install -g pi-acp\n'],
    ['a program that is no agent', () => fixtureAgent('exits-at-once'), 20, 'did not start'],
    [
      'an agent that dies in mid-turn',
      () => fixtureAgent('dies-mid-turn'),
      21,
      '(exit code 7) during the turn; its last words: 403',
    ],
  ];
  it.each(FAILURES)('says what is wrong with %s', async (_what, agent, code, text) => {
    const finished = await place.run('run', '--agent', agent(), 'hello');
    expect(finished.stdout + finished.stderr).toContain(text);
    expect(finished.code).toBe(code);
  });

  it('lets no control sequence of an agent reach the terminal', async () => {
    const text = 'before \u001b]0;title\u0007\u001b[2J\u0007\r after';
    const { stdout } = await place.run('run', script({ say: text }, { think: text }));
    expect(stdout).toContain('after');
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('denies what is asked when nobody can be asked, and says so', async () => {
    const steps = [{ tool: 'write', input: { path: 'made.txt', text: 'x' } }, { say: 'after' }];
    const { stdout, stderr, code } = await place.run('run', script(...steps));
    expect(stderr).toContain('permission requests are denied');
    expect(stdout).toContain('nobody to ask');
    expect(() => readFileSync(join(place.cwd, 'made.txt'))).toThrow('ENOENT');
    expect(code).toBe(0);
  });

  it('allows what is asked with --yes, and shows the change', async () => {
    const steps = [{ tool: 'write', input: { path: 'made.txt', text: 'new line\n' } }];
    const { stdout } = await place.run('run', '--yes', script(...steps));
    expect(readFileSync(join(place.cwd, 'made.txt'), 'utf8')).toBe('new line\n');
    expect(stdout).toContain('+new line');
  });

  it('works in the folder that --cwd names', async () => {
    mkdirSync(join(place.cwd, 'inner'));
    writeFileSync(join(place.cwd, 'inner', 'only-here.txt'), 'x');
    const { stdout } = await place.run('run', '--yes', '--cwd', 'inner', 'run `ls`');
    expect(stdout).toContain('only-here.txt');
    const missing = await place.run('run', '--cwd', 'nowhere', 'hello');
    expect(missing.stderr).toContain('nowhere does not exist');
    expect(missing.code).toBe(2);
  });

  it('gives the agent an allowlist of the environment and what --env names', async () => {
    const agent = ['--agent', fixtureAgent('prints-environment')];
    const { stdout } = await place.run('run', ...agent, '--env', 'EXTRA=with = sign', 'hello');
    expect(stdout).toContain('EXTRA');
    expect(stdout).toContain('with = sign');
    expect(stdout).toContain('PATH');
    expect(stdout).not.toContain('do not pass me on');
  });

  it('goes on with a session that is resumed', async () => {
    await place.run('run', script({ say: 'first' }));
    const second = await place.run('run', '--resume', 'last', script({ say: 'second' }));
    expect(second.code).toBe(0);
    const { stdout } = await place.run('sessions', 'list', '--json');
    const sessions = stdout.trimEnd().split('\n');
    expect(sessions).toHaveLength(1);
    expect(JSON.parse(sessions[0] ?? '')).toMatchObject({ turnCount: 2, status: 'end_turn' });
  });

  it('says so when the folder that it is started in was removed', async () => {
    const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const command = [process.execPath, PROGRAM, 'run', '--cwd', '/', 'hello'];
    const env = { ...process.env, SIGNALBOX_DATA: join(place.cwd, 'data') };
    const child = execFile('/bin/sh', ['-c', line, 'sh', ...command], { cwd: place.cwd, env });
    const stderr = child.stderr === null ? '' : await readAll(child.stderr);
    expect(stderr).toBe(
      'signalbox: The folder that this was started in does not exist any more; change into another one.\n',
    );
  });

  const WRONG: [args: string[], text: string][] = [
    [['run', '--yes', '--deny', 'x'], 'only one of'],
    [['run', '--resume', 'last', '--cwd', '.', 'x'], 'leave them out'],
    [['run', '--env', 'NO_SUCH_VARIABLE_HERE', 'x'], 'there is no such variable'],
    [['run', '--no-such-option', 'x'], 'unknown option'],
    [['frobnicate'], 'unknown command'],
  ];
  it.each(WRONG)('answers %j with what is wrong and 2', async (args, text) => {
    const { stderr, code } = await place.run(...args);
    expect(stderr).toContain(text);
    expect(code).toBe(2);
  });
});
