import { writeFileSync, readFileSync } from 'node:fs';
import {
  parseKnownFailures,
  renderTerminal,
  toHtml,
  toJson,
  toJUnit,
  type KnownFailure,
  type Report,
} from '@signalbox/conformance';
import { UsageError } from '../usage-error.ts';
import { toRequirementIds } from './check/only.ts';
import { clearProgress, showProgress } from './check/progress.ts';

/** The options that both sides have in common. */
export interface CheckOptions {
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly strict?: boolean;
  /** Lists what passed and what was not exercised too. */
  readonly verbose?: boolean;
  /** Ids of requirements and codes of areas. */
  readonly only?: readonly string[];
  readonly knownFailures?: string;
  readonly concurrency?: string;
  /** A folder for what crossed each connection. */
  readonly traces?: string;
}

/** What both checks of the kit are told. */
export interface CommonOptions {
  readonly isStrict: boolean;
  readonly only?: readonly string[];
  readonly concurrency?: number;
  readonly traceDirectory?: string;
  readonly knownFailures?: readonly KnownFailure[];
  readonly onProgress: (name: string, done: number, total: number) => void;
}

/** Reads the common options. @throws UsageError */
export function toCommonOptions(options: CheckOptions): CommonOptions {
  const { only, concurrency, traces, knownFailures } = options;
  return {
    isStrict: options.strict === true,
    onProgress: showProgress,
    ...(only === undefined ? {} : { only: toRequirementIds(only) }),
    ...(concurrency === undefined ? {} : { concurrency: toCount(concurrency, '--concurrency') }),
    ...(traces === undefined ? {} : { traceDirectory: traces }),
    ...(knownFailures === undefined ? {} : { knownFailures: readKnownFailures(knownFailures) }),
  };
}

/** Shows a report and writes the files that were asked for. @returns the exit code: 0 or 1. */
export function finishCheck(report: Report, options: CheckOptions): 0 | 1 {
  clearProgress();
  const files: [path: string | undefined, toText: (report: Report) => string][] = [
    [options.json, toJson],
    [options.junit, toJUnit],
    [options.html, toHtml],
  ];
  for (const [path, toText] of files) {
    if (path !== undefined) writeReport(path, toText(report));
  }
  const { stdout } = process;
  const hasColour = stdout.isTTY && stdout.hasColors() && process.env['NO_COLOR'] === undefined;
  stdout.write(renderTerminal(report, { hasColour, isVerbose: options.verbose === true }));
  return report.exitCode;
}

/** A whole number from 1. @throws UsageError */
export function toCount(text: string, option: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new UsageError(`${option} is a whole number from 1, not "${text}"`);
}

function readKnownFailures(path: string): readonly KnownFailure[] {
  try {
    return parseKnownFailures(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`The report cannot be written: ${(error as Error).message}`);
  }
}
