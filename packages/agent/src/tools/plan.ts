import type { PlanEntry } from '@signalbox/acp';
import type { ToolSpec } from '../model/model.ts';
import type { Refusal } from '../workspace/workspace.ts';

const PRIORITIES = ['high', 'medium', 'low'] as const;
const STATUSES = ['pending', 'in_progress', 'completed'] as const;
const ENTRIES_MAX = 100;

/**
 * How the model tells its plan. It is a tool for the model only: to the client it is a `plan` update,
 * not a tool call.
 */
export const PLAN_SPEC: ToolSpec = {
  name: 'plan',
  description: 'Shows the whole plan of the work, each time with the present state of every step.',
  inputSchema: {
    type: 'object',
    properties: {
      entries: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            content: { type: 'string' },
            priority: { type: 'string', enum: PRIORITIES },
            status: { type: 'string', enum: STATUSES },
          },
          required: ['content'],
          additionalProperties: false,
        },
      },
    },
    required: ['entries'],
    additionalProperties: false,
  },
};

/** The plan in an input of the tool, with what was left out filled in. */
export function parsePlan(input: unknown): PlanEntry[] | Refusal {
  const entries = (input as { entries?: unknown } | null)?.entries;
  if (!Array.isArray(entries)) return { refused: 'the input lacks a list "entries"' };
  if (entries.length > ENTRIES_MAX) return { refused: `more than ${ENTRIES_MAX} entries` };
  const plan: PlanEntry[] = [];
  for (const entry of entries as readonly unknown[]) {
    const parsed = parseEntry(entry);
    if ('refused' in parsed) return parsed;
    plan.push(parsed);
  }
  return plan;
}

function parseEntry(entry: unknown): PlanEntry | Refusal {
  if (typeof entry !== 'object' || entry === null) return { refused: 'an entry is no object' };
  const { content, priority = 'medium', status = 'pending' } = entry as Record<string, unknown>;
  if (typeof content !== 'string' || content === '') return { refused: 'an entry has no content' };
  const knownPriority = PRIORITIES.find((known) => known === priority);
  if (knownPriority === undefined) {
    return { refused: `an entry's priority is none of ${PRIORITIES.join(', ')}` };
  }
  const knownStatus = STATUSES.find((known) => known === status);
  if (knownStatus === undefined) {
    return { refused: `an entry's status is none of ${STATUSES.join(', ')}` };
  }
  return { content, priority: knownPriority, status: knownStatus };
}
