import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toPrintable } from '@signalbox/core';
import { configFile, loadConfig } from '../config/config.ts';
import { BUILTIN_AGENT } from '../config/find-agent.ts';
import { journalFile, openHost } from '../config/open-host.ts';
import type { ExitCode } from '../exit-codes.ts';
import { chooseStyle } from '../render/style.ts';
import { UsageError } from '../usage-error.ts';
import { createTextOutput } from './run-text.ts';
import { runTurn } from './run.ts';

const PROMPT = 'Fix the failing test';

/** `signalbox demo`: the built-in agent mends a small repository with a failing test. */
export async function demo(): Promise<ExitCode> {
  const style = chooseStyle(process.stdout);
  const folder = copySample();
  const isAttended = process.stdin.isTTY && process.stdout.isTTY;
  const policyLevel = isAttended ? 'ask' : 'allow';
  process.stdout.write(
    `${style.bold('Signalbox')} runs its built-in agent on a scratch copy of a small repository.\n` +
      style.dim(`repository  ${folder}\nprompt      ${PROMPT}\n`) +
      (isAttended ? '' : style.dim('permissions allowed, because input is no terminal\n')) +
      '\n',
  );
  const config = loadConfig(configFile());
  const host = await openHost(config);
  try {
    const session = await host.createSession({
      agent: BUILTIN_AGENT,
      cwd: folder,
      settings: { policyLevel },
    });
    const output = createTextOutput(session, policyLevel, { durationShown: false });
    const report = await runTurn(session, PROMPT, output);
    process.stdout.write(
      `\n${style.bold('What changed')}\n${colourDiff(gitDiff(folder), style)}\n` +
        `${style.bold('What there is now')}\n` +
        `  stop reason  ${report.end.kind === 'stopped' ? report.end.stopReason : report.end.failure}\n` +
        `  time         ${(report.durationMs / 1000).toFixed(1)} s\n` +
        `  repository   ${folder}\n` +
        `  log          ${journalFile(config)}\n` +
        `  look at it   npm start -- log ${session.id}\n` +
        `               npm start -- sessions show ${session.id}\n` +
        `  go on        npm start -- run --resume ${session.id} "run \\\`npm test\\\`"\n`,
    );
    return report.exitCode;
  } finally {
    await host.close();
  }
}

/** Copies the sample project into a scratch folder and makes it a git repository. */
function copySample(): string {
  const source = fileURLToPath(new URL('../../../../examples/broken-calculator', import.meta.url));
  const scratch = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
  const folder = join(scratch, 'broken-calculator');
  try {
    cpSync(source, folder, { recursive: true });
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    const identity = ['-c', 'user.name=Signalbox', '-c', 'user.email=demo@signalbox.invalid'];
    const message = ['--no-gpg-sign', '--message', 'A small calculator'];
    git(folder, ...identity, 'commit', '--quiet', ...message);
    return folder;
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
}

function gitDiff(folder: string): string {
  return git(folder, 'diff');
}

function git(folder: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UsageError('The demonstration needs git, which was not found on PATH.');
  }
}

function colourDiff(diff: string, style: ReturnType<typeof chooseStyle>): string {
  return toPrintable(diff)
    .split('\n')
    .map((line) => {
      if (line.startsWith('+')) return `  ${style.added(line)}`;
      return line.startsWith('-') ? `  ${style.removed(line)}` : `  ${line}`;
    })
    .join('\n');
}
