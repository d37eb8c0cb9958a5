import type { PlanEntry } from '@signalbox/acp';
import { toPrintableLine } from '@signalbox/core';
import type { Style } from './style.ts';

const MARKS: Readonly<Record<string, string>> = {
  pending: '☐',
  in_progress: '▶',
  completed: '☑',
};

/** The whole plan; agents send it whole each time. */
export function planText(entries: readonly PlanEntry[], style: Style): string {
  const lines = entries.map(({ content, status }) => {
    const text = `  ${MARKS[status] ?? '☐'} ${toPrintableLine(content)}`;
    if (status === 'completed') return style.dim(text);
    return status === 'in_progress' ? style.bold(text) : text;
  });
  return lines.length === 0 ? '' : `${style.accent('Plan')}\n${lines.join('\n')}\n`;
}
