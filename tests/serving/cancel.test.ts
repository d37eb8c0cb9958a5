import type { RequestPermissionResponse } from '@signalbox/acp';
import { SimulatedClock } from '@signalbox/host';
import { describe, expect, it } from 'vitest';
import { errorOf, select } from './editor.ts';
import { ask, say, script, Stage } from './stage.ts';

describe('cancelling', () => {
  it('ends the turn as cancelled, and the next prompt works', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, script(say('on it'), { cancel: true }));
    await editor.untilSaid('on it');
    editor.cancel(sessionId);
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await editor.prompt(sessionId, 'next')).toEqual({ stopReason: 'end_turn' });
  });

  it('the request of a prompt that waits for the agent to be quiet drops it', async () => {
    const stage = await Stage.open({ clock: new SimulatedClock() });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, script(say('on it'), { cancel: true }));
    await editor.untilSaid('on it');
    editor.cancel(sessionId);
    await running;
    const abort = new AbortController();
    const next = editor.connection.request(
      'session/prompt',
      { sessionId, prompt: [{ type: 'text', text: 'next' }] },
      { signal: abort.signal },
    );
    await stage.untilEvent(sessionId, 'prompt.held');
    abort.abort();
    expect(await next).toEqual({ stopReason: 'cancelled' });
    await stage.untilEvent(sessionId, 'prompt.dropped', ({ data }) => data.by.kind === 'client');
    expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(1);
  });

  it('right behind the prompt is never lost', async () => {
    // Otherwise each prompt but the first would wait for the agent, and be cancelled there.
    const stage = await Stage.open({ settings: { settleMs: 0 } });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    for (let round = 0; round < 100; round++) {
      const running = editor.prompt(sessionId, script({ cancel: true }));
      editor.cancel(sessionId);
      expect(await running).toEqual({ stopReason: 'cancelled' });
    }
  });

  it('drops the prompts that wait, of all clients', async () => {
    const stage = await Stage.open();
    const [a, b] = [await stage.connect(), await stage.connect()];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const running = a.prompt(sessionId, script(say('on it'), { cancel: true }));
    await b.untilSaid('on it');
    const waiting = [a.prompt(sessionId, 'second'), b.prompt(sessionId, 'third')];
    await stage.untilEvent(sessionId, 'prompt.queued', ({ data }) =>
      data.content.text.includes('third'),
    );
    b.cancel(sessionId);
    const answers = await Promise.all([running, ...waiting]);
    expect(answers).toEqual(answers.map(() => ({ stopReason: 'cancelled' })));
    expect(a.said).toEqual(['on it']);
  });

  it('by cancelling the request does the same', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const abort = new AbortController();
    const prompt = [{ type: 'text', text: script(say('on it'), { cancel: true }) } as const];
    const running = editor.connection.request(
      'session/prompt',
      { sessionId, prompt },
      { signal: abort.signal },
    );
    await editor.untilSaid('on it');
    abort.abort();
    expect(await running).toEqual({ stopReason: 'cancelled' });
  });

  it('the request of a prompt that waits for another one drops it, and nothing of others', async () => {
    const stage = await Stage.open();
    let answer!: (response: RequestPermissionResponse) => void;
    const answered = new Promise<RequestPermissionResponse>((resolve) => (answer = resolve));
    const [a, b] = [await stage.connect(), await stage.connect({ onPermission: () => answered })];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const running = a.prompt(sessionId, script(ask(), say('done')));
    await b.untilAsked();
    const abort = new AbortController();
    const prompt = [{ type: 'text', text: 'taken back' } as const];
    const { signal } = abort;
    const waiting = b.connection.request('session/prompt', { sessionId, prompt }, { signal });
    const behind = b.prompt(sessionId, 'behind');
    await stage.untilEvent(sessionId, 'prompt.queued', ({ data }) =>
      data.content.text.includes('behind'),
    );
    abort.abort();
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    answer(select('yes'));
    const ended = { stopReason: 'end_turn' };
    expect(await Promise.all([running, behind])).toEqual([ended, ended]);
    await a.untilSaid('behind');
    expect(a.said.slice(1)).toEqual(['done', 'behind']);
    expect(await stage.eventsOf(sessionId, 'turn.cancel_requested')).toEqual([]);
  });

  it('of an idle or an unknown session does nothing and is not answered', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    editor.clear();
    editor.cancel(sessionId);
    editor.cancel('nonsense');
    expect(await editor.prompt(sessionId, 'fine')).toEqual({ stopReason: 'end_turn' });
    expect(editor.frames).toHaveLength(2);
  });

  it('withdraws a permission request that waits, and the agent hears cancelled', async () => {
    const stage = await Stage.open({ agent: 'asks-permission' });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, '{"options":["allow_once","reject_once"],"times":3}');
    await editor.untilAsked(3);
    editor.cancel(sessionId);
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(editor.said).toEqual(Array(3).fill('{"outcome":"cancelled"}'));
    await editor.until(() => editor.permissions.every(({ signal }) => signal.aborted));
  });

  it('counts before the answer that a client gives for it', async () => {
    const stage = await Stage.open({ agent: 'asks-permission' });
    const editor = await stage.connect({
      // In one read with the cancel, and in front of it.
      onPermission: (_request, _context) => {
        queueMicrotask(() => editor.cancel(sessionId));
        return { outcome: { outcome: 'cancelled' } };
      },
    });
    const sessionId = await editor.newSession(stage.folder);
    const answer = await editor.prompt(sessionId, '{"options":["allow_once","reject_once"]}');
    expect(answer).toEqual({ stopReason: 'cancelled' });
    expect(editor.said).toEqual(['{"outcome":"cancelled"}']);
  });

  it('is not what the end of a connection does', async () => {
    const stage = await Stage.open();
    const [a, b] = [await stage.connect(), await stage.connect()];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const running = errorOf(a.prompt(sessionId, script(say('on it'), ask(), say('done'))));
    await b.untilAsked();
    await a.connection.close();
    await a.server.closed;
    await running;
    expect(await stage.eventsOf(sessionId, 'turn.cancel_requested')).toEqual([]);
    await b.server.close();
  });
});
