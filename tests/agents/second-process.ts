import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from './outcome.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/signalbox.js', import.meta.url));

/** An event as `signalbox run --json` prints it. */
export interface PrintedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One run of the `signalbox` command, in a process of its own. */
export async function runSignalbox(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  dataFolder: string,
): Promise<PrintedEvent[]> {
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, ...args], {
    env: {
      ...environment,
      SIGNALBOX_DATA: dataFolder,
      SIGNALBOX_CONFIG: join(dataFolder, 'config.json'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Failure(`signalbox run ended with ${code ?? 'a signal'}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PrintedEvent);
}
