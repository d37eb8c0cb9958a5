import { at, isObject, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { reportedIds } from './tool-calls.ts';
import { turnsOf } from './turns.ts';
import type { Call, Update, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

const KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

/** How much earlier than a POST another one may arrive that was sent behind it. */
const OVERTAKEN_MS_MAX = 1000;

/** Questions for permission and their answers. */
export const PERMISSION_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'permission requests offer options',
    ids: { agent: ['R-PER-01', 'R-PER-02', 'R-PER-03', 'R-TOOL-21', 'R-PRM-18'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const call of permissionCalls(view)) judgeQuestion(view, call, notes);
    },
  },
  {
    name: 'permission requests are answered with an offered option',
    ids: { client: ['R-PER-04', 'R-PER-05', 'R-PER-11'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      const calls = permissionCalls(view);
      for (const { params, request, response } of calls) {
        if (response === undefined || response.isError) continue;
        const outcome = stringAt(response.result, 'outcome', 'outcome');
        const chosen = stringAt(response.result, 'outcome', 'optionId');
        const offered = listAt(params, 'options').map((option) => at(option, 'optionId'));
        const isOk =
          outcome === 'cancelled' || (outcome === 'selected' && offered.includes(chosen));
        const text = 'the answer is neither an option that was offered nor "cancelled"';
        notes.judge('R-PER-04', response, isOk, text, request);
        if (isOk && outcome === 'selected') notes.ok('R-PER-05', 'client');
        if (isOk && wasTogether(calls, request, response)) notes.ok('R-PER-11', 'client');
      }
    },
  },
  {
    name: 'cancelling answers open permission requests',
    ids: { client: ['R-CAN-03', 'R-PER-06', 'R-CLS-08'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        const isClose = message.method === 'session/close';
        if (message.sender !== 'client') continue;
        if (message.method !== 'session/cancel' && !isClose) continue;
        judgeOpenQuestions(view, message, isClose ? ['R-CLS-08'] : ['R-CAN-03', 'R-PER-06'], notes);
      }
    },
  },
  {
    name: 'nothing runs that was refused',
    ids: { agent: ['R-PER-07', 'R-PER-08', 'R-TOOL-12'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const call of permissionCalls(view)) judgeAfterAnswer(view, call, notes);
    },
  },
];

function permissionCalls(view: View): readonly Call[] {
  return view.calls.filter(
    ({ method, caller, request }) =>
      method === 'session/request_permission' &&
      caller === 'agent' &&
      !isOtherVersion(view, request),
  );
}

function judgeQuestion(view: View, { params, request }: Call, notes: Notes): void {
  notes.ok('R-PER-01', 'agent');
  const options = listAt(params, 'options');
  const areShaped = options.every(
    (option) =>
      typeof at(option, 'optionId') === 'string' &&
      typeof at(option, 'name') === 'string' &&
      KINDS.includes(stringAt(option, 'kind') ?? ''),
  );
  notes.judge(
    'R-PER-02',
    request,
    areShaped,
    'an option lacks optionId, name or a kind that exists',
  );
  const ids = options.map((option) => at(option, 'optionId'));
  const isOk = ids.length > 0 && new Set(ids).size === ids.length;
  notes.judge('R-PER-03', request, isOk, 'no option is offered, or two have one id');
  const toolCallId = stringAt(params, 'toolCall', 'toolCallId');
  if (toolCallId === undefined) return;
  const isReported = reportedIds(view, stringAt(params, 'sessionId') ?? '').has(toolCallId);
  const text = 'the tool call of a permission request is never reported by an update';
  if (isReported) notes.ok('R-TOOL-21', 'agent');
  else notes.warn('R-TOOL-21', 'agent', text, request);
  const isEarly = reportsOf(view, params).some(({ message }) => message.index < request.index);
  notes.judge('R-PRM-18', request, isEarly, 'permission is asked for a call that was not reported');
}

/** Whether another question of the agent was open at the same time. */
function wasTogether(calls: readonly Call[], request: WireMessage, response: WireMessage): boolean {
  return calls.some(
    (other) =>
      other.request !== request &&
      other.request.index < response.index &&
      (other.response?.index ?? Infinity) > request.index,
  );
}

function judgeOpenQuestions(
  view: View,
  cancel: WireMessage,
  ids: readonly string[],
  notes: Notes,
): void {
  const sessionId = stringAt(cancel.params, 'sessionId');
  const isRunning = turnsOf(view).some(
    (turn) =>
      turn.sessionId === sessionId &&
      turn.call.request.index < cancel.index &&
      turn.end > cancel.index,
  );
  if (!isRunning) return;
  for (const { params, request, response } of permissionCalls(view)) {
    if (stringAt(params, 'sessionId') !== sessionId || request.index > cancel.index) continue;
    // A question without an answer at the end of the trace may just not have been answered yet.
    if (response === undefined || response.index < cancel.index) continue;
    const isCancelled = stringAt(response.result, 'outcome', 'outcome') === 'cancelled';
    const isOk = isCancelled || at(response.error, 'code') === -32800;
    // Of two POSTs the later one may arrive first, so that this may have been the earlier one.
    const isDoubtful = view.transport === 'http' && response.t - cancel.t < OVERTAKEN_MS_MAX;
    if (!isOk && isDoubtful) continue;
    for (const id of ids) {
      const text = 'an open permission request was not answered "cancelled" after the cancel';
      notes.judge(id, response, isOk, text, request, cancel);
    }
  }
}

/** What is told of the tool call of a question. Calls of other sessions may have the same id. */
function reportsOf(view: View, params: unknown): readonly Update[] {
  const toolCallId = stringAt(params, 'toolCall', 'toolCallId');
  const session = stringAt(params, 'sessionId');
  return view.updates.filter(
    ({ update, sessionId }) =>
      sessionId === session &&
      toolCallId !== undefined &&
      stringAt(update, 'toolCallId') === toolCallId,
  );
}

function judgeAfterAnswer(view: View, { params, request, response }: Call, notes: Notes): void {
  const reports = reportsOf(view, params);
  const early = reports.findLast(({ message }) => message.index < request.index);
  const status = stringAt(early?.update, 'status') ?? '';
  if (early !== undefined && (status === 'in_progress' || status === 'completed')) {
    const text = `a call is reported ${status} before its permission is given`;
    notes.bad('R-TOOL-12', 'agent', text, early.message, request);
  } else if (early !== undefined) {
    notes.ok('R-TOOL-12', 'agent');
  }
  if (response === undefined || isAllowed(params, response)) return;
  const turn = turnsOf(view).find(
    ({ call, end }) => call.request.index < request.index && end > request.index,
  );
  const later = reports.filter(
    ({ message }) => message.index > response.index && message.index < (turn?.end ?? Infinity),
  );
  const completed = later.find(({ update }) => stringAt(update, 'status') === 'completed');
  if (completed !== undefined) {
    const text = 'a call is reported completed although its permission was not given';
    notes.warn('R-PER-07', 'agent', text, request, response, completed.message);
  } else {
    notes.ok('R-PER-07', 'agent');
  }
  if (later.some(({ update }) => stringAt(update, 'status') === 'failed'))
    notes.ok('R-PER-08', 'agent');
}

/** Whether an answer chose an option of an allow kind. */
export function isAllowed(params: unknown, response: WireMessage): boolean {
  if (response.isError || !isObject(response.result)) return false;
  if (stringAt(response.result, 'outcome', 'outcome') !== 'selected') return false;
  const optionId = stringAt(response.result, 'outcome', 'optionId');
  const option = listAt(params, 'options').find((each) => at(each, 'optionId') === optionId);
  return stringAt(option, 'kind')?.startsWith('allow') === true;
}
