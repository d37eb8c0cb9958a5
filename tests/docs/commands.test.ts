import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from './documents.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;

/** What the documents are run with. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    SIGNALBOX_DATA: join(folder, 'data'),
    SIGNALBOX_CONFIG: join(folder, 'config.json'),
    MY_API_KEY: 'not a real key',
  };
}

/** The server that the commands about one use. */
let server: ChildProcess;

/** Puts a program on PATH. */
function install(name: string, script: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" ${script} "$@"\n`);
  chmodSync(path, 0o755);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-docs-'));
  mkdirSync(join(folder, 'bin'));
  cpSync(join(ROOT, 'examples/broken-calculator'), join(folder, 'work'), { recursive: true });
  install('signalbox', `"${ROOT}packages/cli/bin/signalbox.js"`);
  // Agents that the documents name and that are not installed here.
  for (const name of ['codex-acp', 'my-agent']) {
    install(name, `"${ROOT}tests/fixtures/agents/chunks.mjs"`);
  }
  const program = join(folder, 'bin', 'signalbox');
  server = spawn(program, ['serve', '--port', '0'], {
    cwd: join(folder, 'work'),
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(server.stdout ?? server, 'data');
});
afterAll(async () => {
  // One that could not serve has ended already.
  if (server.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a command goes on until it is stopped. */
function isEndless(line: string): boolean {
  return line.includes('--follow') || line.startsWith('signalbox serve');
}

/** Runs one line in a shell; a line that follows something is ended after its first output. */
function runLine(line: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `exec ${line}`], {
      cwd: join(folder, 'work'),
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const take = (text: Buffer): void => {
      output += text.toString('utf8');
      if (isEndless(line)) child.kill();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('close', (code) => resolve({ code: isEndless(line) ? 0 : code, output }));
  });
}

describe('the commands in the documents', () => {
  const lines = blocksOf('sh').flatMap(({ name, text }) =>
    text
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '')
      .map((line) => ({ name, line })),
  );

  it('are all of a kind that is run here, or the two commands that run everything', () => {
    const others = lines.filter(({ line }) => !line.startsWith('signalbox '));
    expect([...new Set(others.map(({ line }) => line))].sort()).toEqual(['npm start', 'npm test']);
  });

  const commands = lines.filter(({ line }) => line.startsWith('signalbox '));
  it.each(commands)('$name: $line', async ({ line }) => {
    const { code, output } = await runLine(line);
    expect(code, output).toBe(0);
  });
});
