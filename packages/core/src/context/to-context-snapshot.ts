import { CoreError } from '../core-error.ts';
import type { TurnId } from '../session/ids.ts';
import { checkLimit } from '../shape/check-limit.ts';
import { utf8Length } from '../text/utf8.ts';
import { ByteBudget } from './byte-budget.ts';
import {
  bySeverity,
  toContextCall,
  toContextDiagnostic,
  toContextFile,
  toContextPlanEntry,
  unfinishedCalls,
} from './context-parts.ts';
import type { ContextRecord } from './context-record.ts';
import {
  CONTEXT_BYTES_DEFAULT,
  CONTEXT_BYTES_MAX,
  CONTEXT_BYTES_MIN,
  CONTEXT_FORMAT,
  CONTEXT_LIMITS,
  type ContextDiagnostic,
  type ContextSnapshot,
} from './context-snapshot.ts';
import { isTold, toHistoryItem } from './history-item.ts';
import { openFiles } from './open-files.ts';

/** What a snapshot is to hold. */
export interface ContextOptions {
  /** UTF-8 bytes of the snapshot as JSON: {@link CONTEXT_BYTES_MIN} to {@link CONTEXT_BYTES_MAX}. */
  readonly bytesMax?: number;
  /** The place in the log that the record was folded up to. */
  readonly cursor?: string;
  /** What is known to be wrong in the files. */
  readonly diagnostics?: readonly ContextDiagnostic[];
  /** A turn that is not told: the one whose prompt the new agent is given anyway. */
  readonly exceptTurnId?: TurnId;
}

/** One item of the history has at most this part of the bytes, in UTF-16 units. */
const HISTORY_PARTS = 16;

type Facts = Pick<ContextSnapshot, 'format' | 'sessionId' | 'agent' | 'cwd' | 'cursor'>;

/**
 * Takes a snapshot of a session's context. It never has more bytes than it may: the oldest of the history
 * is left out first, then the oldest files, the least severe diagnostics, and the oldest of the plan and of
 * the unfinished tool calls.
 *
 * @throws CoreError `limit_invalid` when `bytesMax` is out of its bounds, or when what has to be there (the
 *   session's id, agent, folder and cursor) alone is longer.
 */
export function toContextSnapshot(
  record: ContextRecord,
  options: ContextOptions = {},
): ContextSnapshot {
  const { cursor, diagnostics = [], exceptTurnId } = options;
  const { sessionId, agent, cwd, transcript, files } = record;
  const facts: Facts = {
    ...{ format: CONTEXT_FORMAT, sessionId, agent, cwd },
    ...(cursor === undefined ? {} : { cursor }),
  };
  const { bytesMax = CONTEXT_BYTES_DEFAULT } = options;
  const budget = budgetFor(facts, bytesMax);
  const entries = transcript.entries.filter(
    ({ turnId }) => exceptTurnId === undefined || turnId !== exceptTurnId,
  );
  const calls = entries.filter((entry) => entry.kind === 'tool_call');
  const limits = CONTEXT_LIMITS;
  // Whatever matters most takes its room first.
  const unfinished = budget.takeLast(
    unfinishedCalls(entries),
    toContextCall,
    limits.unfinishedToolCalls,
  );
  const plan = budget.takeLast(transcript.plan, toContextPlanEntry, limits.plan);
  const problems = budget.takeLast(
    bySeverity(diagnostics),
    toContextDiagnostic,
    limits.diagnostics,
  );
  const open = budget.takeLast(openFiles(files.values(), calls), toContextFile, limits.openFiles);
  // Where there is little room, one text must not take it all.
  const lengthMax = Math.min(limits.historyTextLength, Math.floor(bytesMax / HISTORY_PARTS));
  const history = budget.takeLast(
    entries.filter(isTold),
    (entry) => toHistoryItem(entry, lengthMax),
    limits.history,
  );
  return {
    ...facts,
    openFiles: open.items,
    diagnostics: problems.items,
    history: history.items,
    unfinishedToolCalls: unfinished.items,
    plan: plan.items,
    omitted: {
      openFiles: open.omitted,
      diagnostics: problems.omitted,
      // A transcript that was bounded does not have all of it either.
      history: history.omitted + (transcript.omitted?.entries ?? 0),
      unfinishedToolCalls: unfinished.omitted,
      plan: plan.omitted,
    },
  };
}

/** What is left for the lists when everything else is as long as it can be. */
function budgetFor(facts: Facts, bytesMax: number): ByteBudget {
  checkLimit('bytesMax', bytesMax, CONTEXT_BYTES_MIN, CONTEXT_BYTES_MAX);
  const most = Number.MAX_SAFE_INTEGER;
  const bare: ContextSnapshot = {
    ...facts,
    ...{ openFiles: [], diagnostics: [], history: [], unfinishedToolCalls: [], plan: [] },
    omitted: {
      ...{ openFiles: most, diagnostics: most, history: most },
      ...{ unfinishedToolCalls: most, plan: most },
    },
  };
  const bytes = utf8Length(JSON.stringify(bare));
  if (bytes <= bytesMax) return new ByteBudget(bytesMax - bytes);
  throw new CoreError(
    'limit_invalid',
    `the context of session ${facts.sessionId} takes ${bytes} bytes without any list, but bytesMax is ${bytesMax}`,
    { hint: 'allow for more bytes' },
  );
}
