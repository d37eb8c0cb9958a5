import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlace, fixtureAgent, PROGRAM, type Place } from './signalbox.ts';

/** Gives a program a terminal; every Debian has it. */
const SCRIPT = '/usr/bin/script';

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => place.dispose());

/** Runs `signalbox run` in a terminal in which somebody presses a key again and again. */
async function answering(key: string, prompt: string, agent: string): Promise<string> {
  const args = [process.execPath, PROGRAM, 'run', '--agent', agent, prompt];
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
  const pressing = setInterval(() => child.stdin.write(key), 50);
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  child.stdin.on('error', () => undefined);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(pressing);
  return stripVTControlCharacters(shown).replaceAll('\r', '');
}

describe.skipIf(!existsSync(SCRIPT))('questions in a terminal', () => {
  it('stand right below what they are about, also when an agent asks several at once', async () => {
    const prompt = JSON.stringify({ options: ['allow_once', 'reject_once'], times: 3 });
    const shown = await answering('n', prompt, fixtureAgent('asks-permission'));
    const question =
      '\\? Remove everything \\(delete\\)\\n  \\[y\\] allow_once  \\[n\\] reject_once  \\[Esc\\] deny\\n';
    expect(shown).toMatch(new RegExp(`(${question}n*){3}`));
    expect(shown.match(/"optionId":"id-reject_once"/g)).toHaveLength(3);
  });
});
