import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RawJson } from '@signalbox/acp';
import { CANCELLED, LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf, show } from '../../../../tests/support/transcript/show.ts';
import { createTranscript, foldTranscript, toTranscript } from './fold.ts';
import { toStoredEvent } from './stored-event.ts';
import { encodeEvent } from '../session/event-text.ts';

let log: LogWriter;
beforeEach(() => (log = new LogWriter()));
afterEach(() => expect(log.rebuilt()).toEqual(log.transcript));

describe('what an agent tells about its session', () => {
  test('is replaced by what it tells next, also outside of a turn', () => {
    const plan = (content: string) => ({ content, priority: 'high', status: 'pending' });
    log.update({ sessionUpdate: 'plan', entries: [plan('a'), plan('b')] });
    log.update({ sessionUpdate: 'plan', entries: [plan('c')] });
    log.update({ sessionUpdate: 'available_commands_update', availableCommands: [] });
    const command = { name: 'test', description: 'Runs the tests' };
    log.update({ sessionUpdate: 'available_commands_update', availableCommands: [command] });
    log.update({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' });
    expect(log.transcript).toMatchObject({
      plan: [plan('c')],
      commands: [command],
      currentModeId: 'plan',
    });
  });

  test('begins with what came with the session', () => {
    const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }, { id: 5 }] };
    const option = {
      ...{ id: 'model', name: 'Model', type: 'select', currentValue: 'x' },
      options: [{ value: 'x', name: 'X' }],
    };
    log.agentStarted({ sessionId: 's', modes, configOptions: [option] });
    expect(log.transcript).toMatchObject({
      isAgentRunning: true,
      modes: [{ id: 'ask', name: 'Ask' }],
      currentModeId: 'ask',
      configOptions: [option],
    });
    log.agentExited().agentStarted({ modes: null }, 'load');
    expect(log.transcript).toMatchObject({ modes: [{ id: 'ask' }], configOptions: [option] });
    expect(show(log.transcript)).toEqual(['agent_started', 'agent_exited', 'agent_started']);
  });

  test('keeps the cost that is not told again', () => {
    const cost = { amount: 1.5, currency: 'USD' };
    log.update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost });
    log.update({ sessionUpdate: 'usage_update', used: 20, size: 100, cost: null });
    expect(log.transcript.usage).toEqual({ used: 20, size: 100, cost });
  });

  test('keeps a title that is left out, and drops one that is null', () => {
    log.update({ sessionUpdate: 'session_info_update', title: 'A' });
    log.update({ sessionUpdate: 'session_info_update', updatedAt: '2026-01-01T00:00:00Z' });
    expect(log.transcript.title).toBe('A');
    log.update({ sessionUpdate: 'session_info_update', title: null });
    expect(log.transcript.title).toBeUndefined();
  });
});

describe('what does not fit the protocol', () => {
  test('is counted and harms nothing', () => {
    log.start('T').update({ sessionUpdate: 'plan', entries: [] }).say('a');
    const plan = [{ content: 'x', priority: 'low', status: 'pending' }];
    log.update({ sessionUpdate: 'plan', entries: plan });
    log.update({ sessionUpdate: 'usage_update', used: null, size: 1 }, 'used must be integer');
    log.update({ sessionUpdate: 'plan', entries: null });
    log.update({ sessionUpdate: 'agent_message_chunk' });
    log.say('b').end();
    expect(log.transcript.diagnostics).toMatchObject({ count: 3, last: { seq: 7 } });
    expect(log.transcript).toMatchObject({ plan, usage: undefined, turn: { kind: 'idle' } });
    expect(show(log.transcript).slice(1)).toEqual(['agent: a', 'agent: b', 'end: end_turn']);
  });

  test.for(['null', '5', '"x"', '[]', '{}', '{"sessionUpdate":5}'])(
    'may be anything: %s',
    (text) => {
      log.start('T').update(text).say('a').end();
      expect(log.transcript.diagnostics.count).toBe(1);
      expect(show(log.transcript)).toContain('agent: a');
    },
  );

  test('is kept as it came when it is only of an unknown kind', () => {
    const text = '{"sessionUpdate":"quantum_update","n":9007199254740993,"n":1e400}';
    log.start('T').update(text).say('a').end();
    expect(entriesOf(log.transcript, 'unknown_update')).toMatchObject([
      { updateKind: 'quantum_update', raw: { text }, turnId: 'T' },
    ]);
    expect(log.transcript.diagnostics.count).toBe(0);
  });
});

describe('a turn', () => {
  test('is summed up while it runs, with its prompt, and has an end with its duration', () => {
    log.start('T', 'go');
    expect(log.transcript.turn).toEqual({
      ...{ kind: 'running', turnId: 'T', promptId: 'P-T', startedAt: 10 },
    });
    log.cancel();
    expect(log.transcript.turn).toMatchObject({ cancel: { graceEndsAt: 99 } });
    log.end(CANCELLED);
    expect(log.transcript.turn).toEqual({ kind: 'idle' });
    expect(entriesOf(log.transcript, 'turn_end')).toMatchObject([
      { turnId: 'T', promptId: 'P-T', end: CANCELLED, durationMs: 20, time: 30 },
    ]);
  });

  test('takes its prompt from the queue; one that is dropped stays visible', () => {
    log.start('T1').queue('P-T2', 'second').queue('P-T3', 'third');
    expect(log.transcript.queue.map(({ promptId }) => promptId)).toEqual(['P-T2', 'P-T3']);
    log.end().start('T2', 'second').drop('P-T3').end();
    expect(log.transcript.queue).toEqual([]);
    expect(entriesOf(log.transcript, 'prompt_dropped')).toMatchObject([
      { promptId: 'P-T3', blocks: [{ type: 'text', text: 'third' }] },
    ]);
  });

  test('keeps the blocks of its prompt as they were sent', () => {
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'resource_link', uri: 'file:///x', name: 'x' },
      { type: 'odd', n: 1 },
    ];
    log.start('T', new RawJson(JSON.stringify(blocks)));
    expect(entriesOf(log.transcript, 'user_message')[0]?.blocks).toEqual(blocks);
  });
});

describe('a permission request', () => {
  test('waits, then says what was decided and by whom, beside its tool call', () => {
    log.start('T').call('c').ask('A', { toolCallId: 'c', title: 'Run ls' });
    const [call] = entriesOf(log.transcript, 'tool_call');
    expect(entriesOf(log.transcript, 'permission')).toMatchObject([
      { permissionId: 'A', toolCallEntryId: call?.id, deadline: 1000 },
    ]);
    expect(entriesOf(log.transcript, 'permission')[0]).not.toHaveProperty('outcome');
    log.choose('A', 'always');
    expect(entriesOf(log.transcript, 'permission')).toMatchObject([
      { outcome: { optionId: 'always' }, by: { name: 'alice' }, firstSeq: 3, lastSeq: 4 },
    ]);
    expect(entriesOf(log.transcript, 'tool_call')).toMatchObject([{ status: 'pending' }]);
  });

  test('shows all options in the order of its agent, also those of unknown kinds', () => {
    const options = ['D', 'B', 'A', 'C'].map((optionId) => ({
      ...{ optionId, name: `Choose ${optionId}`, kind: 'allow_persistent' as 'allow_once' },
    }));
    log.start('T').ask('A', { toolCallId: 'c' }, options);
    expect(entriesOf(log.transcript, 'permission')[0]?.options).toEqual(options);
  });

  test('that was withdrawn says why', () => {
    log.start('T').ask('A', { toolCallId: 'c' }).cancel();
    log.resolve('A', { kind: 'cancelled' }, 'turn_cancelled').end(CANCELLED);
    expect(entriesOf(log.transcript, 'permission')).toMatchObject([
      { outcome: { kind: 'cancelled' }, withdrawal: 'turn_cancelled' },
    ]);
  });
});

describe('a compaction', () => {
  const compaction = (more: object) =>
    log.update({ sessionUpdate: 'compaction_update', compactionId: 'k', ...more });

  test('is one entry that its news patches, in which null clears', () => {
    log.update({
      ...{ sessionUpdate: 'compaction_summary_chunk', compactionId: 'k' },
      content: { type: 'text', text: 'We ' },
    });
    log.update({
      ...{ sessionUpdate: 'compaction_summary_chunk', compactionId: 'k' },
      content: { type: 'text', text: 'talked' },
    });
    expect(show(log.transcript)).toEqual(['compaction: in_progress We talked']);
    compaction({ status: 'thinking', error: 'slow' });
    expect(show(log.transcript)).toEqual(['compaction: thinking We talked']);
    compaction({ status: 'completed', summary: [{ type: 'text', text: 'All' }] });
    expect(entriesOf(log.transcript, 'compaction')).toMatchObject([{ error: 'slow' }]);
    compaction({ status: 'completed', error: null });
    expect(show(log.transcript)).toEqual(['compaction: completed All']);
    expect(entriesOf(log.transcript, 'compaction')[0]).not.toHaveProperty('error');
    compaction({ status: 'completed', summary: null });
    expect(show(log.transcript)).toEqual(['compaction: completed ']);
  });
});

describe('folding', () => {
  test('gives a changed entry a new identity and leaves all others theirs', () => {
    log.start('T').call('c').say('a', 'id').ask('A', { toolCallId: 'd' });
    const before = [...log.transcript.entries];
    const { plan, commands, modes } = log.transcript;
    log.callUpdate('c', { status: 'completed' });
    const changed = log.transcript.entries.filter((entry, at) => entry !== before[at]);
    expect(changed).toMatchObject([{ kind: 'tool_call', toolCallId: 'c' }]);
    expect(before[1]).toMatchObject({ status: 'pending' });
    expect(log.transcript.plan).toBe(plan);
    expect(log.transcript.commands).toBe(commands);
    expect(log.transcript.modes).toBe(modes);
  });

  test('never changes an entry that somebody holds', () => {
    log.start('T').say('a');
    const held = log.transcript.entries.at(-1);
    const copy = structuredClone(held);
    log.say('b').chunk('agent_message_chunk', { type: 'odd' });
    expect(held).toEqual(copy);
  });

  test('leaves out what is in the transcript already', () => {
    log.start('T').say('a').say('b').end();
    const again = createTranscript();
    for (const stored of [...log.stored.slice(0, 3), ...log.stored]) foldTranscript(again, stored);
    expect(again).toEqual(log.transcript);
    expect(again.lastSeq).toBe(4);
  });

  test('gives entries ids that no other entry has', () => {
    log.agentStarted().start('T').call('c').ask('A', { toolCallId: 'd' }).say('a').think('b');
    log.update({ sessionUpdate: 'odd' }).agentExited().end().say('c').start('U').end();
    const ids = log.transcript.entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('takes 100,000 chunks, in one message or in as many entries', () => {
    for (const isMixed of [false, true]) {
      const transcript = createTranscript();
      const [start] = log.start('T').stored;
      if (start !== undefined) foldTranscript(transcript, start);
      for (let n = 0; n < 100_000; n++) {
        const kind = isMixed && n % 2 === 1 ? 'agent_thought_chunk' : 'agent_message_chunk';
        const text = `{"sessionUpdate":"${kind}","content":{"type":"text","text":"w"}}`;
        const data = { v: 1, update: new RawJson(text) } as const;
        foldTranscript(transcript, { seq: n + 2, event: { type: 'update', time: n, data } });
      }
      expect(transcript.entries).toHaveLength(isMixed ? 100_001 : 2);
      log = new LogWriter();
    }
  });

  test('reads what a journal holds', () => {
    log.start('T').say('a').end();
    const entries = log.stored.map(({ seq, event }) => ({ seq, body: encodeEvent(event) }));
    expect(toTranscript(entries.map(toStoredEvent))).toEqual(log.transcript);
  });
});
