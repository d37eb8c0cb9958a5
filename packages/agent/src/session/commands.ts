import type { AvailableCommand } from '@signalbox/acp';

/** The commands that the agent answers itself, without its model. */
export const COMMANDS: readonly AvailableCommand[] = [
  { name: 'help', description: 'Says what this agent can do' },
  {
    name: 'mode',
    description: 'Changes how much is done without asking',
    input: { hint: 'ask, auto or plan' },
  },
];

/** A command at the beginning of a prompt. */
export interface Command {
  readonly name: 'help' | 'mode';
  readonly argument: string;
}

/** The command in a prompt; undefined for everything else, which is for the model (R-CMD-06). */
export function parseCommand(text: string): Command | undefined {
  const match = /^\s*\/(help|mode)(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return undefined;
  return { name: match[1] as Command['name'], argument: (match[2] ?? '').trim() };
}

/** The answer to `/help`. `modelHelp` is what the model says about itself. */
export function helpText(modelHelp: string | undefined): string {
  const commands = COMMANDS.map(({ name, description, input }) => {
    const hint = input === undefined || input === null ? '' : ` <${input.hint}>`;
    return `- \`/${name}${hint}\`: ${description}`;
  });
  return [...(modelHelp === undefined ? [] : [modelHelp, '']), 'Commands:', ...commands].join('\n');
}
