import { at, isObject, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { isInReplay, isInTurn, turnsOf, type Turn } from './turns.ts';
import type { Update, View } from './view.ts';

/** Chunks of messages, commands, plans and use of context. */
export const MESSAGE_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'a chunk holds one content block',
    ids: { agent: ['R-CHK-01'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { update, message } of chunks(view)) {
        const isOk =
          isObject(update['content']) && typeof at(update, 'content', 'type') === 'string';
        notes.judge('R-CHK-01', message, isOk, 'the content of a chunk is not exactly one block');
      }
    },
  },
  {
    name: 'message ids name one message each',
    ids: { agent: ['R-CHK-04', 'R-CHK-05', 'R-CHK-09', 'R-LOD-09'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      judgeMessageIds(view, notes);
    },
  },
  {
    name: 'use of context is given in whole tokens',
    ids: { agent: ['R-USG-01', 'R-USG-02', 'R-USG-03', 'R-USG-04'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      const costs = new Map<string, number>();
      for (const update of view.updates) {
        if (update.kind !== 'usage_update' || isOtherVersion(view, update.message)) continue;
        judgeUsage(update, costs, notes);
      }
    },
  },
  {
    name: 'plans are complete',
    ids: { agent: ['R-PLN-01', 'R-PLN-02', 'R-PLN-03', 'R-PLN-05', 'R-PLN-06'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      const plans = new Map<string, readonly unknown[]>();
      for (const update of view.updates) {
        if (update.kind === 'plan' && !isOtherVersion(view, update.message)) {
          judgePlan(update, plans, notes);
        }
      }
    },
  },
  {
    name: 'commands have plain names',
    ids: { agent: ['R-CMD-01', 'R-CMD-03'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { kind, update, message } of view.updates) {
        if (kind !== 'available_commands_update' || isOtherVersion(view, message)) continue;
        const commands = listAt(update, 'availableCommands');
        const isShaped = commands.every(
          (command) =>
            typeof at(command, 'name') === 'string' &&
            typeof at(command, 'description') === 'string' &&
            (!isPresent(command, 'input') || isObject(at(command, 'input'))),
        );
        notes.judge('R-CMD-01', message, isShaped, 'a command lacks name or description');
        const names = commands.map((command) => String(at(command, 'name')));
        const odd = names.find(
          (name, place) => /^\/|\s/.test(name) || names.indexOf(name) !== place,
        );
        const text = `a command's name begins with a slash, has spaces or comes twice: ${odd ?? ''}`;
        notes.judge('R-CMD-03', message, odd === undefined, text);
      }
    },
  },
];

function chunks(view: View): readonly Update[] {
  return view.updates.filter(
    ({ kind, message }) =>
      /^(user_message|agent_message|agent_thought)_chunk$/.test(kind) &&
      !isOtherVersion(view, message),
  );
}

function judgeMessageIds(view: View, notes: Notes): void {
  const turns = turnsOf(view);
  const seen = new Map<string, Update>();
  for (const update of chunks(view)) {
    const { message, sessionId, kind } = update;
    const id = stringAt(update.update, 'messageId');
    if (id === undefined) continue;
    if (isInReplay(view, sessionId, message.index)) {
      notes.ok('R-LOD-09', 'agent');
      if (kind === 'user_message_chunk') notes.ok('R-CHK-09', 'agent');
      continue;
    }
    const before = seen.get(`${sessionId} ${id}`);
    seen.set(`${sessionId} ${id}`, update);
    if (before === undefined) continue;
    if (before.kind === kind) notes.ok('R-CHK-04', 'agent');
    else {
      const text = `one message id is used for ${before.kind} and ${kind}`;
      notes.warn('R-CHK-04', 'agent', text, before.message, message);
    }
    const text = 'a message id of an earlier turn is used for another message';
    const isSame = !wasIdleBetween(turns, sessionId, before.message.index, message.index);
    notes.judge('R-CHK-05', message, isSame, text, before.message);
  }
}

/** Whether the last running turn of a session ended between two places, so that another one began. */
function wasIdleBetween(
  turns: readonly Turn[],
  sessionId: string,
  from: number,
  to: number,
): boolean {
  return turns.some(
    (turn) =>
      turn.sessionId === sessionId &&
      turn.end > from &&
      turn.end < to &&
      !isInTurn(turns, sessionId, turn.end),
  );
}

function judgeUsage(
  { update, message, sessionId }: Update,
  costs: Map<string, number>,
  notes: Notes,
): void {
  const { used, size, cost } = update;
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  const text = 'used and size are whole numbers from 0';
  notes.judge('R-USG-01', message, isCount(used) && isCount(size), text);
  notes.judge('R-USG-02', message, size !== 0, 'a window of size 0 means nothing');
  notes.ok('R-USG-04', 'agent');
  if (cost === undefined || cost === null) return;
  const amount = at(cost, 'amount');
  const isCost = typeof amount === 'number' && typeof at(cost, 'currency') === 'string';
  notes.judge('R-USG-03', message, isCost, 'a cost has an amount and a currency');
  if (typeof amount !== 'number') return;
  const before = costs.get(sessionId) ?? 0;
  costs.set(sessionId, amount);
  if (amount < before) {
    notes.warn(
      'R-USG-03',
      'agent',
      `the cost of a session fell from ${before} to ${amount}`,
      message,
    );
  }
}

function judgePlan(
  { update, message, sessionId }: Update,
  plans: Map<string, readonly unknown[]>,
  notes: Notes,
): void {
  const entries = listAt(update, 'entries');
  const areShaped = entries.every(
    (entry) =>
      typeof at(entry, 'content') === 'string' &&
      ['high', 'medium', 'low'].includes(stringAt(entry, 'priority') ?? '') &&
      ['pending', 'in_progress', 'completed'].includes(stringAt(entry, 'status') ?? ''),
  );
  notes.ok('R-PLN-01', 'agent');
  const isList = Array.isArray(update['entries']);
  const text = 'an entry of a plan lacks content, or a priority or status that exists';
  notes.judge('R-PLN-02', message, isList && areShaped, text);
  const before = plans.get(sessionId) ?? [];
  plans.set(sessionId, entries);
  if (before.length === 0) return;
  notes.ok('R-PLN-05', 'agent');
  const isOnlyChange =
    entries.length === 1 &&
    before.length > 1 &&
    before.some(
      (entry) =>
        at(entry, 'content') === at(entries[0], 'content') &&
        at(entry, 'status') !== at(entries[0], 'status'),
    );
  if (isOnlyChange)
    notes.warn('R-PLN-03', 'agent', 'a plan looks like the changed entry alone', message);
  else notes.ok('R-PLN-03', 'agent');
  if (entries.length !== before.length) notes.ok('R-PLN-06', 'agent');
}
