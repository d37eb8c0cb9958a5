import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlace, script, type Place } from './signalbox.ts';

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.dispose());

/** The id of the one session that there is. */
async function onlySession(): Promise<string> {
  const { stdout } = await place.run('sessions', 'list', '--json');
  return (JSON.parse(stdout) as { sessionId: string }).sessionId;
}

describe('signalbox sessions and log', () => {
  it('say when there is no session', async () => {
    expect((await place.run('sessions', 'list')).stdout).toContain('No sessions yet');
    const { stderr, code } = await place.run('log', 'last');
    expect(stderr).toContain('There is no session');
    expect(code).toBe(30);
  });

  it('list a session with its title, agent and how it ended', async () => {
    await place.run('run', 'Please list the files');
    const { stdout } = await place.run('sessions', 'list');
    expect(stdout).toContain('Please list the files');
    expect(stdout).toContain('builtin');
    expect(stdout).toContain('end_turn');
  });

  it('show a session with its prompts, as it was seen', async () => {
    await place.run('run', script({ say: 'An answer' }));
    const { stdout } = await place.run('sessions', 'show', 'last');
    expect(stdout).toContain('> ```signalbox-script');
    expect(stdout).toContain('An answer');
    expect(stdout).toContain('[end_turn]');
  });

  it('find a session by the beginning of its id and delete it for good', async () => {
    await place.run('run', script({ say: 'x' }));
    const id = await onlySession();
    const deleted = await place.run('sessions', 'delete', id.slice(0, -3));
    expect(deleted.stdout).toContain(id);
    expect((await place.run('sessions', 'list')).stdout).toContain('No sessions yet');
    expect((await place.run('log', id)).code).toBe(30);
  });

  it('give the log for people, one event of every kind a line', async () => {
    await place.run('run', '--yes', script({ tool: 'write', input: { path: 'a', text: 'x' } }));
    const { stdout, code } = await place.run('log', 'last');
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)[2]);
    expect(types).toContain('permission.requested');
    expect(types).toContain('permission.resolved');
    expect(types.at(-1)).toBe('agent.exited');
    expect(code).toBe(0);
  });

  it('give the log raw as it is stored, and only what is behind an event with --after', async () => {
    await place.run('run', script({ say: 'x' }));
    const { stdout } = await place.run('log', 'last', '--raw');
    const lines = stdout.trimEnd().split('\n');
    const third = JSON.parse(lines[2] ?? '') as { id: string };
    const rest = await place.run('log', 'last', '--raw', '--after', third.id);
    expect(rest.stdout.trimEnd().split('\n')).toEqual(lines.slice(3));
  });

  it('refuse an event id that is none, instead of showing everything', async () => {
    await place.run('run', script({ say: 'x' }));
    const { stdout, stderr, code } = await place.run('log', 'last', '--after', 'yesterday');
    expect(stderr).toContain('"yesterday" is not an event cursor');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('follow what another process appends', async () => {
    await place.run('run', script({ say: 'first turn' }));
    const following = place.start('log', 'last', '--follow', '--raw');
    await following.whenPrinted('first turn');
    await place.run('run', '--resume', 'last', script({ say: 'second turn' }));
    await following.whenPrinted('second turn');
    following.child.kill('SIGTERM');
    await following.finished;
  });

  it('tell a second process that a session is in use, and by whom', async () => {
    const running = place.start('run', script({ say: 'busy' }, { wait: true }));
    await running.whenPrinted('busy');
    const { stderr, code } = await place.run('run', '--resume', 'last', 'hello');
    expect(stderr).toContain(`process ${running.child.pid} runs it`);
    expect(code).toBe(31);
    running.child.kill('SIGINT');
    await running.finished;
  });

  it('show a turn as interrupted after a kill, and go on with the session', async () => {
    const running = place.start('run', script({ say: 'begun' }, { wait: true }));
    await running.whenPrinted('begun');
    running.child.kill('SIGKILL');
    await running.finished;
    expect((await place.run('sessions', 'list')).stdout).toContain('interrupted');
    const next = await place.run('run', '--resume', 'last', script({ say: 'again' }));
    expect(next.stdout).toContain('again');
    expect(next.code).toBe(0);
  });
});

describe('the configuration', () => {
  it('names agents and the default one', async () => {
    const agents = { mine: { title: 'My own', command: ['no-such-program'] } };
    writeFileSync(place.configFile, JSON.stringify({ defaultAgent: 'mine', agents }));
    const { stdout } = await place.run('agents');
    expect(stdout).toContain('* mine');
    expect((await place.run('run', 'hello')).code).toBe(20);
  });

  const WRONG: [text: string, message: string][] = [
    ['{', 'is not JSON'],
    ['{"defaultagent":"x"}', 'has no member "defaultagent"'],
    ['{"agents":{"a":{"command":"x --acp"}}}', '/agents/a/command must be array'],
    ['{"agents":{"A b":{"command":["x"]}}}', '/agents: the name "A b" must match pattern'],
    ['{"permissions":"maybe"}', '/permissions must be one of "ask", "allow", "deny"'],
  ];
  it.each(WRONG)('that is %s is refused with the file and the member', async (text, message) => {
    writeFileSync(place.configFile, text);
    const { stderr, code } = await place.run('agents');
    expect(stderr).toContain(place.configFile);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('may begin with a mark of its encoding', async () => {
    writeFileSync(place.configFile, '\ufeff{"defaultAgent":"codex"}');
    expect((await place.run('agents')).stdout).toContain('* codex');
  });
});

describe('what the system refuses', () => {
  it('is told in its words, without a place in the program', async () => {
    const own = createPlace({ TMPDIR: join(place.cwd, 'nothing') });
    const { stderr, code } = await own.run('demo');
    own.dispose();
    expect(stderr).toMatch(/^signalbox: ENOENT: .*nothing\/signalbox-demo-.*\n$/);
    expect(code).toBe(1);
  });

  it('names git when the demonstration does not find it', async () => {
    const own = createPlace({ PATH: place.cwd });
    const { stderr, code } = await own.run('demo');
    own.dispose();
    expect(stderr).toContain('needs git');
    expect(code).toBe(2);
  });
});
