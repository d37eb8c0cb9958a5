import { once } from 'node:events';
import { toPrintableLine } from '@signalbox/core';
import {
  replayToAgent,
  replayToClient,
  type ReplayReport,
  type TraceEntry,
} from '@signalbox/conformance';
import { ExitCode } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { readTraceFile } from './trace/read-trace-file.ts';
import { say } from './trace/say.ts';

const DEFAULT_TIMEOUT_S = 30;
/** What replaying exits with when the living side differed from the recorded one. */
const DIFFERENT = 1;

/** Options of `signalbox trace replay`. */
export interface TraceReplayOptions {
  readonly against: string;
  /** Multiple of the recorded speed. */
  readonly speed?: string;
  /** Seconds. */
  readonly timeout?: string;
}

/**
 * `signalbox trace replay FILE --against agent|client`: plays one side of a trace to a living other
 * side, and says in what that differed.
 *
 * @returns against an agent 1 if it differed, else 0. Against a client always 0, since it is the agent's
 *   exit code for that client.
 */
export async function replayTrace(
  path: string,
  command: readonly string[],
  options: TraceReplayOptions,
): Promise<ExitCode> {
  const { against, speed, timeout } = options;
  const settings = {
    trace: await readFile(path),
    timeoutMs: 1000 * toNumber(timeout ?? String(DEFAULT_TIMEOUT_S), '--timeout'),
    ...(speed === undefined ? {} : { speed: toNumber(speed, '--speed') }),
  };
  if (against === 'agent') {
    if (command.length === 0) throw new UsageError('Give the command of the agent behind "--"');
    const program = { command, cwd: process.cwd(), env: {} };
    const report = await replayToAgent({ ...settings, program });
    process.stdout.write(toText(report));
    return report.differences.length === 0 ? ExitCode.Ok : DIFFERENT;
  }
  if (against !== 'client') throw new UsageError('--against is "agent" or "client"');
  if (command.length > 0) throw new UsageError('A client starts this command; give none');
  const report = await replayToClient({ ...settings, input: process.stdin, write });
  say(toText(report).trimEnd());
  return ExitCode.Ok;
}

/** The trace without a last line that its recorder did not finish. @throws UsageError */
async function readFile(path: string): Promise<readonly TraceEntry[]> {
  const entries: TraceEntry[] = [];
  for await (const line of readTraceFile(path)) {
    if (line.entry !== undefined) entries.push(line.entry);
    else if (line.isUnfinished) say(`${path}:${line.number} is not finished and was left out`);
    else throw new UsageError(`${path} cannot be replayed: line ${line.number} ${line.problem}`);
  }
  return entries;
}

function toText({ sent, recorded, differences }: ReplayReport): string {
  const sum = `${sent} of ${recorded} recorded lines sent`;
  const lines = differences.map((difference) => `  ${toPrintableLine(difference)}\n`).join('');
  return differences.length === 0 ? `${sum}; all as recorded\n` : `${sum}; different:\n${lines}`;
}

function toNumber(text: string, option: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${option} is a number above 0, not "${text}"`);
}

async function write(bytes: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
}
