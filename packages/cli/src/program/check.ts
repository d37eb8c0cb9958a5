import type { Command } from 'commander';
import type { CheckAgentCommandOptions } from '../commands/check-agent.ts';
import type { CheckClientCommandOptions } from '../commands/check-client.ts';
import { collect } from './collect.ts';

/** Adds `signalbox check agent` and `signalbox check client`. */
export function addCheck(program: Command): void {
  const check = program
    .command('check')
    .description('prove that an agent or a client conforms to the protocol')
    .enablePositionalOptions();
  addCheckAgent(check);
  addCheckClient(check);
}

function addCheckAgent(check: Command): void {
  const agent = check
    .command('agent')
    .description('connect to an agent again and again, and weigh what it does')
    .passThroughOptions()
    .argument('[command...]', "the agent's program and its arguments; none with --url")
    .option('--url <url>', 'an endpoint instead of a program, like http://127.0.0.1:7600/acp')
    .option(
      '--transport <name>',
      'how it is spoken to: "websocket" or "http" (default: as its URL begins)',
    )
    .option(
      '--header <name: value>',
      'sent with each request; may be given again. SIGNALBOX_TOKEN is sent as a bearer token',
      collect,
    );
  addCommonOptions(agent);
  for (const [name, task] of PROMPTS) agent.option(`--prompt-${name} <prompt>`, task);
  agent
    .option('--authenticate <method>', 'sign in by this method before sessions are opened')
    .option('--may-log-out', 'allow to sign out, which may end your own login')
    .option('--start-timeout <seconds>', 'for the first answer of the agent (default: 30)')
    .option('--answer-timeout <seconds>', 'for answers that need no model (default: 15)')
    .option('--turn-timeout <seconds>', 'for a turn (default: 90)')
    .option('--idle-timeout <seconds>', 'for a comment on an idle event stream (default: 35)')
    .action(async (command: string[], options: CheckAgentCommandOptions) => {
      const { checkAgentCommand } = await import('../commands/check-agent.ts');
      process.exitCode = await checkAgentCommand(command, options);
    });
}

function addCheckClient(check: Command): void {
  const client = check
    .command('client')
    .description('start a client with scripted agents, and weigh what it does')
    .passThroughOptions()
    .argument(
      '<command...>',
      'the client; {agent} stands for the command line of the agent, {url} for its address over a network, {prompt} for the prompt',
    );
  addCommonOptions(client);
  client
    .option(
      '--transport <name>',
      'how the client reaches its agent: "stdio", "websocket" or "http" (default: stdio)',
    )
    .option('--cancel-signal <name>', 'the signal that cancels a turn, for example SIGINT')
    .action(async (command: string[], options: CheckClientCommandOptions) => {
      const { checkClientCommand } = await import('../commands/check-client.ts');
      process.exitCode = await checkClientCommand(command, options);
    });
}

/** The situations into which an agent is prompted, and what its prompt has to bring about. */
const PROMPTS: readonly (readonly [name: string, task: string])[] = [
  ['text', 'a prompt that makes the agent say something and end'],
  ['long', 'one that makes it work for some seconds, with updates'],
  ['tool', 'one that makes it read marker.txt'],
  ['permission', 'one that makes it ask, and then create permission-probe.txt'],
  ['plan', 'one that makes it report a plan'],
  ['remember', 'one that tells it the word heliotrope'],
  ['recall', 'one that asks for the word'],
  ['outside', 'one that makes it read the file {path}, outside of its folder'],
  ['failing', 'one that makes the turn fail'],
  ['command', 'one that runs a command that the agent offers'],
  ['elicitation', 'one that makes it ask the user something'],
];

function addCommonOptions(command: Command): void {
  command
    .option('--json <file>', 'write the report as JSON')
    .option('--junit <file>', 'write the report as JUnit XML, for CI')
    .option('--html <file>', 'write the report as a page')
    .option('--strict', 'count recommendations and inferred requirements like rules')
    .option('-v, --verbose', 'list what passed and what did not come up, too')
    .option('--only <id or area>', 'only these requirements; may be given again', collect)
    .option('--known-failures <file>', 'a JSON list of {"id", "reason"} that do not fail the check')
    .option(
      '--concurrency <count>',
      'how many processes or connections to check at a time (default: 1)',
    )
    .option('--traces <folder>', 'write what crossed each connection')
    .option('-e, --env <NAME=value>', 'a variable for the program; may be given again', collect)
    .addHelpText(
      'after',
      '\nExit codes: 0 conforming, 1 a rule is broken, 2 wrong command line, 130 interrupted\n',
    );
}
