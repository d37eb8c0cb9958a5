import { memberText, RpcError } from '@signalbox/acp';
import { SimulatedClock } from '@signalbox/host';
import { describe, expect, it } from 'vitest';
import { select, type EditorOptions } from './editor.ts';
import { ask, say, script, Stage } from './stage.ts';

const SELECTED_YES = '{"outcome":"selected","optionId":"yes"}';
const SELECTED_NO = '{"outcome":"selected","optionId":"no"}';

/** A session that two editors have open, the second without an answer to anything unless it is given. */
async function open(
  stage: Stage,
  first: EditorOptions = {},
  second: EditorOptions = {},
): Promise<{ a: Awaited<ReturnType<Stage['connect']>>; b: typeof a; sessionId: string }> {
  const a = await stage.connect(first);
  const b = await stage.connect(second);
  const sessionId = await a.newSession(stage.folder);
  await b.load(sessionId, stage.folder);
  return { a, b, sessionId };
}

describe('a permission request', () => {
  it('reaches the client as the agent wrote it, behind everything that came before', async () => {
    const stage = await Stage.open();
    const { a, sessionId } = await open(stage, {
      onPermission: () => {
        expect(a.said).toEqual(['before']);
        return select('a b/ü');
      },
    });
    const toolCall = { toolCallId: 'c', title: 'Go', rawInput: { n: 1 }, future: { x: [1] } };
    const options = [
      { optionId: 'ALLOW', name: 'A', kind: 'allow_once' },
      { optionId: 'a b/ü', name: 'B', kind: 'allow_once', _meta: { y: 2 } },
    ];
    await a.prompt(sessionId, script(say('before'), { ask: { toolCall, options } }));
    expect(a.said).toEqual(['before', '{"outcome":"selected","optionId":"a b/ü"}']);
    const params = memberText(a.permissions[0]?.text ?? '', 'params') ?? '';
    expect(memberText(params, 'sessionId')).toBe(JSON.stringify(sessionId));
    expect(memberText(params, 'toolCall')).toBe(JSON.stringify(toolCall));
    expect(memberText(params, 'options')).toBe(JSON.stringify(options));
  });

  it('is put before all clients; the first answer wins and the others are told', async () => {
    const stage = await Stage.open();
    const { a, b, sessionId } = await open(stage, {}, { onPermission: () => select('yes') });
    await a.prompt(sessionId, script(ask()));
    expect(a.said).toEqual([SELECTED_YES]);
    await a.until(() => a.permissions[0]?.signal.aborted === true);
    expect(b.permissions).toHaveLength(1);
    expect(b.permissions[0]?.signal.aborted).toBe(false);
    const [resolved] = await stage.eventsOf(sessionId, 'permission.resolved');
    expect(resolved?.data.by).toEqual({ kind: 'client', name: 'client (2)' });
  });

  it('is answered once when two clients answer at the same time', async () => {
    const stage = await Stage.open();
    const { a, sessionId } = await open(
      stage,
      { onPermission: () => select('yes') },
      { onPermission: () => select('no') },
    );
    for (let round = 0; round < 50; round++) {
      a.clear();
      await a.prompt(sessionId, script(ask(`call-${round}`)));
      expect([SELECTED_YES, SELECTED_NO]).toContain(a.said[0]);
      expect(a.said).toHaveLength(1);
    }
    expect(await stage.eventsOf(sessionId, 'permission.resolved')).toHaveLength(50);
  });

  it('that a client dismisses is denied', async () => {
    const stage = await Stage.open();
    const { a, sessionId } = await open(stage, {
      onPermission: () => ({ outcome: { outcome: 'cancelled' } }),
    });
    expect(await a.prompt(sessionId, script(ask()))).toEqual({ stopReason: 'end_turn' });
    expect(a.said).toEqual([SELECTED_NO]);
  });

  it('that is answered with an option that was not offered is denied', async () => {
    const stage = await Stage.open();
    const { a, sessionId } = await open(stage, { onPermission: () => select('anything') });
    await a.prompt(sessionId, script(ask()));
    expect(a.said).toEqual([SELECTED_NO]);
    expect(stage.logged.join()).toContain('does not offer this option');
  });

  it('is left to the others by a client that cannot answer, and denied when nobody can', async () => {
    const cannot = {
      onPermission: () => {
        throw new RpcError(-32601, 'Method not found');
      },
    };
    const stage = await Stage.open();
    let answer = (): void => undefined;
    const { a, b, sessionId } = await open(stage, cannot, {
      onPermission: () => new Promise((resolve) => (answer = () => resolve(select('yes')))),
    });
    const running = a.prompt(sessionId, script(ask()));
    await b.untilAsked();
    answer();
    await running;
    expect(a.said).toEqual([SELECTED_YES]);
    await b.connection.close();
    await b.server.closed;
    await a.prompt(sessionId, script(ask('call-2')));
    expect(a.said).toEqual([SELECTED_YES, SELECTED_NO]);
  });

  it('waits until its deadline when the client is gone, and is asked of one that comes', async () => {
    const clock = new SimulatedClock();
    const stage = await Stage.open({ clock });
    const { a, b, sessionId } = await open(stage);
    void a.prompt(sessionId, script(ask(), say('done'))).catch(() => undefined);
    await Promise.all([a.untilAsked(), b.untilAsked()]);
    await Promise.all([a.connection.close(), b.connection.close()]);
    const c = await stage.connect();
    await c.load(sessionId, stage.folder);
    await c.untilAsked();
    expect(c.permissions[0]?.request.toolCall.toolCallId).toBe('call-1');
    expect(c.permissions[0]?.request.sessionId).toBe(sessionId);
    clock.advance(600_000);
    await c.untilSaid('done');
    expect(c.said).toEqual([SELECTED_NO, 'done']);
    expect(c.permissions).toHaveLength(1);
    await c.until(() => c.permissions[0]?.signal.aborted === true);
  });

  it('is not asked again of a client that loads while it waits', async () => {
    const stage = await Stage.open();
    const { a, b, sessionId } = await open(stage);
    const running = a.prompt(sessionId, script(ask()));
    await Promise.all([a.untilAsked(), b.untilAsked()]);
    await b.load(sessionId, stage.folder);
    expect(await b.connection.request('session/list', {})).toMatchObject({ sessions: [{}] });
    expect(b.permissions).toHaveLength(1);
    b.cancel(sessionId);
    await running;
    await b.until(() => b.permissions[0]?.signal.aborted === true);
  });

  it('that the policy decides is asked of nobody', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({ settings: { policyLevel: 'allow' } });
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, script(ask()));
    expect(editor.said).toEqual([SELECTED_YES]);
    expect(editor.permissions).toEqual([]);
  });
});
