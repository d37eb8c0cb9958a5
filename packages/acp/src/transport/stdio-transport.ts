import type { Readable, Writable } from 'node:stream';
import type { Transport } from '../jsonrpc/transport.ts';
import { LineReader } from './line-reader.ts';
import { LineWriter } from './line-writer.ts';

/** The bounds of a stdio transport. */
export interface StdioLimits {
  /** Longest line that is taken in, in bytes. Default 64 MiB; a longer one is skipped and reported. */
  readonly lineBytesMax?: number;
  /** How much may wait for a reader that does not read, in bytes. Default 256 MiB. */
  readonly queuedBytesMax?: number;
  /** How long closing waits for what is queued to be written, in ms. Default 5000. */
  readonly flushMs?: number;
}

const LINE_BYTES_MAX = 64 * 1024 * 1024;
const QUEUED_BYTES_MAX = 256 * 1024 * 1024;
const FLUSH_MS = 5000;

/**
 * One JSON text per line over a pair of byte streams (R-FRM-01 to R-FRM-03).
 *
 * @param input where the other side's lines come from, for an agent `process.stdin`.
 * @param output where ours go, for an agent `process.stdout`; nothing else may write to it.
 */
export function createStdioTransport(
  input: Readable,
  output: Writable,
  limits: StdioLimits = {},
): Transport {
  const {
    lineBytesMax = LINE_BYTES_MAX,
    queuedBytesMax = QUEUED_BYTES_MAX,
    flushMs = FLUSH_MS,
  } = limits;
  const reader = new LineReader(input, lineBytesMax);
  const writer = new LineWriter(output, { queuedBytesMax, flushMs }, (error) =>
    reader.outputLost(error),
  );
  let closing: Promise<void> | undefined;
  return {
    send: (frame) => writer.write(frame),
    receive: () => reader.read(),
    close: () => {
      closing ??= writer.end().then(() => reader.close());
      return closing;
    },
  };
}
