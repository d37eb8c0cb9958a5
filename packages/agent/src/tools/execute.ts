import { isRefusal, type Refusal, type Workspace } from '../workspace/workspace.ts';
import { runCommand, type CommandResult } from '../process/run-command.ts';
import { inputSchema, parseInput } from './input.ts';
import { textContent, type PreparedCall, type Tool, type ToolOutcome } from './tool.ts';

const FIELDS = {
  command: { type: 'string', description: 'A line for /bin/sh', optional: true },
  argv: {
    type: 'strings',
    description: 'A program and its arguments, run without a shell; instead of command',
    optional: true,
  },
  cwd: { type: 'string', description: 'The directory to run it in', optional: true },
  timeoutMs: {
    type: 'integer',
    description: 'When to end it; 2 minutes if absent',
    optional: true,
  },
} as const;

const TIMEOUT_MS = 120_000;
const TIMEOUT_MS_MAX = 30 * 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
const TITLE_LENGTH_MAX = 120;

/** Runs a command. */
export const executeTool: Tool = {
  name: 'execute',
  description:
    'Runs a command and gives its exit code and output. It gets no input, and what it leaves in the ' +
    'background is ended with it.',
  kind: 'execute',
  effect: 'command',
  inputSchema: inputSchema(FIELDS),
  async prepare(input: unknown, workspace: Workspace): Promise<PreparedCall | Refusal> {
    const parsed = parseInput(FIELDS, input);
    if (isRefusal(parsed)) return parsed;
    const argv = toArgv(parsed.command, parsed.argv);
    if (isRefusal(argv)) return argv;
    const cwd = await workspace.guard(parsed.cwd ?? '.');
    if (isRefusal(cwd)) return cwd;
    const line = parsed.command ?? argv.map(quoted).join(' ');
    const timeoutMs = Math.min(parsed.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS_MAX);
    const title = line.length > TITLE_LENGTH_MAX ? `${line.slice(0, TITLE_LENGTH_MAX)}…` : line;
    return {
      title: `Run ${title}`,
      locations: [{ path: cwd }],
      preview: [textContent(`${line}\n(in ${workspace.shown(cwd)})`)],
      run: async (signal): Promise<ToolOutcome> => {
        const limits = { timeoutMs, outputBytesMax: OUTPUT_BYTES_MAX };
        return toOutcome(await runCommand({ argv, cwd }, limits, signal), timeoutMs);
      },
    };
  },
};

function toArgv(
  command: string | undefined,
  argv: readonly string[] | undefined,
): [string, ...string[]] | Refusal {
  if ((command === undefined) === (argv === undefined)) {
    return { refused: 'the input must have either "command" or "argv"' };
  }
  if (command !== undefined) {
    if (command.trim() === '') return { refused: 'the command is empty' };
    return ['/bin/sh', '-c', command];
  }
  const [program, ...args] = argv ?? [];
  if (program === undefined || program === '') return { refused: 'the input\'s "argv" is empty' };
  return [program, ...args];
}

function toOutcome(result: CommandResult, timeoutMs: number): ToolOutcome {
  const how = describe(result, timeoutMs);
  const text = result.output === '' ? how : `${result.output.trimEnd()}\n${how}`;
  const { ended, exitCode, exitSignal, output, omittedBytes } = result;
  return {
    isError: ended !== 'exited' || exitCode !== 0,
    text,
    output: { ended, exitCode, signal: exitSignal, output, omittedBytes },
  };
}

function describe(result: CommandResult, timeoutMs: number): string {
  switch (result.ended) {
    case 'exited':
      return result.exitSignal === null
        ? `[exit code ${result.exitCode}]`
        : `[ended by ${result.exitSignal}]`;
    case 'timed_out':
      return `[ended after ${timeoutMs} ms without an exit]`;
    case 'aborted':
      return '[ended because the turn was cancelled]';
    case 'not_started':
      return `[not started: ${result.problem ?? 'unknown problem'}]`;
  }
}

function quoted(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
