import type { PlanEntry, ToolCallLocation } from '@signalbox/acp';
import { cutText } from '../session/cut-text.ts';
import type { TranscriptEntry } from '../transcript/entry.ts';
import { isToolCallOpen, type ToolCallEntry } from '../transcript/tool-call-entry.ts';
import {
  CONTEXT_LIMITS,
  type ContextDiagnostic,
  type ContextFile,
  type ContextLocation,
  type ContextPlanEntry,
  type ContextToolCall,
} from './context-snapshot.ts';

const { lineLength, nameLength, pathLength } = CONTEXT_LIMITS;

/**
 * Tool calls that nobody knows the end of: those that are open, and those that were interrupted in the last
 * turn for another reason than that somebody refused them.
 */
export function unfinishedCalls(entries: readonly TranscriptEntry[]): readonly ToolCallEntry[] {
  // What came late names an earlier turn, so the last prompt tells.
  const lastTurnId = entries.findLast(
    (entry) => entry.kind === 'user_message' && entry.promptId !== undefined,
  )?.turnId;
  return entries.filter((entry): entry is ToolCallEntry => {
    if (entry.kind !== 'tool_call') return false;
    const { status, turnId, interruption } = entry;
    if (isToolCallOpen(entry)) return true;
    const isOfLastTurn = turnId !== undefined && turnId === lastTurnId;
    return status === 'interrupted' && isOfLastTurn && interruption !== 'denied';
  });
}

/** A tool call as it is told; undefined when it has ended. */
export function toContextCall(call: ToolCallEntry): ContextToolCall | undefined {
  const { status } = call;
  if (status === 'completed' || status === 'failed') return undefined;
  const locations = call.locations.filter(({ path }) => isPath(path)).map(toLocation);
  return {
    toolCallId: cutText(call.toolCallId, nameLength),
    title: cutText(call.title, lineLength),
    kind: cutText(call.toolKind, nameLength),
    status,
    locations: locations.slice(0, CONTEXT_LIMITS.locations),
  };
}

/** A step of the plan as it is told. */
export function toContextPlanEntry({ content, priority, status }: PlanEntry): ContextPlanEntry {
  return { content: cutText(content, lineLength), priority, status };
}

/** A file as it is told; undefined when its path is one that no system has. */
export function toContextFile(file: ContextFile): ContextFile | undefined {
  return isPath(file.path) ? file : undefined;
}

/** A diagnostic as it is told; undefined when its path is one that no system has. */
export function toContextDiagnostic(given: ContextDiagnostic): ContextDiagnostic | undefined {
  const { path, line, severity, message, source } = given;
  if (!isPath(path)) return undefined;
  return {
    path,
    ...(line === undefined ? {} : { line }),
    severity,
    message: cutText(message, lineLength),
    ...(source === undefined ? {} : { source: cutText(source, nameLength) }),
  };
}

const SEVERITIES = ['hint', 'info', 'warning', 'error'] as const;

/** The most severe last; otherwise in the order in which they were given. */
export function bySeverity(diagnostics: readonly ContextDiagnostic[]): ContextDiagnostic[] {
  return diagnostics.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
}

function toLocation({ path, line }: ToolCallLocation): ContextLocation {
  return line == null ? { path } : { path, line };
}

function isPath(path: string): boolean {
  return path.length <= pathLength;
}
