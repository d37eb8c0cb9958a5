import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const PROGRAM = fileURLToPath(
  new URL('../../packages/cli/bin/signalbox.js', import.meta.url),
);

/** What a command printed and how it ended. */
export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** A place of its own for one test: data, configuration and a folder to work in. */
export interface Place {
  readonly cwd: string;
  readonly configFile: string;
  /** Runs `signalbox` with these arguments to its end. */
  run(...args: string[]): Promise<Finished>;
  /** Starts `signalbox` and gives it out while it runs. */
  start(...args: string[]): Running;
  dispose(): void;
}

/** A command that is running. */
export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when stdout has this text; rejects when the command ends without it. */
  whenPrinted(text: string): Promise<void>;
}

/** Makes a place. The built command is used, as people would. */
export function createPlace(environment: Record<string, string> = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-cli-'));
  const configFile = join(folder, 'config.json');
  const env = {
    ...process.env,
    SIGNALBOX_DATA: join(folder, 'data'),
    SIGNALBOX_CONFIG: configFile,
    ...environment,
  };
  const start = (...args: string[]): Running => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return watch(child);
  };
  return {
    cwd: folder,
    configFile,
    start,
    run: (...args) => start(...args).finished,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The command line of an agent that is one of the fixtures. */
export function fixtureAgent(name: string): string {
  return `"${process.execPath}" "${fixturePath(name)}"`;
}

/** The program of such an agent. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../fixtures/agents/${name}.mjs`, import.meta.url));
}

/** A prompt that the built-in agent follows step by step. */
export function script(...steps: object[]): string {
  return `\`\`\`signalbox-script\n${JSON.stringify(steps)}\n\`\`\``;
}

function watch(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  const waiting: { text: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const check = (): void => {
    for (const waiter of [...waiting]) {
      if (!stdout.includes(waiter.text)) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve();
    }
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    check();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => {
      for (const { text, reject } of waiting) {
        reject(new Error(`ended without printing "${text}":\n${stdout}\n${stderr}`));
      }
      resolve({ stdout, stderr, code });
    });
  });
  const whenPrinted = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ text, resolve, reject });
      check();
    });
  return { child, finished, whenPrinted };
}
