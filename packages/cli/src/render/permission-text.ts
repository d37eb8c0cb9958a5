import { memberText, type PermissionOption, type RawJson } from '@signalbox/acp';
import type { Action, Actor, EventOf } from '@signalbox/core';
import { toPrintable, toPrintableLine } from './printable.ts';
import type { Style } from './style.ts';

/** Characters of an action's arguments that are shown. */
const INPUT_LENGTH_MAX = 1200;

/** What an agent asks permission for, with everything that it said about it. */
export function permissionText(action: Action, style: Style): string {
  const lines = [
    `${style.warning('?')} ${style.bold(toPrintableLine(action.title) || 'A tool')} ${style.dim(`(${toPrintableLine(action.kind)})`)}`,
    ...action.paths.map((path) => `    ${toPrintableLine(path)}`),
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
  const name = toPrintableLine(option?.name ?? outcome.optionId);
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
  const { value } = rawInput;
  const text = isRecord(value)
    ? Object.entries(value)
        .map(([key, member]) => `${key}: ${memberLine(rawInput, key, member)}`)
        .join('\n')
    : rawInput.text;
  const characters = Array.from(toPrintable(text));
  const shown = characters.slice(0, INPUT_LENGTH_MAX).join('');
  const more = characters.length > INPUT_LENGTH_MAX ? '\n… (the log holds the whole)' : '';
  return `${shown}${more}`.split('\n').map((line) => `    ${line}`);
}

function memberLine(rawInput: RawJson, key: string, value: unknown): string {
  if (typeof value === 'string') return value.includes('\n') ? `\n${value}` : value;
  return memberText(rawInput.text, key) ?? '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
