import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    expect(stdout).toContain('Conformance of the agent');
    expect(stdout).toContain('No rule was broken.');
    expect(stderr).toMatch(/^\d+\/\d+ /m);
    expect(code).toBe(0);
    const report = JSON.parse(readFileSync(json ?? '', 'utf8')) as { side: string };
    expect(report.side).toBe('agent');
    expect(readFileSync(junit ?? '', 'utf8')).toContain(
      '<testsuites name="conformance of the agent"',
    );
    expect(readFileSync(html ?? '', 'utf8')).toContain('<!doctype html>');
  });

  it('fails an agent that breaks a rule', async () => {
    const { stdout, code } = await place.run('check', 'agent', '--', ...fixture('exits-at-once'));
    expect(stdout).toContain('✗ R-INI-06');
    expect(stdout).toContain('Rules were broken.');
    expect(code).toBe(1);
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
  ];
  it.each(WRONG)('refuses %s', async (_, args) => {
    const { stderr, code } = await place.run('check', 'agent', ...args);
    expect(stderr).not.toBe('');
    expect(code).toBe(2);
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

  it('refuses a command without a place for the agent or the prompt', async () => {
    const { stderr, code } = await place.run('check', 'client', '--', 'my-client', '{prompt}');
    expect(stderr).toContain('{agent}');
    expect(code).toBe(2);
    expect((await place.run('check', 'client', '--', 'my-client', '{agent}')).code).toBe(2);
  });
});
