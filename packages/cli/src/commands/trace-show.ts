import { once } from 'node:events';
import { toPrintable } from '@signalbox/core';
import { TraceFolder, type TraceEntry, type TraceRow } from '@signalbox/conformance';
import { chooseStyle } from '../render/style.ts';
import { UsageError } from '../usage-error.ts';
import { readTraceFile } from './trace/read-trace-file.ts';
import { toTraceLine } from './trace/trace-line.ts';

/** Options of `signalbox trace show`. */
export interface TraceShowOptions {
  readonly raw?: boolean;
  /** Only methods that contain this text, and the answers to them. */
  readonly method?: string;
  /** `out` is to the agent, `in` is from it. */
  readonly direction?: string;
}

/** `signalbox trace show FILE`: a recorded connection for people, or its exact lines. */
export async function showTrace(path: string, options: TraceShowOptions): Promise<void> {
  const dir = toDirection(options.direction);
  const style = chooseStyle(process.stdout);
  const folder = new TraceFolder();
  const isShown = (row: TraceRow): boolean =>
    (dir === undefined || row.dir === dir) &&
    (options.method === undefined || row.method.includes(options.method));
  // With --raw a row is needed to know its method, but what is shown are the lines in it.
  const rawLines = new RawLines(dir !== undefined);
  const show = async (rows: readonly TraceRow[]): Promise<void> => {
    for (const row of rows) {
      const raw = rawLines.take(row.count);
      if (!isShown(row)) continue;
      if (options.raw !== true) await write(toTraceLine(row, style));
      else for (const bytes of raw) await write(bytes);
    }
  };
  for await (const { number, entry, problem } of readTraceFile(path)) {
    if (entry === undefined) {
      process.stderr.write(`signalbox: ${path}:${number} ${problem}\n`);
      continue;
    }
    if (options.raw === true) rawLines.add(entry);
    await show(folder.push(entry, number));
  }
  await show(folder.end());
}

/** The exact lines of the rows to come. */
class RawLines {
  readonly #isOneDirection: boolean;
  #waiting: Uint8Array[] = [];

  /** @param isOneDirection whether what is shown is one stream, whose last line may have no end. */
  constructor(isOneDirection: boolean) {
    this.#isOneDirection = isOneDirection;
  }

  add({ text, bytes, isCut }: TraceEntry): void {
    const end = isCut === true && this.#isOneDirection ? '' : '\n';
    // Nothing of an agent reaches a terminal as it is.
    const line = process.stdout.isTTY ? toPrintable(text) : (bytes ?? text);
    this.#waiting.push(Buffer.concat([Buffer.from(line), Buffer.from(end)]));
  }

  take(count: number): readonly Uint8Array[] {
    return this.#waiting.splice(0, count);
  }
}

async function write(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

function toDirection(named: string | undefined): TraceEntry['dir'] | undefined {
  if (named === undefined) return undefined;
  if (named === 'out') return 'c2a';
  if (named === 'in') return 'a2c';
  throw new UsageError('--direction is "out" (to the agent) or "in" (from the agent)');
}
