import type { ModelToolResult, PromptResource, UserMessage } from '../../model.ts';
import { CAN_DO } from '../can-do.ts';
import { planCall, type PlannedCall, type Program } from '../program.ts';
import { parseInstruction, type Instruction } from './parse-instruction.ts';
import { splitInstructions } from './split-instructions.ts';

const RESULT_LENGTH_MAX = 4000;
const READ_ATTACHED =
  /^(?:read|show|open) (?:it|this|that|them|the (?:linked |attached )?files?)$/i;

/**
 * Follows the instructions of a prompt in order, and stops at the first that fails, because those after
 * it may depend on it. Nothing is done if any of them is not understood.
 */
export function* runInstructions(prompt: UserMessage): Program {
  const texts = splitInstructions(prompt.text);
  const instructions: Instruction[] = [];
  for (const text of texts) {
    if (READ_ATTACHED.test(text) && prompt.resources.length > 0) {
      instructions.push(...prompt.resources.map(toReading));
      continue;
    }
    const instruction = parseInstruction(text);
    if (instruction === undefined) {
      yield { kind: 'say', text: `I do not understand "${text}", so I did nothing.\n\n${CAN_DO}` };
      return;
    }
    instructions.push(instruction);
  }
  if (instructions.length === 0) {
    yield { kind: 'say', text: CAN_DO };
    return;
  }
  yield* follow(instructions);
}

/** Reads what is attached to the prompt; a text that came along need not be read from anywhere. */
function toReading({ uri, name, path, text }: PromptResource): Instruction {
  const title = `read ${name ?? uri}`;
  if (text !== undefined) return { title, call: { name: 'think', input: { thought: text } } };
  return { title, call: { name: 'read', input: { path: path ?? uri } } };
}

function* follow(instructions: readonly Instruction[]): Program {
  const titles = instructions.map(({ title }) => title);
  // A single instruction needs no plan.
  const plan = (doneCount: number): PlannedCall[] =>
    titles.length > 1 ? [planCall(titles, doneCount)] : [];
  for (const [index, { call, title }] of instructions.entries()) {
    const result = (yield { kind: 'call', calls: [...plan(index), call] }).at(-1);
    if (result === undefined) return;
    yield { kind: 'say', text: report(title, result) };
    if (!result.isError) continue;
    const left = titles.length - index - 1;
    if (left > 0) yield { kind: 'say', text: `I stopped here; ${left} more not done.\n` };
    return;
  }
  if (titles.length > 1) {
    yield { kind: 'call', calls: plan(titles.length) };
    yield { kind: 'say', text: `All ${titles.length} done.` };
  }
}

function report(title: string, { name, isError, text }: ModelToolResult): string {
  if (isError) return `\`${title.replaceAll('`', '')}\` failed:\n${fenced(text)}`;
  // Changes speak for themselves; what was asked for to be seen is shown.
  const isWanted = name === 'read' || name === 'list' || name === 'search' || name === 'execute';
  return isWanted ? fenced(text) : `${text}.\n`;
}

function fenced(text: string): string {
  const isCut = text.length > RESULT_LENGTH_MAX;
  const shown = isCut ? `${text.slice(0, RESULT_LENGTH_MAX)}\n[cut off]` : text.trimEnd();
  // A fence must be longer than any in the text.
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${shown}\n${fence}\n`;
}
