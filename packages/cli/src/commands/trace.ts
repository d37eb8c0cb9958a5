import { loadConfig } from '../config/config.ts';
import { createTraceFile } from './trace/trace-file.ts';
import { relay } from './trace/relay.ts';
import { say } from './trace/say.ts';
import { StreamRecorder } from '@signalbox/conformance';

/** Options of `signalbox trace`. */
export interface TraceOptions {
  /** The file, or the folder in which one is made. */
  readonly out?: string;
}

/**
 * `signalbox trace -- <agent command...>`: stands in an agent's place and records what crosses the
 * connection. It ends as the agent ends: with its exit code or by its signal.
 */
export async function trace(command: readonly string[], options: TraceOptions): Promise<void> {
  const file = createTraceFile(loadConfig(), command, options.out);
  say(`recording to ${file.path}`);
  const recorder = new StreamRecorder({ write: (lines) => file.append(lines) });
  await relay(command, recorder);
}
