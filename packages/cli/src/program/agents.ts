import type { Command } from 'commander';

/** The commands about agents and settings: `agents`, `agent`, `config`. */
export function addAgents(program: Command): void {
  program
    .command('agents')
    .description('show the agents that can be named, or everything that is known of one')
    .argument('[name]', 'an agent')
    .option('--json', 'as JSON')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const { showAgent, showAgents } = await import('../commands/agents.ts');
      if (name === undefined) showAgents(options);
      else showAgent(name, options);
    });
  program
    .command('config')
    .description('show the configuration, its schema, and where things are stored')
    .action(async () => {
      const { showConfig } = await import('../commands/config.ts');
      showConfig();
    });
  program
    .command('agent')
    .description('the built-in agent, as an ACP agent on stdin and stdout')
    .action(async () => {
      const { runAgent } = await import('../commands/agent.ts');
      await runAgent();
    });
}
