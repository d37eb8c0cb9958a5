import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixture as fixtureOf } from '../../packages/conformance/src/testing/fixture.ts';
import { FixtureServer } from '../../packages/conformance/src/testing/fixture-server.ts';
import { isGroupAlive } from '../../packages/host/src/agents/process-identity.ts';
import { createPlace, type Place } from './signalbox.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/signalbox.js', import.meta.url));
const SIGNALBOX = [process.execPath, PROGRAM];

function fixture(name: string): string[] {
  const path = fileURLToPath(new URL(`../fixtures/agents/${name}.mjs`, import.meta.url));
  return [process.execPath, path];
}

let place: Place;
beforeEach(() => (place = createPlace()));
afterEach(() => place.dispose());

describe('signalbox check agent', () => {
  it('finds that the built-in agent conforms, and writes the reports', async () => {
    const [json, junit, html] = ['json', 'xml', 'html'].map((end) => join(place.cwd, `r.${end}`));
    const { stdout, stderr, code } = await place.run(
      ...['check', 'agent', '--only', 'R-INI-06', '--only', 'r-ini-07,R-PRM-04'],
      ...['--json', json ?? '', '--junit', junit ?? '', '--html', html ?? ''],
      ...['--', ...SIGNALBOX, 'agent'],
    );
    expect(stdout).toContain('Conformance of the agent over stdio');
    expect(stdout).toContain('No rule was broken.');
    expect(stderr).toMatch(/^\d+\/\d+ /m);
    expect(code).toBe(0);
    const report = JSON.parse(readFileSync(json ?? '', 'utf8')) as { side: string };
    expect(report.side).toBe('agent');
    expect(readFileSync(junit ?? '', 'utf8')).toContain(
      '<testsuites name="conformance of the agent over stdio"',
    );
    expect(readFileSync(html ?? '', 'utf8')).toContain('<!doctype html>');
  });

  it('fails an agent that breaks a rule', async () => {
    const { stdout, code } = await place.run('check', 'agent', '--', ...fixture('exits-at-once'));
    expect(stdout).toContain('✗ R-INI-06');
    expect(stdout).toContain('Rules were broken.');
    expect(code).toBe(1);
  });

  it('leaves no process and no folder behind when it is interrupted', async () => {
    const own = createPlace({ TMPDIR: place.cwd });
    const started = join(place.cwd, 'started');
    const running = own.start(
      ...['check', 'agent', '--env', `STARTED=${started}`, '--', ...fixture('stubborn')],
    );
    await vi.waitUntil(() => existsSync(started), { timeout: 15_000 });
    running.child.kill('SIGINT');
    const { code, stderr } = await running.finished;
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted');
    const pid = Number(readFileSync(started, 'utf8'));
    await vi.waitUntil(() => !isGroupAlive(pid));
    expect(readdirSync(place.cwd).filter((name) => name.startsWith('signalbox-'))).toEqual([]);
    own.dispose();
  });

  it('does not fail for what is known to be broken', async () => {
    const known = join(place.cwd, 'known.json');
    writeFileSync(known, JSON.stringify([{ id: 'R-INI-06', reason: 'it has just begun' }]));
    const { stdout, code } = await place.run(
      ...['check', 'agent', '--known-failures', known, '--', ...fixture('exits-at-once')],
    );
    expect(stdout).toContain('known: it has just begun');
    expect(code).toBe(0);
  });

  const WRONG: [wrong: string, args: string[]][] = [
    ['no command', []],
    ['a requirement that does not exist', ['--only', 'R-NO-99', '--', 'my-agent']],
    ['a list of known failures that is none', ['--known-failures', 'nowhere.json', 'my-agent']],
    ['a timeout that is no number', ['--turn-timeout', 'long', 'my-agent']],
    ['a program and an endpoint', ['--url', 'http://127.0.0.1:9/acp', 'my-agent']],
    ['a variable for an endpoint', ['--url', 'http://127.0.0.1:9/acp', '--env', 'A=b']],
    ['a URL that is none', ['--url', 'somewhere']],
    ['a URL of another kind', ['--url', 'ftp://127.0.0.1/acp']],
    ['credentials in a URL', ['--url', 'http://me:secret@127.0.0.1:9/acp']],
    ['a transport that does not exist', ['--url', 'http://127.0.0.1:9/', '--transport', 'smoke']],
    ['a transport without an endpoint', ['--transport', 'http', 'my-agent']],
    ['a header that is none', ['--url', 'http://127.0.0.1:9/acp', '--header', 'secret']],
  ];
  it.each(WRONG)('refuses %s', async (_, args) => {
    const { stderr, code } = await place.run('check', 'agent', ...args);
    expect(stderr).not.toBe('');
    expect(code).toBe(2);
  });
});

describe('signalbox check agent --url', () => {
  const TOKEN = 'kit-token';
  let server: FixtureServer;
  beforeEach(async () => {
    server = await FixtureServer.withFault('none', place.cwd, { FIXTURE_TOKEN: TOKEN });
  });
  afterEach(() => server.stop());

  it.each([
    ['http', 'R-HTTP-05,R-HTTP-20', 'Streamable HTTP'],
    ['websocket', 'R-WS-01,R-WS-04', 'WebSocket'],
  ])('checks a server over %s with a header', async (transport, ids, title) => {
    const { stdout, code } = await place.run(
      ...['check', 'agent', '--url', server.url, '--transport', transport, '--verbose'],
      ...['--header', `Authorization: Bearer ${TOKEN}`, '--only', ids],
    );
    expect(stdout).toContain(`Conformance of the agent over ${title}\n${server.url}`);
    for (const id of ids.split(',')) expect(stdout).toContain(`✓ ${id}`);
    expect(stdout).not.toContain(TOKEN);
    expect(code).toBe(0);
  });

  it('takes the token from the environment, and WebSocket from the scheme of the URL', async () => {
    const other = createPlace({ SIGNALBOX_TOKEN: TOKEN });
    const url = server.url.replace('http', 'ws');
    const { stdout, code } = await other.run('check', 'agent', '--url', url, '--only', 'R-WS-08');
    expect(stdout).toContain('Conformance of the agent over WebSocket');
    expect(code).toBe(0);
    other.dispose();
  });

  it('fails where nobody is let in, and says what may be missing', async () => {
    const { stdout, code } = await place.run('check', 'agent', '--url', server.url);
    expect(stdout).toContain('✗ R-INI-06');
    expect(stdout).toContain('it may need credentials');
    expect(code).toBe(1);
  });
});

describe('signalbox check client', () => {
  it('finds that signalbox run conforms', async () => {
    const client = [...SIGNALBOX, 'run', '--yes', '--agent', '{agent}', '{prompt}'];
    const { stdout, code } = await place.run(
      ...['check', 'client', '--verbose', '--only', 'R-CHK-03,R-FRM-27', '--', ...client],
    );
    expect(stdout).toContain('✓ R-CHK-03');
    expect(stdout).toContain('✓ R-FRM-27');
    expect(stdout).toContain('No rule was broken.');
    expect(code).toBe(0);
  });

  it('fails a client that never prompts its agent', async () => {
    const idle = [process.execPath, '-e', '0', '{agent}', '{prompt}'];
    const { stdout, code } = await place.run('check', 'client', '--', ...idle);
    expect(stdout).toContain('did not start the agent');
    expect(code).toBe(1);
  });

  it.each([
    ['http', 'R-HTTP-07,R-HTTP-12'],
    ['websocket', 'R-WS-02,R-WS-04'],
  ])('checks a client that reaches its agent over %s', async (transport, ids) => {
    const client = [process.execPath, fixtureOf('client/main.mjs'), 'none', '{prompt}', '{url}'];
    const { stdout, code } = await place.run(
      ...['check', 'client', '--transport', transport, '--verbose', '--only', ids, '--', ...client],
    );
    for (const id of ids.split(',')) expect(stdout).toContain(`✓ ${id}`);
    expect(stdout).toContain('No rule was broken.');
    expect(code).toBe(0);
  });

  it('refuses a client over a network without a place for the address', async () => {
    const args = [
      'check',
      'client',
      '--transport',
      'http',
      '--',
      'my-client',
      '{agent}',
      '{prompt}',
    ];
    const { stderr, code } = await place.run(...args);
    expect(stderr).toContain('{url}');
    expect(code).toBe(2);
    const smoke = [
      'check',
      'client',
      '--transport',
      'smoke',
      '--',
      'my-client',
      '{url}',
      '{prompt}',
    ];
    expect((await place.run(...smoke)).code).toBe(2);
  });

  it('refuses a command without a place for the agent or the prompt', async () => {
    const { stderr, code } = await place.run('check', 'client', '--', 'my-client', '{prompt}');
    expect(stderr).toContain('{agent}');
    expect(code).toBe(2);
    expect((await place.run('check', 'client', '--', 'my-client', '{agent}')).code).toBe(2);
  });
});
