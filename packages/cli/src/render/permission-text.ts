import { memberText, type PermissionOption, type RawJson } from '@signalbox/acp';
import {
  type Action,
  type Actor,
  type EventOf,
  toExact,
  toExactLine,
  toPrintableLine,
} from '@signalbox/core';
import type { Style } from './style.ts';

/** Characters of an action's arguments that are shown. */
const INPUT_LENGTH_MAX = 1200;
/** Characters of arguments that are shown a member a line; longer ones are shown as they came. */
const TAKEN_APART_MAX = 256 * 1024;

/** What an agent asks permission for, with everything that it said about it. */
export function permissionText(action: Action, style: Style): string {
  const lines = [
    `${style.warning('?')} ${style.bold(toExactLine(action.title) || 'A tool')} ${style.dim(`(${toExactLine(action.kind)})`)}`,
    ...action.paths.map((path) => `    ${toExactLine(path)}`),
    ...inputLines(action.rawInput),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** How a permission request was decided, and by whom. */
export function resolutionText(
  event: EventOf<'permission.resolved'>,
  options: readonly PermissionOption[],
  style: Style,
): string {
  const { outcome, by, withdrawal } = event.data;
  const who = actorText(by);
  if (outcome.kind === 'cancelled') {
    const why = withdrawal === undefined ? '' : ` (${withdrawal.replaceAll('_', ' ')})`;
    return style.dim(`  not allowed${why}, by ${who}\n`);
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  const name = toExactLine(option?.name ?? outcome.optionId);
  return style.dim(`  ${name}, by ${who}\n`);
}

/** Who did something, in a few words. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'client':
      return toPrintableLine(actor.name);
    case 'policy':
      return `policy (${actor.rule})`;
    case 'deadline':
      return 'the deadline';
    case 'agent':
      return 'the agent';
    case 'host':
      return 'the host';
  }
}

/** The arguments, a member a line. Numbers are shown with the digits that the agent wrote. */
function inputLines(rawInput: RawJson | undefined): string[] {
  if (rawInput === undefined) return [];
  const { value, text } = rawInput;
  const lines =
    isRecord(value) && text.length <= TAKEN_APART_MAX ? memberLines(rawInput, value) : [text];
  // Cut before it is looked at closely: it may be as long as a message.
  const head = lines.join('\n').slice(0, 2 * INPUT_LENGTH_MAX + 1);
  const characters = Array.from(toExact(head));
  const shown = characters.slice(0, INPUT_LENGTH_MAX).join('');
  const more = characters.length > INPUT_LENGTH_MAX ? '\n… (the log holds the whole)' : '';
  return `${shown}${more}`.split('\n').map((line) => `    ${line}`);
}

/** As many as can be shown: looking for a member takes longer the more there are. */
function memberLines(rawInput: RawJson, value: Record<string, unknown>): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const [key, member] of Object.entries(value)) {
    const line = `${toExactLine(key)}: ${memberLine(rawInput, key, member)}`;
    lines.push(line);
    length += line.length;
    if (length > 2 * INPUT_LENGTH_MAX) break;
  }
  return lines;
}

function memberLine(rawInput: RawJson, key: string, value: unknown): string {
  if (typeof value === 'string') return value.includes('\n') ? indented(value) : value;
  return memberText(rawInput.text, key) ?? '';
}

/** Several lines, none of which can look like another member. */
function indented(text: string): string {
  return `\n  ${text.replaceAll('\n', '\n  ')}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
