import { readTraceLines, type TraceLine } from '@signalbox/conformance';
import { UsageError } from '../../usage-error.ts';

/**
 * Reads a trace file line by line.
 *
 * @throws UsageError when it cannot be read, or when it is something else than a trace.
 */
export async function* readTraceFile(path: string): AsyncGenerator<TraceLine> {
  let isTrace = false;
  try {
    for await (const line of readTraceLines(path)) {
      isTrace ||= line.entry !== undefined;
      if (!isTrace) {
        throw new UsageError('it is no trace; "signalbox trace --out FILE -- <agent>" makes one');
      }
      yield line;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
