import { RpcError, WebSocketError } from '@signalbox/acp';
import type { TurnEnd } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClientKit, type ClientKit } from '../../../../tests/support/client/client-kit.ts';
import { Recorder } from '../../../../tests/support/client/recorder.ts';
import { ScriptedAgent, type TurnScript } from '../../../../tests/support/client/scripted-agent.ts';
import { ScriptedLog } from '../../../../tests/support/client/scripted-log.ts';
import { settled } from '../../../../tests/support/client/settled.ts';
import { ALICE, promptId, raw } from '../../../../tests/support/session/inputs.ts';
import { END_TURN, LogWriter } from '../../../../tests/support/transcript/log.ts';
import type { RemoteSession } from './remote-session.ts';

const PROMPT = 'session/prompt one';
const CANCEL = 'session/cancel one';

let kit: ClientKit;
let heard: Recorder;
let agent: ScriptedAgent;
let session: RemoteSession;
/** Ends the turn that runs. */
let endTurn: (end?: TurnEnd) => void;

beforeEach(async () => {
  kit = createClientKit();
  kit.dontWait();
  heard = new Recorder();
  const script: TurnScript = async (write) => {
    await write((log) => log.say('working'));
    return new Promise((resolve) => (endTurn = (end = END_TURN) => resolve(end)));
  };
  agent = new ScriptedAgent(kit.server, 'one', script);
  session = await kit.client.attach('one', { after: 'start', onEvent: heard.onEvent });
  await heard.when('caught_up');
});

afterEach(async () => {
  await kit.client.close();
  expect(kit.clock.timerCount).toBe(0);
});

/** Resolves when the agent says something, so that its turn can be ended. */
async function whenWorking(): Promise<void> {
  while (session.view.entries.at(-1)?.kind !== 'agent_message') await settled();
}

/** Lets no connection come about until the returned function is called. */
function shutDoor(): () => void {
  let open!: () => void;
  kit.server.gate = new Promise((resolve) => (open = resolve));
  return open;
}

describe('a prompt', () => {
  test('is accepted when the log has it, and done when the log tells its end', async () => {
    const { accepted, done } = session.prompt('go', { promptId: 'P-turn-1' });
    await accepted;
    await whenWorking();
    endTurn();
    expect(await done).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
    // Everything that belongs to the turn is in the view by then (B32).
    expect(session.view.turn.kind).toBe('idle');
    expect(session.view.entries.at(-1)?.kind).toBe('turn_end');
  });

  test('gets a name of its own, and its content goes out as it is', async () => {
    const sent: unknown[] = [];
    kit.server.answers.set('session/prompt', (params) => {
      sent.push(params);
      return new Promise(() => undefined);
    });
    const blocks = [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] as const;
    const one = session.prompt('go');
    const two = session.prompt(blocks, { whenBusy: 'refuse' });
    await kit.server.whenHeard(PROMPT, 2);
    expect(one.promptId).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(two.promptId).not.toBe(one.promptId);
    expect(sent).toEqual([
      {
        sessionId: 'one',
        prompt: [{ type: 'text', text: 'go' }],
        _meta: { 'signalbox/promptId': one.promptId, 'signalbox/whenBusy': 'queue' },
      },
      {
        sessionId: 'one',
        prompt: blocks,
        _meta: { 'signalbox/promptId': two.promptId, 'signalbox/whenBusy': 'refuse' },
      },
    ]);
  });

  test.for(['short', 'has space in it', 'ü'.repeat(10), 'x'.repeat(65)])(
    'with the name "%s" is an error',
    (name) => {
      expect(() => session.prompt('go', { promptId: name })).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    },
  );

  test('with a name that is in use is an error', () => {
    session.prompt('go', { promptId: 'P-turn-1' });
    expect(() => session.prompt('go', { promptId: 'P-turn-1' })).toThrow('under way');
  });

  test('that fails tells how, as a value', async () => {
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    const end = { kind: 'failed', failure: 'agent_exited', message: 'it is gone' } as const;
    endTurn(end);
    expect(await done).toEqual(end);
  });

  test('that is refused rejects with what the server says', async () => {
    const refusal = new RpcError(-32010, 'a turn is running', { failure: 'session_busy' });
    kit.server.answers.set('session/prompt', () => Promise.reject(refusal));
    const { accepted, done } = session.prompt('go', { whenBusy: 'refuse' });
    await expect(done).rejects.toMatchObject({ code: -32010, message: 'a turn is running' });
    await expect(accepted).rejects.toMatchObject({ code: -32010 });
  });

  test('that nobody waits for may be refused without harm', async () => {
    kit.server.answers.set('session/prompt', () => Promise.reject(new RpcError(-32012, 'no')));
    session.prompt('go');
    await kit.server.whenHeard(PROMPT);
    await settled();
    await settled();
  });

  test('that was dropped before its turn says by whom', async () => {
    kit.server.answers.set('session/prompt', () => new Promise(() => undefined));
    const { accepted, done } = session.prompt('go', { promptId: 'P-turn-1' });
    const of = { promptId: promptId('P-turn-1'), by: ALICE };
    agent.log.append({ type: 'prompt.queued', time: 1, data: { ...of, content: raw([]) } });
    await accepted;
    agent.log.append({ type: 'prompt.dropped', time: 2, data: of });
    expect(await done).toEqual({ kind: 'dropped', by: ALICE });
  });

  test('that is handed over while there is no connection is sent when there is one', async () => {
    kit.server.refusals.push(new Error('away'), new Error('away'));
    kit.server.connection.break();
    await heard.when('detached');
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    endTurn();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
    expect(agent.ran).toEqual(['P-turn-1']);
  });

  test('is sent again over a new connection, and joins what runs', async () => {
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    kit.server.connection.break();
    await kit.server.whenHeard(PROMPT, 2);
    endTurn();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
    expect(agent.ran).toEqual(['P-turn-1']);
  });

  test('is not sent again when the log tells its end in the meantime', async () => {
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    const open = shutDoor();
    kit.server.connection.break();
    await heard.when('detached');
    endTurn();
    while (agent.writer.transcript.turn.kind === 'running') await settled();
    open();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
    await heard.when('caught_up', 2);
    expect(kit.server.count(PROMPT)).toBe(1);
  });

  test('goes on when the server answers that it ends, as before a restart', async () => {
    const ending = Promise.reject(new RpcError(-32800, 'Request cancelled'));
    ending.catch(() => undefined);
    const answer = kit.server.answers.get('session/prompt');
    kit.server.answers.set('session/prompt', () => ending);
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await kit.server.whenHeard(PROMPT);
    await settled();
    if (answer !== undefined) kit.server.answers.set('session/prompt', answer);
    kit.server.connection.break();
    await whenWorking();
    endTurn();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
  });

  test('never takes the end of a connection for its own (B151)', async () => {
    let isOver = false;
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    void done.finally(() => (isOver = true));
    await whenWorking();
    for (let n = 1; n <= 3; n++) {
      await kit.server.connection.peer.close();
      await heard.when('caught_up', n + 1);
      expect(isOver).toBe(false);
    }
    endTurn();
    await done;
  });

  test('keeps to the log when the server answers a prompt with an error that is none of it', async () => {
    const answer = kit.server.answers.get('session/prompt');
    kit.server.answers.set('session/prompt', async (params, connection) => {
      void answer?.(params, connection);
      await settled();
      await settled();
      throw new RpcError(-32603, 'Internal error');
    });
    const { accepted, done } = session.prompt('go', { promptId: 'P-turn-1' });
    await accepted;
    await whenWorking();
    await settled();
    endTurn();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
  });

  test('without a stop reason in the answer is an error where the log says nothing', async () => {
    kit.server.answers.set('session/prompt', () => ({}));
    const { done } = session.prompt('go');
    await expect(done).rejects.toMatchObject({ code: 'invalid_response' });
  });

  test('whose end the log has skipped is told by the server', async () => {
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    const open = shutDoor();
    kit.server.connection.break();
    await heard.when('detached');
    endTurn({ kind: 'failed', failure: 'turn_idle', message: 'asleep' });
    while (agent.writer.transcript.turn.kind === 'running') await settled();
    // What comes next is a log without any trace of the turn.
    agent.log.renew(new LogWriter().agentStarted().events);
    open();
    expect(await done).toMatchObject({ kind: 'failed', failure: 'turn_idle', message: 'asleep' });
    expect(kit.server.count(PROMPT)).toBe(2);
  });

  test('whose end the snapshot shows is not sent again', async () => {
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    const open = shutDoor();
    kit.server.connection.break();
    await heard.when('detached');
    endTurn();
    while (agent.writer.transcript.turn.kind === 'running') await settled();
    agent.log.renew([...agent.log.events]);
    open();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
    await heard.when('caught_up', 2);
    expect(kit.server.count(PROMPT)).toBe(1);
  });

  test('rejects when the session ends', async () => {
    const { accepted, done } = session.prompt('go', { promptId: 'P-turn-1' });
    await accepted;
    kit.server.logs.delete('one');
    kit.server.connection.break();
    await expect(done).rejects.toMatchObject({ code: -32002 });
    await expect(session.prompt('more').done).rejects.toMatchObject({ code: 'session_ended' });
  });

  test('rejects when the session is closed here, and goes on there', async () => {
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    await session.close();
    await expect(done).rejects.toMatchObject({ code: 'closed' });
    expect(kit.server.count(CANCEL)).toBe(0);
    await expect(session.prompt('more').done).rejects.toMatchObject({ code: 'session_ended' });
  });
});

describe('a prompt that the server does not take', () => {
  test('for its size is refused, and those beside it go on (B145)', async () => {
    kit.server.answers.set('session/prompt', () => new Promise(() => undefined));
    const small = session.prompt('small', { promptId: 'P-small-one' });
    const large = session.prompt('large '.repeat(100), { promptId: 'P-large-one' });
    await kit.server.whenHeard(PROMPT, 2);
    const tooLarge = new WebSocketError('closed', 'closed', {
      closeCode: 1009,
      reason: 'too large',
    });
    kit.server.connection.fail(tooLarge);
    await expect(large.done).rejects.toMatchObject({ code: 'too_large' });
    await kit.server.whenHeard(PROMPT, 3);
    agent.write((log) => log.start('small-one').end());
    expect(await small.done).toMatchObject({ stopReason: 'end_turn' });
  });

  test('for want of room is sent again over a new connection', async () => {
    const answer = kit.server.answers.get('session/prompt');
    kit.server.answers.set('session/prompt', () => {
      if (answer !== undefined) kit.server.answers.set('session/prompt', answer);
      throw new RpcError(-32603, 'refused', { status: 503 });
    });
    const { done } = session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    endTurn();
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
    expect(kit.server.connections).toHaveLength(2);
  });
});

describe('aborting a prompt', () => {
  test('before it could be sent takes it back', async () => {
    const open = shutDoor();
    kit.server.connection.break();
    await heard.when('detached');
    const abort = new AbortController();
    const { done } = session.prompt('go', { promptId: 'P-turn-1', signal: abort.signal });
    abort.abort();
    open();
    await expect(done).rejects.toMatchObject({ code: 'aborted' });
    await heard.when('caught_up', 2);
    expect(kit.server.count(PROMPT)).toBe(0);
  });

  test('beforehand sends nothing', async () => {
    const { done } = session.prompt('go', { signal: AbortSignal.abort() });
    await expect(done).rejects.toMatchObject({ code: 'aborted' });
    expect(kit.server.count(PROMPT)).toBe(0);
  });

  test('while it runs cancels the turn, and the log tells the end', async () => {
    const cancelled = { kind: 'stopped', stopReason: 'cancelled' } as const;
    kit.server.answers.set('session/cancel', () => {
      agent.write((log) => log.cancel());
      endTurn(cancelled);
    });
    const abort = new AbortController();
    const { done } = session.prompt('go', { promptId: 'P-turn-1', signal: abort.signal });
    await whenWorking();
    abort.abort();
    expect(await done).toEqual(cancelled);
  });

  test('that was lost on its way takes it back when the log does not have it', async () => {
    const abort = new AbortController();
    kit.server.answers.set('session/prompt', () => new Promise(() => undefined));
    const { done } = session.prompt('go', { promptId: 'P-turn-1', signal: abort.signal });
    await kit.server.whenHeard(PROMPT);
    const open = shutDoor();
    kit.server.connection.break();
    await heard.when('detached');
    abort.abort();
    open();
    await expect(done).rejects.toMatchObject({ code: 'aborted' });
    expect(kit.server.count(PROMPT)).toBe(1);
  });
});

describe('cancelling', () => {
  test('resolves when the server has the request', async () => {
    session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    await session.cancel();
    expect(kit.server.heard.slice(-2)).toEqual([CANCEL, '_signalbox/ping']);
    endTurn();
  });

  test('is sent again when it was lost, to the same turn', async () => {
    session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    kit.server.answers.set('_signalbox/ping', () => new Promise(() => undefined));
    const cancelling = session.cancel();
    await kit.server.whenHeard(CANCEL);
    kit.server.answers.set('_signalbox/ping', () => ({}));
    kit.server.connection.break();
    await cancelling;
    expect(kit.server.count(CANCEL)).toBe(2);
    endTurn();
  });

  test('is not sent again to another turn', async () => {
    session.prompt('go', { promptId: 'P-turn-1' });
    await whenWorking();
    kit.server.answers.set('_signalbox/ping', () => new Promise(() => undefined));
    const cancelling = session.cancel();
    await kit.server.whenHeard(CANCEL);
    const open = shutDoor();
    kit.server.connection.break();
    await heard.when('detached');
    endTurn();
    while (agent.writer.transcript.turn.kind === 'running') await settled();
    agent.log.append(...new LogWriter().start('of somebody else').events);
    open();
    await cancelling;
    expect(session.view.turn).toMatchObject({ kind: 'running', turnId: 'of somebody else' });
    expect(kit.server.count(CANCEL)).toBe(1);
  });

  test('can be given up while there is no connection', async () => {
    kit.server.refusals.push(...Array<Error>(50).fill(new Error('away')));
    kit.server.connection.break();
    await heard.when('detached');
    const abort = new AbortController();
    const cancelling = session.cancel({ signal: abort.signal });
    abort.abort();
    await expect(cancelling).rejects.toMatchObject({ code: 'aborted' });
  });
});

test('two prompts keep their order over a new connection', async () => {
  kit.server.answers.set('session/prompt', () => new Promise(() => undefined));
  const ids: unknown[] = [];
  kit.server.answers.set('session/prompt', ({ _meta }) => {
    ids.push((_meta as Record<string, unknown>)['signalbox/promptId']);
    return new Promise(() => undefined);
  });
  session.prompt('one', { promptId: 'prompt-1' });
  session.prompt('two', { promptId: 'prompt-2' });
  await kit.server.whenHeard(PROMPT, 2);
  kit.server.connection.break();
  await kit.server.whenHeard(PROMPT, 4);
  expect(ids).toEqual(['prompt-1', 'prompt-2', 'prompt-1', 'prompt-2']);
});

test('a prompt of one session does not delay another session', async () => {
  kit.server.add(new ScriptedLog('two', agent.log.events));
  session.prompt('go', { promptId: 'P-turn-1' });
  const other = await kit.client.attach('two');
  expect(other.isAttached).toBe(true);
});
