import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPlace, fixtureAgent, fixturePath, PROGRAM, type Place } from './signalbox.ts';

/** Gives a program a terminal; every Debian has it. */
const SCRIPT = '/usr/bin/script';

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.dispose());

/** Starts `signalbox` in a terminal. What it shows comes on stdout. */
function inTerminal(...words: string[]): ChildProcessWithoutNullStreams {
  const args = [process.execPath, PROGRAM, ...words];
  const line = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn(SCRIPT, ['-qefc', line, '/dev/null'], {
    cwd: place.cwd,
    env: {
      ...process.env,
      SIGNALBOX_DATA: join(place.cwd, 'data'),
      SIGNALBOX_CONFIG: place.configFile,
    },
  });
  child.stdout.setEncoding('utf8');
  child.stdin.on('error', () => undefined);
  return child;
}

/**
 * Runs `signalbox` in a terminal in which somebody presses keys again and again.
 *
 * @param from what has to be shown before the first one.
 */
async function answering(keys: string, from: string, ...words: string[]): Promise<string> {
  const child = inTerminal(...words);
  let shown = '';
  const pressing = setInterval(() => {
    if (shown.includes(from)) child.stdin.write(keys);
  }, 50);
  child.stdout.on('data', (text: string) => (shown += text));
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(pressing);
  return stripVTControlCharacters(shown).replaceAll('\r', '');
}

/** What the fixture is told to ask. */
const ASKED = { options: ['allow_once', 'reject_once'] };

describe.skipIf(!existsSync(SCRIPT))('questions in a terminal', () => {
  it('stand right below what they are about, also when an agent asks several at once', async () => {
    const prompt = JSON.stringify({ ...ASKED, times: 3 });
    const shown = await answering(
      'n',
      '',
      'run',
      '--agent',
      fixtureAgent('asks-permission'),
      prompt,
    );
    const question =
      '\\? Remove everything \\(delete\\)\\n  \\[y\\] allow_once  \\[n\\] reject_once  \\[Esc\\] deny\\n';
    expect(shown).toMatch(new RegExp(`(${question}n*){3}`));
    expect(shown.match(/"optionId":"id-reject_once"/g)).toHaveLength(3);
  });

  it('of a session of the server, too: nothing is shown below one until it was answered', async () => {
    const command = [process.execPath, fixturePath('asks-permission')];
    writeFileSync(place.configFile, JSON.stringify({ agents: { asks: { command } } }));
    await place.run('run', '--agent', 'asks', JSON.stringify({ options: [] }));
    const server = place.start('serve', '--port', '0');
    await server.whenPrinted('Ctrl-C');
    const prompt = JSON.stringify({ ...ASKED, meanwhile: 'and now something else' });
    const shown = await answering('n\n', '[no]', 'attach', 'last', '--prompt', prompt);
    server.child.kill();
    await server.finished;
    const question =
      '\\? Remove everything \\(delete\\)\\n  \\[y\\] allow_once  \\[n\\] reject_once  \\[no\\] deny\\n';
    const early = 'That came before the question could be read; answer it now.\\n';
    expect(shown).toMatch(new RegExp(`${question}(n\\n|${early})*and now something`));
    expect(shown).toContain('"optionId":"id-reject_once"');
  });

  it('end with the turn, in order, when the terminal is closed', async () => {
    const prompt = JSON.stringify({ ...ASKED, meanwhile: 'and now something else' });
    const terminal = inTerminal('run', '--agent', fixtureAgent('asks-permission'), prompt);
    let shown = '';
    terminal.stdout.on('data', (text: string) => (shown += text));
    await vi.waitUntil(() => shown.includes('[y]'), { timeout: 15_000 });
    terminal.kill('SIGKILL');
    const ends = async (): Promise<boolean> =>
      (await place.run('log', 'last')).stdout.includes('turn.finished');
    await vi.waitUntil(ends, { timeout: 15_000 });
    const { stdout } = await place.run('sessions', 'list');
    expect(stdout).toContain('  cancelled  ');
  });
});
