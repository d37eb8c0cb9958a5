import { agentCase, clientCase, type PassiveCase } from './passive-case.ts';
import { CALL, chunk, say, turn } from './updates.ts';
import type { Wire } from './wire.ts';

const OPTIONS = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];
const ASK = { sessionId: 's', toolCall: { toolCallId: 't' }, options: OPTIONS };
const YES = { outcome: { outcome: 'selected', optionId: 'y' } };
const NO = { outcome: { outcome: 'selected', optionId: 'n' } };
const CANCELLED = { outcome: { outcome: 'cancelled' } };
const DONE = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' };

/** A turn that is cancelled, and what the agent answers after some time. */
function cancelled(end: (wire: Wire, id: number) => void, ms = 10): (wire: Wire) => void {
  return (wire) => {
    const id = wire.ready().open('client', 'session/prompt', { sessionId: 's', prompt: [] });
    wire.update(chunk('x')).notify('client', 'session/cancel', { sessionId: 's' }).wait(ms);
    end(wire, id);
  };
}

/** A turn that is cancelled while it waits for an answer, and how it ends then. */
function cancelledInQuestion(stopReason: string): (wire: Wire) => void {
  return (wire) => {
    const id = wire.ready().open('client', 'session/prompt', { sessionId: 's', prompt: [] });
    const question = wire.open('agent', 'session/request_permission', {
      sessionId: 's',
      toolCall: { toolCallId: 't' },
      options: [{ optionId: 'a', name: 'A', kind: 'allow_once' }],
    });
    wire.notify('client', 'session/cancel', { sessionId: 's' });
    wire.answer('client', question, { outcome: { outcome: 'cancelled' } });
    wire.answer('agent', id, { stopReason });
  };
}

/** A question in a turn: what comes before it, its answer, and what comes after it. */
function asked(
  answer: unknown,
  parts: { before?: object; after?: object; ask?: object } = {},
): (wire: Wire) => void {
  return (wire) =>
    wire.ready().turn((inner) => {
      if (parts.before) inner.update(parts.before as never);
      inner.ask('session/request_permission', { ...ASK, ...parts.ask }, answer);
      if (parts.after) inner.update(parts.after as never);
    });
}

/** Whether the open question is answered "cancelled" after the client cancels or closes. */
function openQuestion(method: string, answer: unknown): (wire: Wire) => void {
  return (wire) =>
    wire.ready().turn((inner) => {
      const id = inner.open('agent', 'session/request_permission', ASK);
      if (method === 'session/cancel') inner.notify('client', method, { sessionId: 's' });
      else inner.call(method, { sessionId: 's' }, {});
      inner.answer('client', id, answer);
    });
}

/** Turns, tool calls, permission. */
export const FLOW_CASES: readonly PassiveCase[] = [
  agentCase('R-PRM-05', turn({}), turn({ stopReason: 'end_turn' })),
  agentCase('R-PRM-06', turn({ stopReason: 'stop' }), turn({ stopReason: 'max_tokens' })),
  agentCase(
    'R-PRM-07',
    turn({ stopReason: 'cancelled' }),
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'cancelled' })),
  ),
  agentCase(
    'R-TOOL-14',
    turn({ stopReason: 'end_turn' }, CALL),
    turn({ stopReason: 'end_turn' }, CALL, DONE),
  ),
  agentCase(
    'R-CAN-15',
    cancelled((wire, id) => wire.update(CALL).answer('agent', id, { stopReason: 'cancelled' })),
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'cancelled' })),
  ),
  agentCase(
    'R-CAN-05',
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'end_turn' }), 5000),
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'cancelled' })),
  ),
  agentCase('R-CAN-05', cancelledInQuestion('end_turn'), cancelledInQuestion('cancelled')),
  agentCase(
    'R-CAN-06',
    cancelled((wire, id) => wire.fail('agent', id, -32603, 'Aborted')),
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'cancelled' })),
  ),
  agentCase(
    'R-CAN-06',
    cancelled((wire, id) => wire.fail('agent', id, -32603, 'overloaded')),
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'cancelled' })),
  ),
  agentCase(
    'R-ERR-06',
    cancelled((wire, id) => wire.fail('agent', id, -32800)),
    cancelled((wire, id) => wire.answer('agent', id, { stopReason: 'cancelled' })),
  ),
  clientCase(
    'R-CAN-01',
    (wire) => wire.ready().call('session/cancel', { sessionId: 's' }, {}),
    (wire) => wire.ready().notify('client', 'session/cancel', { sessionId: 's' }),
  ),
  agentCase(
    'R-PRM-09',
    (wire) =>
      wire
        .ready()
        .turn((inner) => inner.update(chunk('a')))
        .update(chunk('b')),
    (wire) =>
      wire
        .ready()
        .turn((inner) => inner.update(chunk('a')))
        .wait(900)
        .update(chunk('b')),
  ),
  agentCase(
    'R-CAN-07',
    cancelled((wire, id) =>
      wire.answer('agent', id, { stopReason: 'cancelled' }).update(chunk('late')),
    ),
    cancelled((wire, id) =>
      wire
        .update(chunk('x'))
        .answer('agent', id, { stopReason: 'cancelled' })
        .wait(900)
        .turn(() => undefined),
    ),
  ),
  clientCase(
    'R-PRM-12',
    (wire) => wire.ready().turn((inner) => inner.turn(() => undefined)),
    (wire) =>
      wire
        .ready()
        .turn(() => undefined)
        .turn(() => undefined),
  ),
  agentCase('R-TOOL-02', say({ ...CALL, title: undefined }), say(CALL)),
  agentCase('R-TOOL-04', say({ ...CALL, kind: 'deploy' }), say({ ...CALL, kind: 'switch_mode' })),
  agentCase('R-TOOL-05', say({ ...CALL, status: 'cancelled' }), say({ ...CALL, status: 'failed' })),
  agentCase(
    'R-TOOL-08',
    say({ sessionUpdate: 'tool_call_update', status: 'completed' }),
    turn({}, CALL, DONE),
  ),
  agentCase('R-TOOL-08', say(DONE), turn({}, CALL, DONE)),
  agentCase(
    'R-TOOL-16',
    say({ ...CALL, content: [{ type: 'text', text: 'x' }] }),
    say({ ...CALL, content: [{ type: 'content', content: { type: 'text', text: 'x' } }] }),
  ),
  agentCase(
    'R-TOOL-17',
    say({ ...CALL, content: [{ type: 'diff', path: '/a', patch: '' }] }),
    say({ ...CALL, content: [{ type: 'diff', path: '/a', newText: '' }] }),
  ),
  agentCase(
    'R-TOOL-03',
    turn({}, CALL, DONE, CALL),
    turn({}, CALL, DONE, { ...CALL, toolCallId: 'u' }),
  ),
  agentCase(
    'R-TOOL-07',
    turn({}, { ...CALL, name: 'a' }, { ...DONE, name: 'b' }),
    turn({}, { ...CALL, name: 'a' }, { ...DONE, name: null }),
  ),
  agentCase(
    'R-TOOL-15',
    turn({}, CALL, DONE, { ...DONE, status: 'in_progress' }),
    turn({}, CALL, { ...DONE, status: 'in_progress' }, DONE),
  ),
  agentCase(
    'R-PER-02',
    asked(YES, { ask: { options: [{ optionId: 'y', name: 'Y', kind: 'allow' }] } }),
    asked(YES),
  ),
  agentCase('R-PER-03', asked(CANCELLED, { ask: { options: [] } }), asked(YES)),
  agentCase('R-TOOL-21', asked(YES), asked(YES, { before: CALL })),
  agentCase('R-PRM-18', asked(YES, { after: CALL }), asked(YES, { before: CALL })),
  clientCase('R-PER-04', asked({ outcome: 'y' }), asked(YES)),
  clientCase(
    'R-PER-04',
    asked({ outcome: { outcome: 'selected', optionId: 'allow_once' } }),
    asked(CANCELLED),
  ),
  clientCase(
    'R-CAN-03',
    openQuestion('session/cancel', NO),
    openQuestion('session/cancel', CANCELLED),
  ),
  clientCase(
    'R-PER-06',
    openQuestion('session/cancel', YES),
    openQuestion('session/cancel', CANCELLED),
  ),
  clientCase(
    'R-CLS-08',
    openQuestion('session/close', YES),
    openQuestion('session/close', CANCELLED),
  ),
  agentCase(
    'R-PER-07',
    asked(NO, { before: CALL, after: DONE }),
    asked(NO, { before: CALL, after: { ...DONE, status: 'failed' } }),
  ),
  agentCase(
    'R-TOOL-12',
    asked(YES, { before: { ...CALL, status: 'in_progress' } }),
    asked(YES, { before: CALL }),
  ),
  agentCase('R-TOOL-12', asked(YES, { before: DONE }), (wire) => {
    wire.hello().session({}, 'other').update(CALL, 'other').update(DONE, 'other').session();
    wire.turn((turn) => turn.update(CALL).ask('session/request_permission', ASK, YES));
  }),
];
