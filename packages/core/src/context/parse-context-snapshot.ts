import { CoreError } from '../core-error.ts';
import { readAs } from '../shape/read-as.ts';
import { count, list, number, object, oneOf, optional, text, type Read } from '../shape/read.ts';
import { utf8Length } from '../text/utf8.ts';
import {
  CONTEXT_BYTES_MAX,
  CONTEXT_FORMAT,
  CONTEXT_LIMITS,
  type ContextDiagnostic,
  type ContextFile,
  type ContextHistoryItem,
  type ContextLocation,
  type ContextOmitted,
  type ContextPlanEntry,
  type ContextSnapshot,
  type ContextToolCall,
} from './context-snapshot.ts';

/** The latest time that a date can have, in ms since 1970. */
const TIME_MAX = 8.64e15;

const { lineLength, nameLength, pathLength, historyTextLength } = CONTEXT_LIMITS;

const name = text(nameLength);
const line = text(lineLength);
const path = text(pathLength);
const time = number(0, TIME_MAX);

const file = object<ContextFile>({
  path,
  digest: optional(name),
  access: oneOf('read', 'written'),
  at: time,
});

const diagnostic = object<ContextDiagnostic>({
  path,
  line: optional(count),
  severity: oneOf('error', 'warning', 'info', 'hint'),
  message: line,
  source: optional(name),
});

const historyItem = object<ContextHistoryItem>({
  role: oneOf('user', 'agent', 'thought', 'tool'),
  text: text(historyTextLength),
  at: time,
});

const toolCall = object<ContextToolCall>({
  toolCallId: name,
  title: line,
  kind: name,
  status: oneOf('pending', 'in_progress', 'interrupted'),
  locations: list(
    object<ContextLocation>({ path, line: optional(count) }),
    CONTEXT_LIMITS.locations,
  ),
});

const planEntry = object<ContextPlanEntry>({ content: line, priority: name, status: name });

const snapshot: Read<ContextSnapshot> = object<ContextSnapshot>({
  format: oneOf(CONTEXT_FORMAT),
  sessionId: name,
  agent: name,
  cwd: path,
  cursor: optional(line),
  openFiles: list(file, CONTEXT_LIMITS.openFiles),
  diagnostics: list(diagnostic, CONTEXT_LIMITS.diagnostics),
  history: list(historyItem, CONTEXT_LIMITS.history),
  unfinishedToolCalls: list(toolCall, CONTEXT_LIMITS.unfinishedToolCalls),
  plan: list(planEntry, CONTEXT_LIMITS.plan),
  omitted: object<ContextOmitted>({
    openFiles: count,
    diagnostics: count,
    history: count,
    unfinishedToolCalls: count,
    plan: count,
  }),
});

/**
 * Reads a snapshot that a client has sent. Every snapshot that `toContextSnapshot` made is accepted; members
 * that the format does not know are left out.
 *
 * @throws CoreError `context_malformed`, which says what does not fit and where, also when a list, a string
 *   or the whole is longer than {@link CONTEXT_LIMITS} and {@link CONTEXT_BYTES_MAX} allow.
 */
export function parseContextSnapshot(value: unknown): ContextSnapshot {
  const what = `a context snapshot of the format ${CONTEXT_FORMAT}`;
  const parsed = readAs(value, snapshot, { code: 'context_malformed', what });
  const bytes = utf8Length(JSON.stringify(parsed));
  if (bytes <= CONTEXT_BYTES_MAX) return parsed;
  throw new CoreError(
    'context_malformed',
    `this context snapshot has ${bytes} bytes, but at most ${CONTEXT_BYTES_MAX} are accepted`,
    { hint: 'leave out the oldest of its history' },
  );
}
