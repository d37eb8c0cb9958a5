import type { Command } from 'commander';
import type { TraceReplayOptions } from '../commands/trace-replay.ts';
import type { TraceShowOptions } from '../commands/trace-show.ts';
import type { TraceOptions } from '../commands/trace.ts';

/** Adds `signalbox trace` and what can be done with a trace. */
export function addTrace(program: Command): void {
  const trace = program
    .command('trace')
    .description('stand in the place of an agent and record the connection to it')
    // Everything behind the agent's program is the agent's, also what looks like an option.
    .enablePositionalOptions()
    .passThroughOptions()
    .argument('<command...>', "the agent's program and its arguments")
    .option('-o, --out <file>', 'the file to write, or the folder to make one in')
    .action(async (command: string[], options: TraceOptions) => {
      const { trace } = await import('../commands/trace.ts');
      await trace(command, options);
    });
  trace
    .command('show')
    .description('a trace for people: what was called, what came back, how long it took')
    .argument('<file>', 'the trace')
    .option('--raw', 'the exact lines that crossed the connection')
    .option('-m, --method <text>', 'only methods whose name has this in it, and their answers')
    .option('-d, --direction <in|out>', 'only what came in from the agent, or went out to it')
    .action(async (file: string, options: TraceShowOptions) => {
      const { showTrace } = await import('../commands/trace-show.ts');
      await showTrace(file, options);
    });
  trace
    .command('validate')
    .description(
      'hold every message of a trace against the schema and the rules; 1 if any is broken',
    )
    .argument('<file>', 'the trace')
    .action(async (file: string) => {
      const { validateTraceFile } = await import('../commands/trace-validate.ts');
      process.exitCode = await validateTraceFile(file);
    });
  addReplay(trace);
}

function addReplay(trace: Command): void {
  trace
    .command('replay')
    .description('play one side of a trace with a living other side')
    .argument('<file>', 'the trace')
    .requiredOption('--against <agent|client>', 'the side that is alive')
    .option('--speed <factor>', 'at this multiple of the recorded speed (default: at once)')
    .option('--timeout <seconds>', 'the longest wait for the other side (default: 30)')
    .argument('[command...]', "with --against agent: the agent's program and its arguments")
    .action(async (file: string, command: string[], options: TraceReplayOptions) => {
      const { replayTrace } = await import('../commands/trace-replay.ts');
      process.exitCode = await replayTrace(file, command, options);
    });
}
