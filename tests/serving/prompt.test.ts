import type { ContentBlock } from '@signalbox/acp';
import { describe, expect, it } from 'vitest';
import { errorOf } from './editor.ts';
import { Follower } from './follower.ts';
import { say, script, Stage, update } from './stage.ts';

const IMAGE = JSON.stringify({ agentCapabilities: { promptCapabilities: { image: true } } });
const AUDIO: ContentBlock = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' };
const PICTURE: ContentBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

/** A session of which no agent has run so far. */
async function untouched({ host, folder }: Stage, agent = 'scripted'): Promise<string> {
  return (await host.createSession({ agent, cwd: folder })).id;
}

describe('a prompt', () => {
  it('is answered when its turn has ended', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const answer = await editor.prompt(sessionId, script(say('one'), say('two')));
    expect(answer).toEqual({ stopReason: 'end_turn' });
    expect(editor.said).toEqual(['one', 'two']);
  });

  it('is answered behind every update of its turn, also to a client that reads slowly', async () => {
    const stage = await Stage.open({ agent: 'floods' });
    const [fast, slow] = [await stage.connect(), await stage.connect()];
    const sessionId = await slow.newSession(stage.folder);
    await fast.load(sessionId, stage.folder);
    const letGo = slow.stall();
    const answer = slow.prompt(sessionId, '5000');
    // The other client has everything while this one reads nothing.
    await fast.untilSaid('5000');
    letGo();
    await answer;
    expect(slow.said).toEqual(Array.from({ length: 5000 }, (_, index) => `${index + 1}`));
    const last = slow.frames.findIndex((frame) => frame.includes('"5000"'));
    const end = slow.frames.findIndex((frame) => frame.includes('"stopReason"'));
    expect(end).toBeGreaterThan(last);
  });

  it('reaches the agent unchanged', async () => {
    const stage = await Stage.open({ env: { INITIALIZE: IMAGE } });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const content: ContentBlock[] = [
      { type: 'text', text: 'look', annotations: { priority: 0.5 } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png', _meta: { x: [1] } },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ];
    await editor.prompt(sessionId, content);
    const [started] = await stage.eventsOf(sessionId, 'turn.started');
    expect(started?.data.content.text).toBe(JSON.stringify(content));
  });

  it('with a block that the agent does not take is refused, and no turn begins', async () => {
    const stage = await Stage.open({ env: { INITIALIZE: IMAGE } });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    expect(await errorOf(editor.prompt(sessionId, [AUDIO]))).toMatchObject({
      code: -32602,
      data: { missing: 'promptCapabilities.audio' },
    });
    expect(await errorOf(editor.prompt(sessionId, []))).toMatchObject({ code: -32602 });
    expect(await stage.eventsOf(sessionId, 'turn.started')).toEqual([]);
  });

  it('of a client that follows the log is refused likewise, with an agent that was started for it', async () => {
    const stage = await Stage.open({ env: { INITIALIZE: IMAGE } });
    const sessionId = await untouched(stage);
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId);
    const send = (...prompt: ContentBlock[]): Promise<unknown> =>
      follower.call('session/prompt', { sessionId, prompt });
    const refused = { code: -32602, data: { missing: 'promptCapabilities.audio' } };
    expect(await errorOf(send(AUDIO))).toMatchObject(refused);
    // Now it is known, and nothing has to be started.
    expect(await errorOf(send(AUDIO))).toMatchObject(refused);
    expect(await stage.eventsOf(sessionId, 'agent.started')).toHaveLength(1);
    expect(await stage.eventsOf(sessionId, 'turn.started')).toEqual([]);
    expect(await send(PICTURE)).toEqual({ stopReason: 'end_turn' });
  });

  it('whose agent has to be asked first keeps its place before the next one', async () => {
    const stage = await Stage.open({ env: { INITIALIZE: IMAGE } });
    const sessionId = await untouched(stage);
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId);
    const prompts: ContentBlock[][] = [[PICTURE], [{ type: 'text', text: 'next' }]];
    await Promise.all(
      prompts.map((prompt) => follower.call('session/prompt', { sessionId, prompt })),
    );
    const started = await stage.eventsOf(sessionId, 'turn.started');
    expect(started.map(({ data }) => data.content.value)).toEqual(prompts);
  });

  it('can be cancelled while its agent is asked, and no turn begins', async () => {
    const stage = await Stage.open();
    const sessionId = await untouched(stage, 'never-initializes');
    const follower = await Follower.connect(stage);
    await follower.attach(sessionId);
    const answer = follower.call('session/prompt', { sessionId, prompt: [PICTURE] });
    void follower.connection.notify('session/cancel', { sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect(await stage.eventsOf(sessionId, 'turn.started')).toEqual([]);
  });

  it('that waits for another runs behind it, in order', async () => {
    const stage = await Stage.open({ agent: 'one-turn-at-a-time' });
    const [a, b] = [await stage.connect(), await stage.connect()];
    const sessionId = await a.newSession(stage.folder);
    await b.load(sessionId, stage.folder);
    const answers = ['1', '2', '3', '4'].map((text, index) =>
      (index % 2 === 0 ? a : b).prompt(sessionId, text),
    );
    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ stopReason: 'end_turn' })));
    expect(a.said).not.toContain('overlap');
    expect(a.said.filter((text) => text.startsWith('begin'))).toHaveLength(4);
  });

  it('that does not want to wait is refused with a code of its own', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const running = editor.prompt(sessionId, script(say('on it'), { cancel: true }));
    await editor.untilSaid('on it');
    const refused = editor.prompt(sessionId, 'me too', { 'signalbox/whenBusy': 'refuse' });
    expect(await errorOf(refused)).toMatchObject({
      code: -32010,
      data: { failure: 'session_busy', sessionId },
    });
    const odd = editor.prompt(sessionId, 'me too', { 'signalbox/whenBusy': 'maybe' });
    expect(await errorOf(odd)).toMatchObject({ code: -32602 });
    editor.cancel(sessionId);
    expect(await running).toEqual({ stopReason: 'cancelled' });
  });

  it('is accepted as soon as the one before it is answered', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    for (let round = 0; round < 200; round++) {
      await editor.prompt(sessionId, 'again', { 'signalbox/whenBusy': 'refuse' });
    }
  });

  it('keeps two sessions of one client apart', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const a = await editor.newSession(stage.folder);
    const b = await editor.newSession(stage.folder);
    const running = editor.prompt(a, script(say('in a'), { cancel: true }));
    await editor.untilSaid('in a');
    expect(await editor.prompt(b, 'in b')).toEqual({ stopReason: 'end_turn' });
    expect(editor.updates(b)).toHaveLength(1);
    editor.cancel(b);
    editor.cancel(a);
    expect(await running).toEqual({ stopReason: 'cancelled' });
  });

  it('for a session that is not open here is refused', async () => {
    const stage = await Stage.open();
    const [a, b] = [await stage.connect(), await stage.connect()];
    const sessionId = await a.newSession(stage.folder);
    for (const id of ['nonsense', sessionId]) {
      expect(await errorOf(b.prompt(id, 'hello'))).toMatchObject({
        code: -32002,
        data: { sessionId: id },
      });
    }
  });
});

describe('a turn that ends in another way', () => {
  const REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal'] as const;
  it.each(REASONS)('is answered with %s', async (stopReason) => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const answer = await editor.prompt(sessionId, script({ answer: { stopReason } }));
    expect(answer).toEqual({ stopReason });
  });

  const FAILURES: [name: string, step: object, error: object][] = [
    ['the agent dies', { exit: 3 }, { code: -32603, data: { failure: 'agent_exited' } }],
    [
      'the agent answers with an error',
      { answer: { error: { code: -31999, message: 'the model is down' } } },
      { code: -31999, message: 'the model is down', data: { failure: 'agent_error' } },
    ],
    [
      'the agent wants a sign-in',
      { answer: { error: { code: -32000, message: 'Sign in again' } } },
      { code: -32000, message: 'Sign in again', data: { failure: 'auth_required' } },
    ],
    [
      'the agent makes up a stop reason',
      { answer: { stopReason: 'tired' } },
      { code: -32603, data: { failure: 'invalid_response' } },
    ],
  ];
  it.each(FAILURES)(
    'is an error when %s, and the next prompt works',
    async (_name, step, error) => {
      const stage = await Stage.open();
      const editor = await stage.connect();
      const sessionId = await editor.newSession(stage.folder);
      const failed = await errorOf(editor.prompt(sessionId, script(say('before'), step)));
      expect(failed).toMatchObject(error);
      expect(editor.said).toEqual(['before']);
      expect(await editor.prompt(sessionId, 'next')).toEqual({ stopReason: 'end_turn' });
    },
  );

  it('tells updates that come behind the end, and goes on', async () => {
    const stage = await Stage.open({ agent: 'late-updates' });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.prompt(sessionId, 'go');
    await editor.untilSaid('later');
    expect(editor.said).toEqual(['inside', 'same write', 'later']);
  });

  it('tells an update of a kind that nobody knows', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const text = '{"sessionUpdate":"quantum_update","deep":{"n":[12345678901234567890,1.0]}}';
    await editor.prompt(sessionId, script(update(text)));
    expect(editor.arrived.map((item) => item.text)).toEqual([text]);
  });
});
