import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CANCELLED, LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf, show } from '../../../../tests/support/transcript/show.ts';
import type { TurnEnd } from '../session/event.ts';
import type { Interruption, ToolCallEntry } from './tool-call-entry.ts';

let log: LogWriter;
beforeEach(() => (log = new LogWriter()));
afterEach(() => expect(log.rebuilt()).toEqual(log.transcript));

/** The tool calls as they stand. */
function calls(): ToolCallEntry[] {
  return entriesOf(log.transcript, 'tool_call');
}

describe('news about a tool call', () => {
  test('leaves alone what it does not mention or gives as null, and replaces whole lists', () => {
    const a = { type: 'content', content: { type: 'text', text: 'A' } };
    const b = { type: 'diff', path: '/x', newText: 'B' };
    log.start('T').call('c', {
      ...{ title: 'Edit', kind: 'edit', name: 'edit_file', rawInput: { path: '/x' } },
      ...{ content: [a], locations: [{ path: '/x' }] },
    });
    log.callUpdate('c', { status: 'in_progress' });
    expect(calls()).toMatchObject([{ title: 'Edit', toolKind: 'edit', status: 'in_progress' }]);
    log.callUpdate('c', { content: [b] });
    log.callUpdate('c', {
      ...{ rawInput: null, title: null, kind: null, name: null },
      ...{ status: null, content: null, locations: null, rawOutput: null },
    });
    expect(calls()).toMatchObject([
      {
        ...{ title: 'Edit', toolKind: 'edit', name: 'edit_file', status: 'in_progress' },
        ...{ content: [b], locations: [{ path: '/x' }], rawInput: { text: '{"path":"/x"}' } },
      },
    ]);
    log.callUpdate('c', { content: [], locations: [], status: 'completed', rawOutput: 5 });
    expect(calls()).toMatchObject([
      { content: [], locations: [], status: 'completed', rawOutput: { text: '5' } },
    ]);
  });

  test('has defaults, keeps an unknown kind as text and passes over an unknown status', () => {
    log.start('T').call('c');
    expect(calls()).toMatchObject([{ toolKind: 'other', status: 'pending', title: 'Run' }]);
    log.callUpdate('c', { kind: 'teleport' });
    log.callUpdate('c', { status: 'in_progress' }).callUpdate('c', { status: 'weird' });
    log.callUpdate('c', { kind: 5 });
    expect(calls()).toMatchObject([{ toolKind: 'teleport', status: 'in_progress' }]);
  });

  test('keeps content of unknown kinds, terminals that nobody made and odd blocks', () => {
    const content = [
      { type: 'hologram', x: [1] },
      { type: 'terminal', terminalId: 'never-made' },
      { type: 'content', content: { type: 'smell', of: 'rain' } },
      { type: 'content', content: { type: 'image', data: 'AA', mimeType: 'image/png' } },
    ];
    log.start('T').call('c', { content });
    expect(calls()[0]?.content).toEqual(content);
  });

  test('keeps arguments and results in the exact words', () => {
    const value = '{"n":9007199254740993,"a":1e400,"a":-0}';
    log
      .start('T')
      .update(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","rawInput":${value}}`);
    log.update(`{"sessionUpdate":"tool_call_update","toolCallId":"c","rawOutput":[${value}]}`);
    expect(calls()).toMatchObject([
      { rawInput: { text: value }, rawOutput: { text: `[${value}]` } },
    ]);
  });

  test('may come before the announcement: there is one entry, and both are merged', () => {
    log
      .start('T')
      .callUpdate('c', { status: 'pending' })
      .callUpdate('c', { status: 'in_progress' });
    log.call('c', { title: 'Edit', kind: 'other', status: 'pending' });
    log.callUpdate('c', { status: 'completed' });
    expect(show(log.transcript).slice(1)).toEqual(['tool c: Edit other completed']);
  });

  test('may announce a call twice in one turn: it stays one', () => {
    log.start('T').call('c', { title: 'A', rawInput: {} }).callUpdate('c', { status: 'completed' });
    log.call('c', { title: 'B', rawInput: { x: 1 } });
    expect(calls()).toMatchObject([
      { title: 'B', status: 'completed', rawInput: { text: '{"x":1}' } },
    ]);
  });

  test('may come only with a permission request', () => {
    log.start('T').ask('A', { toolCallId: 'c', title: 'Run ls', kind: 'execute' });
    log.choose('A', 'yes').callUpdate('c', { status: 'completed' }).end();
    expect(show(log.transcript).slice(1)).toEqual([
      'tool c: Run ls execute completed',
      'asks A: selected',
      'end: end_turn',
    ]);
  });

  test('may come as request, then end, then announcement', () => {
    log.start('T').ask('A', { toolCallId: 'c', title: 'Run' }).choose('A', 'yes');
    log.callUpdate('c', { status: 'completed' }).call('c', { title: 'Late', status: 'pending' });
    expect(calls()).toMatchObject([{ title: 'Late', status: 'completed' }]);
  });

  test('that holds nothing but _meta changes nothing that is shown', () => {
    log.start('T').call('c', { kind: 'read' });
    const [before] = calls();
    log.callUpdate('c', { _meta: { x: 1 } });
    expect(calls()).toEqual([{ ...before, lastSeq: 3 }]);
  });
});

describe('an id that comes again', () => {
  test('in a later turn is another call', () => {
    for (const turn of ['T1', 'T2', 'T3']) {
      log.start(turn).call('call_1', { title: turn }).callUpdate('call_1', { status: 'completed' });
      log.ask(`A-${turn}`, { toolCallId: 'call_2', title: turn }).choose(`A-${turn}`, 'no').end();
    }
    expect(calls().map(({ title, status }) => `${title} ${status}`)).toEqual([
      ...['T1 completed', 'T1 interrupted'],
      ...['T2 completed', 'T2 interrupted'],
      ...['T3 completed', 'T3 interrupted'],
    ]);
    expect(new Set(calls().map(({ id }) => id)).size).toBe(6);
  });

  test('in an update with a title, after the call has ended, is another call', () => {
    log.start('T1').call('c', { status: 'completed' }).end();
    log.start('T2').callUpdate('c', { title: 'New' });
    expect(calls()).toMatchObject([{ turnId: 'T1' }, { turnId: 'T2', title: 'New' }]);
  });

  test('in late news belongs to the old call', () => {
    log.start('T1').call('c').end().start('T2');
    log.callUpdate('c', { status: 'completed', content: [] });
    expect(calls()).toMatchObject([{ turnId: 'T1', status: 'completed' }]);
  });
});

describe('a tool call that its agent leaves open', () => {
  const failed = (failure: 'agent_error' | 'interrupted'): TurnEnd => ({
    ...{ kind: 'failed', failure, message: '' },
  });
  const ENDINGS: readonly [string, Interruption, (log: LogWriter) => void][] = [
    ['the turn ends', 'turn_ended', (l) => l.end()],
    [
      'the turn is cut short',
      'turn_ended',
      (l) => l.end({ kind: 'stopped', stopReason: 'max_tokens' }),
    ],
    ['the turn fails', 'turn_ended', (l) => l.end(failed('agent_error'))],
    ['somebody cancels', 'cancelled', (l) => l.cancel()],
    ['the turn is cancelled', 'cancelled', (l) => l.cancel().end(CANCELLED)],
    ['the agent cancels', 'cancelled', (l) => l.end(CANCELLED)],
    ['the agent dies', 'agent_exited', (l) => l.agentExited()],
    ['the host dies', 'agent_exited', (l) => l.end(failed('interrupted'))],
    ['leave is refused', 'denied', (l) => l.ask('A', { toolCallId: 'c' }).choose('A', 'no')],
    [
      'leave is refused without an option for it',
      'denied',
      (l) =>
        l.ask('A', { toolCallId: 'c' }).resolve('A', { kind: 'cancelled' }, 'no_fitting_option'),
    ],
  ];

  test.for(ENDINGS)('is interrupted when %s (%s)', ([, reason, end]) => {
    for (const status of ['pending', 'in_progress']) {
      log = new LogWriter();
      log.start('T').call('c', { status });
      end(log);
      expect(calls()).toMatchObject([{ status: 'interrupted', interruption: reason }]);
    }
  });

  test('is corrected by what its agent says later', () => {
    for (const status of ['completed', 'failed']) {
      log = new LogWriter();
      log.start('T').call('c').cancel().end(CANCELLED).callUpdate('c', { status });
      expect(calls()).toMatchObject([{ status }]);
      expect(calls()[0]).not.toHaveProperty('interruption');
    }
  });

  test('does not seem to run again because of late progress', () => {
    log.start('T').call('c').cancel().callUpdate('c', { status: 'in_progress' });
    log.end(CANCELLED).callUpdate('c', { status: 'in_progress', title: 'Still at it' });
    expect(calls()).toMatchObject([
      { status: 'interrupted', interruption: 'cancelled', title: 'Still at it' },
    ]);
  });

  test('goes on after a refusal if its agent goes on', () => {
    log.start('T').ask('A', { toolCallId: 'c', title: 'Run' }).choose('A', 'no');
    log.ask('B', { toolCallId: 'c' });
    expect(calls()).toMatchObject([{ status: 'pending' }]);
    log.choose('B', 'yes').callUpdate('c', { status: 'in_progress' });
    expect(calls()).toMatchObject([{ status: 'in_progress' }]);
  });

  test('is not called denied when nobody has denied it', () => {
    for (const withdrawal of ['turn_ended', 'agent_gone', 'turn_cancelled'] as const) {
      log = new LogWriter();
      log.start('T').ask('A', { toolCallId: 'c' }).resolve('A', { kind: 'cancelled' }, withdrawal);
      expect(calls()).toMatchObject([{ status: 'pending' }]);
      expect(log.end() && calls()).toMatchObject([{ interruption: 'turn_ended' }]);
    }
  });

  test('keeps its end when the turn ends after it', () => {
    log.start('T').call('c', { status: 'completed' }).call('d', { status: 'failed' });
    log.cancel().end(CANCELLED);
    expect(calls()).toMatchObject([{ status: 'completed' }, { status: 'failed' }]);
  });

  test('outside of a turn stays open until its agent is gone', () => {
    log.call('c', { status: 'in_progress' }).start('T').end();
    expect(calls()).toMatchObject([{ status: 'in_progress' }]);
    log.agentExited();
    expect(calls()).toMatchObject([{ status: 'interrupted', interruption: 'agent_exited' }]);
  });

  test('of another turn is left alone', () => {
    log.call('c').start('T').call('d').cancel();
    expect(calls()).toMatchObject([{ status: 'pending' }, { status: 'interrupted' }]);
  });
});
