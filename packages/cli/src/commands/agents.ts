import { loadConfig } from '../config/config.ts';
import { BUILTIN_AGENT, listAgents } from '../config/find-agent.ts';
import { toPrintableLine } from '../render/printable.ts';
import { chooseStyle } from '../render/style.ts';

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
      `  signalbox run --agent "my-agent --acp" "Hello"\n`,
  );
}
