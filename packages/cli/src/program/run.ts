import type { Command } from 'commander';
import { collect } from './collect.ts';

/** The commands that run an agent: `run`, `acp`, `demo`. */
export function addRun(program: Command): void {
  withAgent(program.command('run'))
    .description('run one prompt and show what the agent does')
    .argument('[prompt...]', 'the prompt; "-" reads it from stdin')
    .option('-C, --cwd <folder>', 'the folder to work in (default: this one)')
    .option('--json', 'one event a line instead of text')
    .option(
      '-r, --resume <session>',
      'go on with a session: its id, the beginning of it, or "last"',
    )
    .addHelpText('after', EXIT_CODES)
    .action(async (words: string[], options: object) => {
      const { run } = await import('../commands/run.ts');
      process.exitCode = await run(words, options);
    });
  withAgent(program.command('acp'))
    .description(
      'serve an editor: this host as an ACP agent on stdin and stdout, any agent behind it',
    )
    .option('--login <method>', "run the agent's own sign-in in this terminal instead")
    .option(
      '--server [url]',
      'serve sessions that live on a server (default: the one that runs on this machine)',
    )
    .action(async (options: object) => {
      const { acp } = await import('../commands/acp.ts');
      process.exitCode = await acp(options);
    });
  program
    .command('demo')
    .description('the built-in agent mends a small repository that comes with Signalbox')
    .action(async () => {
      const { demo } = await import('../commands/demo.ts');
      process.exitCode = await demo();
    });
}

function withAgent(command: Command): Command {
  return command
    .option(
      '-a, --agent <name or command>',
      'the agent: a name of "signalbox agents" or a command line',
    )
    .option('-y, --yes', 'allow what the agent asks for, once each time')
    .option('--deny', 'deny what the agent asks for')
    .option('--ask', 'ask for each permission (the default)')
    .option(
      '-e, --env <NAME=value>',
      'a variable for the agent; NAME alone passes yours on; may be given again',
      collect,
      [],
    );
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
