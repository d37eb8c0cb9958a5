import { toPrintableLine } from '@signalbox/core';
import { loadConfig } from '../config/config.ts';
import { BUILTIN_AGENT, listAgents, type ListedAgent } from '../config/find-agent.ts';
import { chooseStyle } from '../render/style.ts';
import { UsageError } from '../usage-error.ts';

/** `signalbox agents`: what can be named with `--agent`. */
export function showAgents(options: { json?: boolean }): void {
  const config = loadConfig();
  const agents = listAgents(config);
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(agents, null, 2)}\n`);
    return;
  }
  const style = chooseStyle(process.stdout);
  const defaultName = config.defaultAgent ?? BUILTIN_AGENT;
  const width = Math.max(...agents.map(({ name }) => name.length));
  for (const { name, title, command, source, install } of agents) {
    const mark = name === defaultName ? '*' : ' ';
    const state = install === undefined ? source : `not installed: ${install}`;
    process.stdout.write(
      `${mark} ${style.bold(name.padEnd(width))}  ${toPrintableLine(title)}\n` +
        `  ${' '.repeat(width)}  ${style.dim(`${toPrintableLine(command.join(' '))}  (${state})`)}\n`,
    );
  }
  process.stdout.write(
    `\n* runs when --agent is not given. --agent also takes a command line, for example\n` +
      `  signalbox run --agent "my-agent --acp" "Hello"\n` +
      `"signalbox agents <name>" tells what an agent needs and how it is odd.\n`,
  );
}

/**
 * `signalbox agents <name>`: everything that is known of one agent.
 *
 * @throws UsageError when nothing is known by that name.
 */
export function showAgent(named: string, options: { json?: boolean }): void {
  const agent = listAgents(loadConfig()).find(({ name }) => name === named);
  if (agent === undefined) {
    throw new UsageError(`There is no agent named "${named}". See "signalbox agents".`);
  }
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(agent, null, 2)}\n`);
    return;
  }
  const style = chooseStyle(process.stdout);
  process.stdout.write(`${style.bold(agent.name)}  ${toPrintableLine(agent.title)}\n`);
  for (const [label, text] of factsOf(agent)) {
    process.stdout.write(`${style.dim(label.padEnd(10))} ${toPrintableLine(text)}\n`);
  }
  for (const quirk of agent.quirks ?? []) {
    process.stdout.write(
      `\n${style.bold(quirk.name)}\n  The agent: ${quirk.agent}\n  Signalbox: ${quirk.host}\n`,
    );
  }
}

/** What is known of an agent, in lines. */
function factsOf(agent: ListedAgent): [label: string, text: string][] {
  const { command, source, install, needs, configFiles, passEnv, protocolVersions } = agent;
  const facts: [string, string | undefined][] = [
    ['command', command.join(' ')],
    ['from', source],
    ['install', install],
    ['needs', needs],
    ['settings', configFiles?.join(', ')],
    ['variables', passEnv?.join(', ')],
    ['protocol', protocolVersions?.map((version) => `version ${version}`).join(', ')],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}
