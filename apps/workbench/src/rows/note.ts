import {
  agentExitText,
  type AgentExitedEntry,
  toPrintableLine,
  type TranscriptEntry,
  type TurnEndEntry,
} from '@signalbox/core';
import { blockText } from '../content/blocks-view.ts';
import { actorText, turnEndText } from '../content/texts.ts';

/** What stands on the line of a {@link NoteRow}. */
export interface Note {
  readonly text: string;
  readonly tone: 'quiet' | 'plain' | 'warning' | 'error';
  /** What is folded away behind it, as it came. */
  readonly more?: string | undefined;
}

/** An entry in a few words. */
export function noteOf(entry: TranscriptEntry): Note {
  switch (entry.kind) {
    case 'turn_end':
      return turnEnd(entry);
    case 'prompt_dropped': {
      const text = entry.blocks.map(blockText).join(' ');
      return { text: `Not run, dropped by ${actorText(entry.by)}: ${text}`, tone: 'warning' };
    }
    case 'agent_started':
      return { text: `The agent has started (${entry.restoredBy})`, tone: 'quiet' };
    case 'agent_exited':
      return agentExited(entry);
    case 'notice': {
      const { title, description, severity } = entry;
      const tone = severity === 'error' || severity === 'warning' ? severity : 'plain';
      return { text: toPrintableLine(title), tone, more: description };
    }
    case 'compaction': {
      const more = entry.error ?? entry.summary.map(blockText).join('\n');
      const text = `The agent shortens what it remembers: ${toPrintableLine(entry.status)}`;
      return { text, tone: 'quiet', more: more === '' ? undefined : more };
    }
    case 'unknown_update': {
      const text = `An update of an unknown kind: ${toPrintableLine(entry.updateKind)}`;
      return { text, tone: 'quiet', more: entry.raw.text };
    }
    default:
      return { text: entry.kind, tone: 'plain' };
  }
}

function turnEnd({ end, durationMs }: TurnEndEntry): Note {
  const seconds = (durationMs / 1000).toFixed(1);
  const isFine = end.kind === 'stopped' && end.stopReason === 'end_turn';
  const tone = isFine ? 'quiet' : end.kind === 'failed' ? 'error' : 'warning';
  return { text: `${turnEndText(end)} · ${seconds} s`, tone };
}

function agentExited(exit: AgentExitedEntry): Note {
  if (exit.isExpected) return { text: 'The agent has ended', tone: 'quiet' };
  const more = exit.stderrTail === '' ? undefined : exit.stderrTail;
  const text = `The agent's process ${toPrintableLine(agentExitText(exit))}`;
  return { text, tone: 'error', more };
}
