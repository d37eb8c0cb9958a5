import { toCursor, type SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { select } from './editor.ts';
import { ask, say, script, Stage, update } from './stage.ts';

function call(toolCallId: string, members: object = { status: 'in_progress' }): object {
  return update({ sessionUpdate: 'tool_call', toolCallId, title: 'Run', ...members });
}

function news(toolCallId: string, members: object): object {
  return update({ sessionUpdate: 'tool_call_update', toolCallId, ...members });
}

/** The steps of a turn in which tool calls stay open. */
const LEFT_OPEN = [
  call('over'),
  call('running'),
  call('waiting', {}),
  news('over', { status: 'completed' }),
  news('over', { content: [] }),
];
const ENDED = ['tool_call_update: running failed', 'tool_call_update: waiting failed'];

describe('a tool call that its agent leaves open', () => {
  const ENDINGS: [name: string, step: object][] = [
    ['ends its turn', { answer: { stopReason: 'end_turn' } }],
    ['answers with an error', { answer: { error: { code: -32603, message: 'no' } } }],
    ['dies', { exit: 3 }],
  ];
  it.each(ENDINGS)('has failed for its client when the agent %s', async (_name, step) => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(...LEFT_OPEN, say('end'), step)).catch(() => undefined);
    const end = editor.story.indexOf('agent: end');
    expect(editor.story.slice(end + 1)).toEqual(ENDED);
  });

  it('has failed for all clients when the turn is cancelled, also for one that came meanwhile', async () => {
    const stage = await Stage.open();
    const [editor, other] = [await stage.connect(), await stage.connect()];
    const sessionId = await editor.newSession(stage.folder);
    const answer = editor.prompt(sessionId, script(...LEFT_OPEN, say('wait'), { cancel: true }));
    await editor.untilSaid('wait');
    await other.load(sessionId, stage.folder);
    expect(other.story.slice(1, 4)).toEqual([
      'tool_call: over completed',
      'tool_call: running in_progress',
      'tool_call: waiting pending',
    ]);
    editor.cancel(sessionId);
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    await other.until(() => other.story.includes('tool_call_update: waiting failed'));
    for (const client of [editor, other]) expect(client.story.slice(-2)).toEqual(ENDED);
  });

  it('has failed when what it asked for was denied and it says no more', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({ onPermission: () => select('no') });
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(call('call-1', { status: 'pending' }), ask('call-1')));
    expect(editor.story.at(-1)).toBe('tool_call_update: call-1 failed');
  });

  it('is corrected by what the agent says of it later', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(call('c')));
    await editor.prompt(sessionId, script(news('c', { status: 'completed' }), say('next')));
    expect(editor.story).toEqual([
      'tool_call: c in_progress',
      'tool_call_update: c failed',
      'tool_call_update: c completed',
      'agent: next',
    ]);
  });

  it('has failed for a client that comes back in the middle of a long turn', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = (await editor.newSession(stage.folder)) as SessionId;
    const many = Array.from({ length: 200 }, (_, index) => say(`${index}`));
    const steps = script(...LEFT_OPEN, ...many, say('wait'), { cancel: true });
    const answer = editor.prompt(sessionId, steps);
    await editor.untilSaid('wait');
    const back = await stage.connect({ isRemote: true });
    const { seq } = await stage.journal.head(sessionId);
    const params = { sessionId, lastReceivedEventId: toCursor(sessionId, seq) };
    await back.connection.requestOther('session/resume', params);
    editor.cancel(sessionId);
    await answer;
    await back.until(() => back.arrived.length === ENDED.length);
    expect(back.story).toEqual(ENDED);
  });
});
