import { isStopReason } from '@signalbox/acp';
import { at, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { openToolCalls } from './tool-states.ts';
import { isInReplay, isInTurn, turnsOf, type Turn } from './turns.ts';
import type { View } from './view.ts';

/** Updates this soon after the end of a turn belong to it; later ones may be background work. */
export const AFTERMATH_MS = 500;
/** A turn that ends normally this long after a cancel did not win a race, it ignored the cancel. */
const RACE_MS_MAX = 1000;

const TURN_KINDS: ReadonlySet<string> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

/** How turns run and end. */
export const TURN_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'turns end with a stop reason that fits',
    ids: {
      agent: ['R-PRM-05', 'R-PRM-06', 'R-PRM-07', 'R-PRM-14', 'R-PRM-15', 'R-TOOL-14', 'R-CAN-15'],
    },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const turn of v1Turns(view)) judgeEnd(view, turn, notes);
    },
  },
  {
    name: 'a cancelled turn ends as cancelled',
    ids: { agent: ['R-CAN-05', 'R-CAN-06', 'R-CAN-13', 'R-ERR-06'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const turn of v1Turns(view)) judgeCancelled(view, turn, notes);
    },
  },
  {
    name: 'a cancel is a notification',
    ids: { client: ['R-CAN-01'] },
    toleratesHostilePeer: false,
    run({ messages }, notes) {
      for (const message of messages) {
        if (message.method !== 'session/cancel' || message.sender !== 'client') continue;
        const isOk = message.kind === 'notification';
        notes.judge('R-CAN-01', message, isOk, 'session/cancel was sent as a request');
      }
    },
  },
  {
    name: 'nothing of a turn comes after its end',
    ids: { agent: ['R-PRM-09', 'R-CAN-07'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      const turns = v1Turns(view);
      for (const turn of turns) judgeAftermath(view, turns, turn, notes);
    },
  },
  {
    name: 'one prompt at a time',
    ids: { client: ['R-PRM-12'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      const turns = v1Turns(view);
      for (const { sessionId, call } of turns) {
        const isAlone = !isInTurn(turns, sessionId, call.request.index);
        notes.judge('R-PRM-12', call.request, isAlone, 'a prompt while another one is pending');
      }
    },
  },
];

function v1Turns(view: View): readonly Turn[] {
  return turnsOf(view).filter(({ call }) => !isOtherVersion(view, call.request));
}

function judgeEnd(view: View, turn: Turn, notes: Notes): void {
  const { call, stopReason } = turn;
  if (call.response === undefined) return;
  if (call.response.isError) {
    notes.ok('R-PRM-15', 'agent');
    return;
  }
  const reason = at(call.response.result, 'stopReason');
  notes.judge('R-PRM-05', call.response, reason !== undefined, 'the answer has no stopReason');
  if (reason === undefined) return;
  const text = `the stop reason ${JSON.stringify(reason)} does not exist`;
  notes.judge('R-PRM-06', call.response, isStopReason(reason), text);
  notes.ok('R-PRM-14', 'agent');
  if (stopReason === 'cancelled') {
    const text = 'a turn ended as cancelled although nobody cancelled anything';
    notes.judge('R-PRM-07', call.response, hasCause(view, turn), text, call.request);
  } else if (turn.cancels.length === 0) {
    notes.ok('R-PRM-07', 'agent');
  }
  const open = openToolCalls(view, turn);
  if (stopReason === 'end_turn') {
    const text = `the turn ended while tool call ${open[0]?.id ?? ''} is ${open[0]?.status ?? ''}`;
    notes.judge('R-TOOL-14', call.response, open.length === 0, text, open[0]?.last);
  }
  if (stopReason === 'cancelled') {
    const text = `a cancelled turn leaves tool call ${open[0]?.id ?? ''} ${open[0]?.status ?? ''}`;
    if (open.length === 0) notes.ok('R-CAN-15', 'agent');
    else notes.warn('R-CAN-15', 'agent', text, open[0]?.last, call.response);
  }
}

/** Whether something happened in the turn after which it may end as cancelled. */
function hasCause(view: View, { call, sessionId, cancels, end }: Turn): boolean {
  if (cancels.length > 0) return true;
  return view.messages.some((message) => {
    if (message.sender !== 'client') return false;
    if (message.index < call.request.index || message.index > end) return false;
    if (message.method === '$/cancel_request' || message.method === 'session/prompt') {
      return message !== call.request;
    }
    if (/^session\/(close|delete|archive)$/.test(message.method)) {
      return stringAt(message.params, 'sessionId') === sessionId;
    }
    // Some agents end the turn when a permission is refused; how they call that is left open.
    return view.callOf(message)?.method === 'session/request_permission';
  });
}

function judgeCancelled(view: View, turn: Turn, notes: Notes): void {
  const { call, cancels, stopReason } = turn;
  const { response } = call;
  const [cancel] = cancels;
  if (cancel === undefined || response === undefined) return;
  if (response.isError) {
    const isAbort =
      at(response.error, 'code') === -32800 || /abort|cancel/i.test(response.entry.text);
    const text = 'a cancelled turn was answered with an error';
    for (const id of isAbort ? ['R-CAN-06', 'R-ERR-06'] : []) {
      notes.bad(id, 'agent', text, cancel, response);
    }
    if (!isAbort) notes.warn('R-CAN-06', 'agent', text, cancel, response);
    return;
  }
  notes.ok('R-CAN-06', 'agent');
  notes.ok('R-ERR-06', 'agent');
  if (stopReason === 'cancelled') {
    notes.ok('R-CAN-05', 'agent');
  } else if (response.t - cancel.t > RACE_MS_MAX || isHeldAt(view, turn, cancel.index)) {
    const text = `the turn ended as ${stopReason ?? '?'} ${response.t - cancel.t} ms after the cancel`;
    notes.bad('R-CAN-05', 'agent', text, cancel, response);
  } else {
    notes.ok('R-CAN-13', 'agent');
  }
}

/** Whether the turn waited for an answer to a question at this place, and so could not end by itself. */
function isHeldAt({ calls }: View, { call, sessionId, end }: Turn, index: number): boolean {
  return calls.some(
    ({ method, params, request, response }) =>
      method === 'session/request_permission' &&
      stringAt(params, 'sessionId') === sessionId &&
      request.index > call.request.index &&
      request.index < index &&
      (response?.index ?? Infinity) > index &&
      index < end,
  );
}

function judgeAftermath(view: View, turns: readonly Turn[], turn: Turn, notes: Notes): void {
  const { call, sessionId, stopReason, updates } = turn;
  const { response } = call;
  if (response === undefined || response.isError) return;
  const late = view.updates.find(
    ({ message, kind, ...rest }) =>
      rest.sessionId === sessionId &&
      message.index > response.index &&
      message.t - response.t <= AFTERMATH_MS &&
      TURN_KINDS.has(kind) &&
      !isInTurn(turns, sessionId, message.index) &&
      !isInReplay(view, sessionId, message.index),
  );
  // A connection that ends with the turn shows nothing of what would have come.
  const isWatched = (view.messages.at(-1)?.t ?? 0) - response.t >= AFTERMATH_MS;
  const ids = stopReason === 'cancelled' ? ['R-PRM-09', 'R-CAN-07'] : ['R-PRM-09'];
  for (const id of ids) {
    if (late !== undefined) {
      const text = `${late.kind} came ${late.message.t - response.t} ms after the turn's end`;
      notes.bad(id, 'agent', text, response, late.message);
    } else if (updates.length > 0 && isWatched) {
      notes.ok(id, 'agent');
    }
  }
}
