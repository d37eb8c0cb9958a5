import { at, isObject, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { toolCallsIn } from './paths.ts';
import { isFinal, statusAfter } from './tool-states.ts';
import { isInReplay } from './turns.ts';
import type { Update, View } from './view.ts';

const KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
];
const STATUSES = ['pending', 'in_progress', 'completed', 'failed'];
const CONTENT_TYPES = ['content', 'diff', 'terminal'];

/** What is said about tool calls. */
export const TOOL_CALL_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'tool calls are described in full',
    ids: {
      agent: [
        'R-TOOL-02',
        'R-TOOL-04',
        'R-TOOL-05',
        'R-TOOL-08',
        'R-TOOL-16',
        'R-TOOL-17',
        'R-TOOL-20',
      ],
    },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const update of view.updates) {
        if (isTool(update) && !isOtherVersion(view, update.message)) judgeShape(update, notes);
      }
      for (const message of view.messages) {
        if (message.sender !== 'agent' || isOtherVersion(view, message)) continue;
        for (const call of toolCallsIn(message)) {
          for (const item of listAt(call, 'content')) {
            const isKnown = CONTENT_TYPES.includes(stringAt(item, 'type') ?? '');
            const isWrapped = at(item, 'type') !== 'content' || isObject(at(item, 'content'));
            const text = 'content of a tool call is not wrapped as {"type":"content","content":…}';
            notes.judge('R-TOOL-16', message, isKnown && isWrapped, text);
            if (at(item, 'type') !== 'diff') continue;
            const isDiff = typeof at(item, 'newText') === 'string';
            notes.judge('R-TOOL-17', message, isDiff, 'a diff lacks newText');
          }
        }
      }
    },
  },
  {
    name: 'tool calls go one way',
    ids: { agent: ['R-TOOL-01', 'R-TOOL-03', 'R-TOOL-07', 'R-TOOL-08', 'R-TOOL-13', 'R-TOOL-15'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      const states = new Map<string, { status: string; name: string | undefined }>();
      for (const update of view.updates) {
        if (!isTool(update) || isOtherVersion(view, update.message)) continue;
        if (isInReplay(view, update.sessionId, update.message.index)) continue;
        judgeStep(update, states, notes);
      }
    },
  },
];

/** Whether an update is about a tool call. */
export function isTool({ kind }: Update): boolean {
  return kind === 'tool_call' || kind === 'tool_call_update';
}

function judgeShape({ kind, update, message }: Update, notes: Notes): void {
  const hasId = typeof update['toolCallId'] === 'string';
  if (kind === 'tool_call') {
    const isOk = hasId && typeof update['title'] === 'string';
    notes.judge('R-TOOL-02', message, isOk, 'a tool call lacks toolCallId or title');
  } else {
    notes.judge('R-TOOL-08', message, hasId, 'an update of a tool call lacks toolCallId');
  }
  if (isPresent(update, 'kind')) {
    const isOk = KINDS.includes(stringAt(update, 'kind') ?? '');
    notes.judge('R-TOOL-04', message, isOk, `the kind ${String(update['kind'])} does not exist`);
  }
  if (isPresent(update, 'status')) {
    const isOk = STATUSES.includes(stringAt(update, 'status') ?? '');
    notes.judge(
      'R-TOOL-05',
      message,
      isOk,
      `the status ${String(update['status'])} does not exist`,
    );
  }
  if (isPresent(update, 'rawInput') || isPresent(update, 'rawOutput'))
    notes.ok('R-TOOL-20', 'agent');
}

function judgeStep(
  { kind, update, message, sessionId }: Update,
  states: Map<string, { status: string; name: string | undefined }>,
  notes: Notes,
): void {
  const id = stringAt(update, 'toolCallId');
  if (id === undefined) return;
  const key = `${sessionId} ${id}`;
  const before = states.get(key);
  const name = stringAt(update, 'name') ?? before?.name;
  const status = statusAfter(before?.status, update);
  states.set(key, { status, name });
  if (isFinal(status)) notes.ok('R-TOOL-13', 'agent');
  if (kind === 'tool_call') {
    notes.ok('R-TOOL-01', 'agent');
    const text = 'the id of a tool call that had ended is used for another one';
    notes.judge('R-TOOL-03', message, !isFinal(before?.status), text);
  } else if (before === undefined) {
    const text = 'the first report of a call is an update; it should be tool_call';
    notes.warn('R-TOOL-08', 'agent', text, message);
  } else if (isFinal(before.status)) {
    const isFinalStill = isFinal(status);
    const text = `a call goes from ${before.status} back to ${status}`;
    notes.judge('R-TOOL-15', message, isFinalStill, text);
  } else {
    notes.ok('R-TOOL-15', 'agent');
  }
  if (before?.name !== undefined && name !== before.name) {
    notes.bad('R-TOOL-07', 'agent', 'the name of a tool changed during its call', message);
  } else if (name !== undefined) {
    notes.ok('R-TOOL-07', 'agent');
  }
}

/** Every id of a tool call that was reported in a session, at any place of the trace. */
export function reportedIds({ updates }: View, sessionId: string): ReadonlySet<string> {
  return new Set(
    updates
      .filter((update) => isTool(update) && update.sessionId === sessionId)
      .flatMap(({ update }) => stringAt(update, 'toolCallId') ?? []),
  );
}
