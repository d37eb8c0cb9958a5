import type { Index } from './draft.ts';
import type { TranscriptEntry } from './entry.ts';
import { LEFT_OUT_CALLS_MAX, LEFT_OUT_COMPACTIONS_MAX, type LeftOut } from './left-out.ts';

/**
 * What news may still come about when only some entries are kept. Of calls with the same id only the last
 * one counts, as it does where all entries are there.
 *
 * @param kept positions of the entries that are kept; those of all open calls are among them.
 */
export function collectLeftOut(
  entries: readonly TranscriptEntry[],
  { calls: lastCalls, leftOut }: Index,
  kept: ReadonlySet<number>,
): LeftOut {
  const calls = new Map(leftOut.calls);
  const compactions = new Set(leftOut.compactions);
  for (const [position, entry] of entries.entries()) {
    if (kept.has(position)) continue;
    if (entry.kind === 'compaction') compactions.add(entry.compactionId);
    if (entry.kind !== 'tool_call' || lastCalls.get(entry.toolCallId) !== position) continue;
    const { toolCallId, firstSeq, turnId, status } = entry;
    const isOver = status !== 'interrupted';
    const call = turnId === undefined ? { firstSeq, isOver } : { firstSeq, turnId, isOver };
    calls.set(toolCallId, call);
  }
  const hasForgotten = leftOut.hasForgotten || calls.size > LEFT_OUT_CALLS_MAX;
  return {
    calls: new Map([...calls].slice(-LEFT_OUT_CALLS_MAX)),
    hasForgotten,
    compactions: new Set([...compactions].slice(-LEFT_OUT_COMPACTIONS_MAX)),
  };
}
