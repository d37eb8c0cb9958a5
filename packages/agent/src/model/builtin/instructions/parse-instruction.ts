import type { PlannedCall } from '../program.ts';

/** An instruction that was understood. */
export interface Instruction {
  /** What it says, in few words. */
  readonly title: string;
  readonly call: PlannedCall;
}

interface Pattern {
  readonly matches: RegExp;
  /** The tool to call with what stands in the groups. */
  readonly toCall: (groups: Readonly<Record<string, string>>) => PlannedCall;
}

const PATH = '(?:the )?(?:file |directory |folder )?(?<path>`[^`]+`|"[^"]+"|\\S+)';
const TO = '(?<to>`[^`]+`|"[^"]+"|\\S+)';
const FENCED = '```[^\\n]*\\n(?<fenced>[\\s\\S]*?)```';

function quoted(name: string): string {
  return `(?:\`(?<${name}Code>[^\`]*)\`|"(?<${name}Quoted>[^"]*)")`;
}

const PATTERNS: readonly Pattern[] = [
  pattern(`(?:list|ls)(?: (?:all )?(?:the )?files)?(?: (?:in|of))?(?: ${PATH})?`, (groups) => ({
    name: 'list',
    input: groups['path'] === undefined ? {} : { path: bare(groups['path']) },
  })),
  pattern(`(?:read|show|open|cat) ${PATH}`, (groups) => ({
    name: 'read',
    input: { path: bare(groups['path']) },
  })),
  pattern(
    `(?:search|grep|look)(?: for)? (?:${quoted('text')}|(?<plain>.+?))(?: in ${PATH})?`,
    (groups) => {
      const text = either(groups, 'text') ?? groups['plain'] ?? '';
      const path = groups['path'];
      return { name: 'search', input: path === undefined ? { text } : { text, path: bare(path) } };
    },
  ),
  pattern(`replace ${quoted('old')} (?:with|by) ${quoted('new')} in ${PATH}`, (groups) => ({
    name: 'edit',
    input: {
      path: bare(groups['path']),
      oldText: either(groups, 'old'),
      newText: either(groups, 'new'),
    },
  })),
  pattern(
    `(?:create|write) (?:a )?${PATH} with:?\\s+(?:${FENCED}|${quoted('text')})`,
    (groups) => ({
      name: 'write',
      input: {
        path: bare(groups['path']),
        text: groups['fenced'] ?? either(groups, 'text') ?? '',
      },
    }),
  ),
  pattern(`(?:delete|remove) ${PATH}`, (groups) => ({
    name: 'delete',
    input: { path: bare(groups['path']) },
  })),
  pattern(`(?:move|rename) ${PATH} to ${TO}`, (groups) => ({
    name: 'move',
    input: { from: bare(groups['path']), to: bare(groups['to']) },
  })),
  pattern(`(?:run|execute) ${quoted('command')}`, (groups) => ({
    name: 'execute',
    input: { command: either(groups, 'command') },
  })),
  pattern('think (?:about )?(?<thought>[\\s\\S]+)', (groups) => ({
    name: 'think',
    input: { thought: groups['thought'] },
  })),
];

/** What an instruction asks for; undefined if it is none that is known. */
export function parseInstruction(text: string): Instruction | undefined {
  for (const { matches, toCall } of PATTERNS) {
    const groups = matches.exec(text)?.groups;
    if (groups === undefined) continue;
    const [firstLine = text] = text.split('\n');
    return { title: firstLine.replace(/:?\s*```.*$/, ''), call: toCall(groups) };
  }
  return undefined;
}

function pattern(source: string, toCall: Pattern['toCall']): Pattern {
  return { matches: new RegExp(`^${source}$`, 'i'), toCall };
}

function either(groups: Readonly<Record<string, string>>, name: string): string | undefined {
  return groups[`${name}Code`] ?? groups[`${name}Quoted`];
}

function bare(path: string | undefined): string {
  return (path ?? '').replace(/^(["`])(.*)\1$/, '$2');
}
