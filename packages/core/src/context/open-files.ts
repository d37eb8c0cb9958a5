import type { ToolCallEntry } from '../transcript/tool-call-entry.ts';
import type { ContextFile } from './context-snapshot.ts';

/** Kinds of tool calls that change the files that they name. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/**
 * The files that a session has worked with, the last access of each, the oldest first. Accesses that the
 * host has seen count more than what a tool call of the same time names.
 */
export function openFiles(
  accessed: Iterable<ContextFile>,
  toolCalls: Iterable<ToolCallEntry>,
): readonly ContextFile[] {
  const files = new Map<string, ContextFile>();
  for (const { time: at, toolKind, locations } of toolCalls) {
    const access = CHANGING.has(toolKind) ? 'written' : 'read';
    for (const { path } of locations) note(files, { path, access, at });
  }
  for (const file of accessed) note(files, file);
  return [...files.values()].sort((a, b) => a.at - b.at);
}

function note(files: Map<string, ContextFile>, file: ContextFile): void {
  const known = files.get(file.path);
  if (known === undefined || known.at <= file.at) files.set(file.path, file);
}
