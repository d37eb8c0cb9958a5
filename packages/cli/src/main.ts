import { Command, CommanderError } from 'commander';
import { exitCodeOfHostError, ExitCode } from './exit-codes.ts';
import { VERSION } from './version.ts';

/** Runs the command line and sets the process's exit code. Commands are loaded when they are needed. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that has gone (`signalbox log … | head`) ends the command, quietly.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(ExitCode.Ok);
    throw error;
  });
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function createProgram(): Command {
  const program = new Command('signalbox')
    .description('Runs any coding agent that speaks the Agent Client Protocol.')
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)');
  addRun(program);
  addSessions(program);
  addLog(program);
  program
    .command('agents')
    .description('show the agents that can be named')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const { showAgents } = await import('./commands/agents.ts');
      showAgents(options);
    });
  program
    .command('config')
    .description('show the configuration, its schema, and where things are stored')
    .action(async () => {
      const { showConfig } = await import('./commands/config.ts');
      showConfig();
    });
  program
    .command('agent')
    .description('the built-in agent, as an ACP agent on stdin and stdout')
    .action(async () => {
      const { runAgent } = await import('./commands/agent.ts');
      await runAgent();
    });
  program
    .command('demo')
    .description('the built-in agent mends a small repository that comes with Signalbox')
    .action(async () => {
      const { demo } = await import('./commands/demo.ts');
      process.exitCode = await demo();
    });
  return program;
}

function addRun(program: Command): void {
  program
    .command('run')
    .description('run one prompt and show what the agent does')
    .argument('[prompt...]', 'the prompt; "-" reads it from stdin')
    .option(
      '-a, --agent <name or command>',
      'the agent: a name of "signalbox agents" or a command line',
    )
    .option('-C, --cwd <folder>', 'the folder to work in (default: this one)')
    .option('-y, --yes', 'allow what the agent asks for, once each time')
    .option('--deny', 'deny what the agent asks for')
    .option('--ask', 'ask for each permission (the default)')
    .option('--json', 'one event a line instead of text')
    .option(
      '-r, --resume <session>',
      'go on with a session: its id, the beginning of it, or "last"',
    )
    .option(
      '-e, --env <NAME=value>',
      'a variable for the agent; NAME alone passes yours on; may be given again',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (words: string[], options: object) => {
      const { run } = await import('./commands/run.ts');
      process.exitCode = await run(words, options);
    });
}

function addSessions(program: Command): void {
  const sessions = program.command('sessions').description('list, show and delete sessions');
  sessions
    .command('list')
    .description('every session, oldest first')
    .option('--json', 'one session a line, as JSON')
    .action(async (options: { json?: boolean }) => {
      const { listSessions } = await import('./commands/sessions.ts');
      await listSessions(options);
    });
  sessions
    .command('show')
    .description('a whole session, as it was seen live')
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .action(async (named: string) => {
      const { showOneSession } = await import('./commands/sessions.ts');
      await showOneSession(named);
    });
  sessions
    .command('delete')
    .description('delete a session and its log for good')
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .action(async (named: string) => {
      const { deleteSession } = await import('./commands/sessions.ts');
      await deleteSession(named);
    });
}

function addLog(program: Command): void {
  program
    .command('log')
    .description("show a session's log, one event a line")
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .option('-f, --follow', 'go on with what comes')
    .option('--raw', 'each event exactly as it is stored, as JSON')
    .option('--after <event id>', 'only events after this one')
    .action(async (named: string, options: object) => {
      const { showLog } = await import('./commands/log.ts');
      await showLog(named, options);
    });
}

/** Says what went wrong, once, and gives the exit code for it. */
function report(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
  if (!(error instanceof Error)) {
    process.stderr.write(`signalbox: ${String(error)}\n`);
    return ExitCode.Internal;
  }
  const { hint, code } = error as { hint?: unknown; code?: unknown };
  const isOurs = ['HostError', 'UsageError', 'CoreError'].includes(error.name);
  process.stderr.write(`signalbox: ${isOurs ? error.message : (error.stack ?? error.message)}\n`);
  if (typeof hint === 'string') process.stderr.write(`${hint}\n`);
  if (error.name === 'UsageError') return ExitCode.Usage;
  if (error.name === 'CoreError') {
    return code === 'cursor_malformed' ? ExitCode.Usage : ExitCode.JournalFailed;
  }
  return error.name === 'HostError'
    ? exitCodeOfHostError(code as Parameters<typeof exitCodeOfHostError>[0])
    : ExitCode.Internal;
}

const EXIT_CODES = `
Exit codes:
    0  end_turn: the agent has finished
    1  a fault of Signalbox
    2  the command line or the configuration is wrong
   10  max_tokens    11  max_turn_requests    12  refusal
   20  agent_start: the agent could not be started    21  agent_exited during the turn
   22  agent_error: it answered with an error         23  auth_required: sign in first
   24  invalid_response    25  turn_idle    26  interrupted
   30  no such session    31  session in use    32  session busy    33  the log could not be written
  130  cancelled
`;
