import { toPrintableLine } from '@signalbox/core';
import { validateTrace, type TraceEntry, type TraceProblem } from '@signalbox/conformance';
import { chooseStyle, type Style } from '../render/style.ts';
import { ExitCode } from '../exit-codes.ts';
import { readTraceFile } from './trace/read-trace-file.ts';

/**
 * `signalbox trace validate FILE`: every message against the schema and the rules of the protocol.
 *
 * @returns 0 when no rule was broken, else 1.
 */
export async function validateTraceFile(path: string): Promise<ExitCode> {
  const style = chooseStyle(process.stdout);
  const { entries, numbers, unreadable } = await read(path);
  const problems = validateTrace(entries);
  for (const { number, text } of unreadable) {
    process.stdout.write(`line ${number}  ${style.bad('error')}  ${text}\n`);
  }
  for (const problem of problems) {
    const number = problem.index === undefined ? undefined : numbers[problem.index];
    process.stdout.write(toProblemLine(problem, { number, style }));
  }
  const violations = problems.filter(({ isViolation }) => isViolation).length;
  const errors = violations + unreadable.length;
  const warnings = problems.length - violations;
  process.stdout.write(
    `${counted(entries.length, 'message')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}\n`,
  );
  return errors === 0 ? ExitCode.Ok : VIOLATIONS;
}

/** What `validate` and `check` exit with when a rule of the protocol was broken. */
const VIOLATIONS = 1;

interface Contents {
  readonly entries: readonly TraceEntry[];
  /** The line of the file for each entry. */
  readonly numbers: readonly number[];
  readonly unreadable: readonly { readonly number: number; readonly text: string }[];
}

async function read(path: string): Promise<Contents> {
  const entries: TraceEntry[] = [];
  const numbers: number[] = [];
  const unreadable: { number: number; text: string }[] = [];
  for await (const line of readTraceFile(path)) {
    if (line.entry !== undefined) {
      entries.push(line.entry);
      numbers.push(line.number);
    } else if (line.isUnfinished) {
      // A recorder that was killed while it wrote leaves this; it is nobody's violation.
      process.stderr.write(`signalbox: ${path}:${line.number} is not finished and was left out\n`);
    } else unreadable.push({ number: line.number, text: line.problem });
  }
  return { entries, numbers, unreadable };
}

function toProblemLine(
  { side, requirement, isViolation, text }: TraceProblem,
  { number, style }: { number: number | undefined; style: Style },
): string {
  const place = number === undefined ? 'the whole' : `line ${number}`;
  const weight = isViolation ? style.bad('error') : style.warning('warning');
  const rule = `${requirement.id} ${requirement.level}`;
  return `${place}  ${weight}  ${side}  ${rule}  ${toPrintableLine(text)}\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
