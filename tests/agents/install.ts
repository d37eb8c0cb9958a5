import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TestedAgent } from './tested-agent.ts';

/** An installation may take this long, in ms. */
const INSTALL_MS_MAX = 10 * 60_000;

/** How an installation turned out. */
export type Installation =
  | { readonly kind: 'installed'; readonly folder: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Where agents are installed: outside of the repository, kept for the next run. */
export function installRoot(environment: NodeJS.ProcessEnv = process.env): string {
  const cache = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'signalbox-agents');
}

/** Installs an agent's packages into a folder of their own, unless they are there already. */
export async function install({ name, packages }: TestedAgent): Promise<Installation> {
  const version = packages[0]?.slice(packages[0].lastIndexOf('@') + 1) ?? '';
  const folder = join(installRoot(), `${name}-${version}`);
  const mark = join(folder, '.installed');
  if (existsSync(mark)) return { kind: 'installed', folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = [
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--save-exact',
    '--fetch-retries=1',
  ];
  const { code, output } = await runNpm(['install', ...flags, ...packages], folder);
  if (code !== 0) return { kind: 'refused', why: reasonOf(output, code) };
  writeFileSync(mark, '');
  return { kind: 'installed', folder };
}

function runNpm(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn('npm', args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (bytes: Buffer): void => {
      output = (output + bytes.toString('utf8')).slice(-20_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      take(Buffer.from(`\nnpm error took longer than ${INSTALL_MS_MAX / 60_000} minutes`));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, INSTALL_MS_MAX);
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      take(Buffer.from(`npm error ${error.message}`));
      end(null);
    });
    child.once('close', end);
  });
}

/** The lines with which npm says why, in one. */
function reasonOf(output: string, code: number | null): string {
  const lines = output.split('\n').filter((line) => line.startsWith('npm error'));
  const said = lines.map((line) => line.slice('npm error'.length).trim()).filter((l) => l !== '');
  return said.slice(0, 3).join('; ') || `npm ended with code ${code ?? 'none'}`;
}
