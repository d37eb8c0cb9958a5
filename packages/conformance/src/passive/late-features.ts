import { isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { isInReplay } from './turns.ts';
import type { Update } from './view.ts';

/** What the newest stable schema added: notices and compaction. */
export const LATE_FEATURE_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'notices have a severity and a title, and are not replayed',
    ids: { agent: ['R-NOT-02', 'R-NOT-05', 'R-LOD-10'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { kind, update, message, sessionId } of view.updates) {
        if (kind !== 'notice' || isOtherVersion(view, message)) continue;
        const isOk =
          stringAt(update, 'severity') !== undefined && (stringAt(update, 'title') ?? '') !== '';
        notes.judge('R-NOT-02', message, isOk, 'a notice lacks a severity or a title');
        const isLive = !isInReplay(view, sessionId, message.index);
        for (const id of ['R-NOT-05', 'R-LOD-10']) {
          notes.judge(id, message, isLive, 'a notice came between session/load and its answer');
        }
      }
    },
  },
  {
    name: 'a compaction begins, and ends once',
    ids: { agent: ['R-CMP-02', 'R-CMP-03', 'R-CMP-04', 'R-CMP-06'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      const states = new Map<string, string>();
      for (const update of view.updates) {
        if (isOtherVersion(view, update.message)) continue;
        if (update.kind === 'compaction_update') judgeCompaction(update, states, notes);
        if (update.kind === 'compaction_summary_chunk') judgeChunk(update, states, notes);
      }
    },
  },
];

const ENDS = ['completed', 'failed', 'cancelled'];

function judgeCompaction(
  { update, message, sessionId }: Update,
  states: Map<string, string>,
  notes: Notes,
): void {
  const id = stringAt(update, 'compactionId');
  const status = stringAt(update, 'status');
  const isShaped = id !== undefined && status !== undefined;
  notes.judge('R-CMP-02', message, isShaped, 'a compaction lacks compactionId or status');
  if (!isShaped) return;
  const key = `${sessionId} ${id}`;
  const before = states.get(key);
  states.set(key, status);
  const isAgain = before !== undefined && ENDS.includes(before);
  notes.judge('R-CMP-03', message, !isAgain, `a compaction that had ${before ?? ''} goes on`);
  const hasSummary = listAt(update, 'summary').length > 0;
  const isOk =
    (!hasSummary || status === 'completed') && (!isPresent(update, 'error') || status === 'failed');
  notes.judge('R-CMP-06', message, isOk, 'a summary or an error does not fit the status');
}

function judgeChunk(
  { update, message, sessionId }: Update,
  states: Map<string, string>,
  notes: Notes,
): void {
  const status = states.get(`${sessionId} ${stringAt(update, 'compactionId') ?? ''}`);
  if (status === 'in_progress') notes.ok('R-CMP-04', 'agent');
  else if (status === undefined) {
    const text = 'a chunk of a summary comes first; the schema lets it open the compaction';
    notes.warn('R-CMP-04', 'agent', text, message);
  } else {
    notes.bad('R-CMP-04', 'agent', `a chunk of a summary comes after ${status}`, message);
  }
}
