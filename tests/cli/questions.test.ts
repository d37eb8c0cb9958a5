import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlace, fixtureAgent, fixturePath, PROGRAM, type Place } from './signalbox.ts';

/** Gives a program a terminal; every Debian has it. */
const SCRIPT = '/usr/bin/script';

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.dispose());

/**
 * Runs `signalbox` in a terminal in which somebody presses keys again and again.
 *
 * @param from what has to be shown before the first one.
 */
async function answering(keys: string, from: string, ...words: string[]): Promise<string> {
  const args = [process.execPath, PROGRAM, ...words];
  const line = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn(SCRIPT, ['-qefc', line, '/dev/null'], {
    cwd: place.cwd,
    env: {
      ...process.env,
      SIGNALBOX_DATA: join(place.cwd, 'data'),
      SIGNALBOX_CONFIG: place.configFile,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  const pressing = setInterval(() => {
    if (shown.includes(from)) child.stdin.write(keys);
  }, 50);
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  child.stdin.on('error', () => undefined);
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

  it('of a session of the server, too: nothing is shown below one until it was read and answered', async () => {
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
    expect(shown).toMatch(
      new RegExp(`${question}(n\\n|${early})*${early}(n\\n)+and now something`),
    );
    expect(shown).toContain('"optionId":"id-reject_once"');
  });
});
