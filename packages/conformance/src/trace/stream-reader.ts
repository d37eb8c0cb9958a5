import { createReadStream } from 'node:fs';
import { LineCutter, type CutLine } from './line-cutter.ts';
import { parseEntry } from './trace-file.ts';
import type { TraceEntry } from './trace-entry.ts';

/** A line of a trace file: an entry, or why it is none. */
export type TraceLine =
  | { readonly number: number; readonly entry: TraceEntry; readonly problem?: undefined }
  | {
      readonly number: number;
      readonly entry?: undefined;
      readonly problem: string;
      /** True for the rest of a file behind its last line feed: its writer did not finish it. */
      readonly isUnfinished: boolean;
    };

/**
 * Reads a trace file line by line, so that its size does not matter. Empty lines are skipped.
 *
 * @throws what reading a file throws.
 */
export async function* readTraceLines(path: string): AsyncGenerator<TraceLine> {
  const cutter = new LineCutter();
  let number = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const cut of cutter.push(chunk)) yield* toTraceLine(cut, ++number);
  }
  const rest = cutter.end();
  if (rest !== undefined) yield* toTraceLine(rest, ++number);
}

function* toTraceLine({ bytes, isWhole }: CutLine, number: number): Generator<TraceLine> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (text.trim() === '') return;
  try {
    yield { number, entry: parseEntry(text) };
  } catch {
    yield { number, problem: 'is no entry of a trace', isUnfinished: !isWhole };
  }
}
