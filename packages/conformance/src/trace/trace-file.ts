import { readFile, writeFile } from 'node:fs/promises';
import { memberText } from '@signalbox/acp';
import { formatEntry } from './format-entry.ts';
import { decode } from './recorder.ts';
import type { Direction, Trace, TraceEntry } from './trace-entry.ts';

/**
 * Reads what {@link formatEntry} wrote.
 *
 * @throws SyntaxError for a line that is no entry of a trace.
 */
export function parseEntry(line: string): TraceEntry {
  const { dir, t, raw, base64, cut } = JSON.parse(line) as {
    dir?: unknown;
    t?: unknown;
    raw?: unknown;
    base64?: unknown;
    cut?: unknown;
  };
  if (!isDirection(dir)) throw new SyntaxError(`a trace line has no direction: ${line}`);
  const common = {
    dir,
    t: typeof t === 'number' ? t : 0,
    ...(cut === true ? { isCut: true as const } : {}),
  };
  if (typeof base64 === 'string') return { ...common, ...decode(Buffer.from(base64, 'base64')) };
  const text = typeof raw === 'string' ? raw : memberText(line, 'msg');
  if (text === undefined) throw new SyntaxError(`a trace line has no message: ${line}`);
  return { ...common, text };
}

/** A whole trace as the text of a file. */
export function formatTrace(trace: Trace): string {
  return trace.map((entry) => `${formatEntry(entry)}\n`).join('');
}

/** Reads the text of a trace file; empty lines are skipped. @throws SyntaxError */
export function parseTrace(text: string): Trace {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseEntry);
}

/** Reads a trace file. @throws SyntaxError, or what reading a file throws. */
export async function readTrace(path: string): Promise<Trace> {
  return parseTrace(await readFile(path, 'utf8'));
}

/** Writes a trace file. */
export async function writeTrace(path: string, trace: Trace): Promise<void> {
  await writeFile(path, formatTrace(trace));
}

function isDirection(value: unknown): value is Direction {
  return value === 'c2a' || value === 'a2c';
}
