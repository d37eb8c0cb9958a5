import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { RawJson } from '@signalbox/acp';
import type { PolicyLevel } from '@signalbox/core';
import type { Host, Session } from '@signalbox/host';
import { configFile, loadConfig, type Config } from '../config/config.ts';
import { BUILTIN_AGENT } from '../config/find-agent.ts';
import { findSession } from '../config/find-session.ts';
import { openHost } from '../config/open-host.ts';
import { exitCodeOfTurn, type ExitCode } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { chooseLevel, toEnvironment } from './agent-options.ts';
import { createJsonOutput } from './run-json.ts';
import { createTextOutput } from './run-text.ts';
import type { RunOutput } from './run-output.ts';
import type { RunReport } from './run-report.ts';
import { watchInterrupts } from './interrupts.ts';
import { whenOutputLost } from './lost-output.ts';

/** The options of `signalbox run`, as the command line gives them. */
export interface RunOptions {
  readonly agent?: string;
  readonly cwd?: string;
  readonly yes?: boolean;
  readonly deny?: boolean;
  readonly ask?: boolean;
  readonly json?: boolean;
  readonly resume?: string;
  readonly env?: readonly string[];
}

/** `signalbox run`: one prompt, one turn, in a new session or one that is resumed. */
export async function run(words: readonly string[], options: RunOptions): Promise<ExitCode> {
  const prompt = await readPrompt(words);
  const config = loadConfig(configFile());
  const host = await openHost(config, toEnvironment(options.env ?? []));
  try {
    const level = chooseLevel(options, config);
    const session = await openSession(host, options, config, level);
    const output =
      options.json === true
        ? createJsonOutput(session, level)
        : createTextOutput(session, level, { durationShown: true });
    const report = await runTurn(session, prompt, output);
    return report.exitCode;
  } finally {
    await host.close();
  }
}

/**
 * Sends a prompt, shows the turn as it goes, and ends when everything of it has been shown.
 *
 * @throws OutputLost when nobody reads that any more; the owner of the host ends what runs.
 */
export async function runTurn(
  session: Session,
  prompt: string,
  output: RunOutput,
): Promise<RunReport> {
  const started = performance.now();
  const by = { kind: 'client', name: 'you' } as const;
  const stopWatching = watchInterrupts({
    onFirst: () => session.cancel(by),
    onSecond: () => void session.endAgent(),
    output,
  });
  const lost = whenOutputLost();
  const shown = new AbortController();
  const showing = output.show(session.headSeq, shown.signal);
  try {
    const content = new RawJson(JSON.stringify([{ type: 'text', text: prompt }]));
    const turn = session.prompt({ content, by, whenBusy: 'refuse' });
    const { end } = await Promise.race([
      turn.then(async (outcome) => {
        await output.whenShown(outcome.seq);
        return outcome;
      }),
      // What cannot be shown ends the run; it must not go on unseen.
      rejectionOf(showing),
      lost,
    ]);
    const durationMs = performance.now() - started;
    const report = { sessionId: session.id, end, durationMs, exitCode: exitCodeOfTurn(end) };
    output.finish(report);
    return report;
  } finally {
    shown.abort();
    await Promise.race([showing, lost]);
    stopWatching();
  }
}

/** Rejects when `work` does; does nothing when it ends well. */
async function rejectionOf(work: Promise<void>): Promise<never> {
  await work;
  return new Promise<never>(() => undefined);
}

/** The prompt from the command line; `-`, or nothing with a pipe, reads it from stdin. */
async function readPrompt(words: readonly string[]): Promise<string> {
  const fromStdin =
    (words.length === 1 && words[0] === '-') || (words.length === 0 && !process.stdin.isTTY);
  const prompt = fromStdin ? await readAll(process.stdin) : words.join(' ');
  if (prompt.trim() !== '') return prompt;
  throw new UsageError('There is no prompt. Give it as the last argument, or "-" for stdin.');
}

async function openSession(
  host: Host,
  options: RunOptions,
  config: Config,
  policyLevel: PolicyLevel,
): Promise<Session> {
  const settings = { policyLevel };
  if (options.resume !== undefined) {
    if (options.agent !== undefined || options.cwd !== undefined) {
      throw new UsageError(
        '--resume takes the agent and the folder of the session; leave them out',
      );
    }
    return host.openSession(await findSession(host, options.resume), settings);
  }
  const agent = options.agent ?? config.defaultAgent ?? BUILTIN_AGENT;
  return host.createSession({ agent, cwd: resolve(options.cwd ?? '.'), settings });
}
