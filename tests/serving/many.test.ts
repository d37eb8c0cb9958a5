import { createMemoryJournal, type Journal, type SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { errorOf } from './editor.ts';
import { fixture, say, script, Stage } from './stage.ts';

describe('many at once', () => {
  it('opens a cold session once, and starts one agent, for twenty that load and prompt', async () => {
    const stage = await Stage.open();
    const first = await stage.connect();
    const sessionId = await first.newSession(stage.folder);
    await first.prompt(sessionId, 'warm');
    await stage.host.closeSession(sessionId as SessionId);
    const before = stage.starts.length;
    const editors = await Promise.all(Array.from({ length: 20 }, () => stage.connect()));
    const answers = await Promise.all(
      editors.map(async (editor, index) => {
        await editor.load(sessionId, stage.folder);
        return editor.prompt(sessionId, `prompt ${index}`);
      }),
    );
    expect(answers).toEqual(answers.map(() => ({ stopReason: 'end_turn' })));
    expect(stage.starts.length - before).toBe(1);
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(21);
  });

  it('fails one prompt with its first start, and gives all others one agent', async () => {
    // Fails at the first start for a session; the one before that asks the agent what it can.
    const line =
      'if [ -e "$STARTS" ] && [ ! -e "$STARTS.failed" ]; then touch "$STARTS.failed"; exit 9; fi; exec "$0" "$1"';
    const command = ['/bin/sh', '-c', line, process.execPath, fixture('scripted')];
    const stage = await Stage.open({ entry: { command } });
    const { id } = await stage.host.createSession({ agent: 'scripted', cwd: stage.folder });
    const editors = await Promise.all(Array.from({ length: 20 }, () => stage.connect()));
    const before = stage.starts.length;
    const answers = await Promise.allSettled(
      editors.map(async (editor, index) => {
        await editor.load(id, stage.folder);
        return editor.prompt(id, `prompt ${index}`);
      }),
    );
    const failed = answers.filter(({ status }) => status === 'rejected');
    expect(failed).toMatchObject([{ reason: { data: { failure: 'agent_start' } } }]);
    expect(stage.starts.length - before).toBe(1);
    expect(await stage.eventsOf(id, 'turn.finished')).toHaveLength(20);
  });

  it('loads one session twice at a time over one connection, one after the other', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, 'hello');
    editor.clear();
    await Promise.all([1, 2].map(() => editor.load(sessionId, stage.folder)));
    expect(editor.story).toEqual(['user: hello', 'agent: hello', 'user: hello', 'agent: hello']);
    await editor.prompt(sessionId, 'more');
    expect(editor.story.slice(4)).toEqual(['agent: more']);
  });

  it('can be resumed and loaded in one breath by a client that reads slowly', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, 'hello');
    editor.clear();
    const params = { sessionId, cwd: stage.folder, mcpServers: [] };
    await Promise.all([
      editor.connection.request('session/resume', params),
      editor.connection.request('session/load', params),
    ]);
    await editor.prompt(sessionId, 'more');
    expect(editor.story).toEqual(['user: hello', 'agent: hello', 'agent: more']);
  });
});

describe('a log that could not be written', () => {
  /** An editor with a session that has stopped because of it, and could be opened again by now. */
  async function stopped() {
    const inner = createMemoryJournal();
    let isBroken = false;
    const journal: Journal = new Proxy(inner, {
      get: (target, key) => {
        if (key === 'append' && isBroken) return () => Promise.reject(new Error('disk full'));
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
    const stage = await Stage.open({ journal });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(say('before')));
    isBroken = true;
    expect(await errorOf(editor.prompt(sessionId, 'lost'))).toMatchObject({
      code: -32603,
      data: { failure: 'journal_failed' },
    });
    isBroken = false;
    return { stage, editor, sessionId };
  }

  it('fails the prompt, and the next one opens the session anew', async () => {
    const { editor, sessionId } = await stopped();
    expect(await editor.prompt(sessionId, 'after')).toEqual({ stopReason: 'end_turn' });
    expect(editor.said).toEqual(['before', 'after']);
  });

  it('loses no cancel that comes while the session is opened anew (B46)', async () => {
    const { stage, editor, sessionId } = await stopped();
    const cancelled = editor.prompt(sessionId, 'never said');
    editor.cancel(sessionId);
    expect(await cancelled).toEqual({ stopReason: 'cancelled' });
    expect(await editor.prompt(sessionId, 'after')).toEqual({ stopReason: 'end_turn' });
    expect(editor.said).toEqual(['before', 'after']);
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(2);
  });
});
