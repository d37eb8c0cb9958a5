import {
  createMemoryTransports,
  memberText,
  type Frame,
  type RequestContext,
} from '@signalbox/acp';
import { SimulatedClock } from '@signalbox/host';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { turn } from '../support/scripted-transport.ts';
import { errorOf, type Editor } from './editor.ts';
import { Stage, type StageOptions } from './stage.ts';

const FORM = {
  mode: 'form',
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const URL_MODE = { mode: 'url', message: 'Sign in', elicitationId: 'one', url: 'https://x.test/' };
const ACCEPTED = { action: 'accept', content: { name: 'x' } };
const BOTH = { elicitation: { form: {}, url: {} } };

interface Asked {
  readonly params: string;
  readonly context: RequestContext;
  readonly answer: (result: object) => void;
}

afterEach(() => {
  vi.useRealTimers();
});

function open(ask: object, more: StageOptions = {}): Promise<Stage> {
  const env = { ASK: JSON.stringify(ask), ...more.env };
  return Stage.open({ agent: 'asks-people', ...more, env });
}

/** An editor in which a person is asked, and answers when the test does. */
async function connect(stage: Stage, capabilities: object = BOTH) {
  const asked: Asked[] = [];
  let onAsked: () => void = () => undefined;
  const editor = await stage.connect({
    capabilities,
    requests: {
      'elicitation/create': (_params, context, { text }) =>
        new Promise((resolve) => {
          const params = memberText(text, 'params') ?? '';
          asked.push({ params, context, answer: (result) => resolve(result as never) });
          onAsked();
        }),
    },
  });
  const untilAsked = async (count = 1): Promise<Asked> => {
    while (asked.length < count) await new Promise<void>((resolve) => (onAsked = resolve));
    return asked[count - 1] as Asked;
  };
  return { editor, asked, untilAsked };
}

/** Makes the next request of this editor have an id that no request of ours has. */
async function useIds(editor: Editor): Promise<void> {
  for (let n = 0; n < 9; n += 1) await editor.connection.request('session/list', {});
}

/** What the agent has been answered so far. */
async function answersOf(editor: Editor, sessionId: string): Promise<unknown> {
  await editor.prompt(sessionId, 'what');
  return JSON.parse(editor.said.at(-1) ?? '');
}

describe('what an agent asks for a request that makes a session', () => {
  it("is asked for the client's own request", async () => {
    const stage = await open({ ...FORM, _meta: { n: 1 } });
    const { editor, untilAsked } = await connect(stage);
    await useIds(editor);
    const made = editor.newSession(stage.folder);
    const { params, answer } = await untilAsked();
    expect(JSON.parse(params)).toEqual({ requestId: 10, ...FORM, _meta: { n: 1 } });
    answer(ACCEPTED);
    expect(await answersOf(editor, await made)).toEqual([ACCEPTED]);
  });

  it('names that request by its exact id', async () => {
    const stage = await open(FORM);
    const [ours, theirs] = createMemoryTransports();
    const server = stage.serve(ours);
    const frames = theirs.receive()[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      const { value } = (await frames.next()) as IteratorResult<readonly Frame[], undefined>;
      return value?.[0] as string;
    };
    const capabilities = JSON.stringify({ elicitation: { form: {} } });
    void theirs.send(
      `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":${capabilities}}}`,
    );
    await next();
    const params = JSON.stringify({ cwd: stage.folder, mcpServers: [] });
    void theirs.send(
      `{"jsonrpc":"2.0","id":"n\\u00e9w/1","method":"session/new","params":${params}}`,
    );
    const asked = await next();
    expect(memberText(memberText(asked, 'params') ?? '', 'requestId')).toBe('"n\\u00e9w/1"');
    await theirs.close();
    await server.closed;
  });

  it('is taken back with that request, and nothing of the session is left', async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    const abort = new AbortController();
    const params = { cwd: stage.folder, mcpServers: [] };
    const made = editor.connection.request('session/new', params, { signal: abort.signal });
    const { context } = await untilAsked();
    abort.abort();
    expect(await errorOf(made)).toMatchObject({ code: -32800 });
    expect(context.signal.aborted).toBe(true);
    expect(await stage.sessionIds()).toEqual([]);
  });

  it('ends with the client', async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    const made = errorOf(editor.newSession(stage.folder));
    await untilAsked();
    await editor.connection.close();
    await made;
    await stage.untilSessions(0);
  });

  it('is taken back when the agent takes it back', async () => {
    const stage = await open(FORM, { env: { WITHDRAW: '1' } });
    const { editor, untilAsked } = await connect(stage);
    const sessionId = await editor.newSession(stage.folder);
    const { context } = await untilAsked();
    expect(context.signal.aborted).toBe(true);
    expect(await answersOf(editor, sessionId)).toEqual([{ code: -32800 }]);
  });

  it('is taken back when that request is answered', async () => {
    const stage = await open(FORM, { env: { HASTY: '1' } });
    const { editor, asked } = await connect(stage);
    await editor.newSession(stage.folder);
    expect(asked.map(({ context }) => context.signal.aborted)).toEqual([true]);
  });

  it('is cancelled when nobody answers in time', async () => {
    const clock = new SimulatedClock();
    const stage = await open(FORM, { clock, settings: { elicitationTimeoutMs: 5000 } });
    const { editor, untilAsked } = await connect(stage);
    const made = editor.newSession(stage.folder);
    const { context } = await untilAsked();
    clock.advance(4999);
    await turn();
    expect(context.signal.aborted).toBe(false);
    clock.advance(1);
    expect(await answersOf(editor, await made)).toEqual([{ action: 'cancel' }]);
    expect(context.signal.aborted).toBe(true);
  });

  it('may take a person longer than the agent may take to start', async () => {
    const stage = await open(FORM, { entry: { startTimeoutMs: 60_000 } });
    const { editor, untilAsked } = await connect(stage);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const made = editor.newSession(stage.folder);
    const { answer } = await untilAsked();
    vi.advanceTimersByTime(5 * 60_000);
    answer(ACCEPTED);
    expect(await made).toEqual(expect.any(String));
  });

  it('is refused by a client that offers nothing of the kind, or not this mode', async () => {
    for (const [ask, capabilities, code] of [
      [FORM, {}, -32601],
      [URL_MODE, { elicitation: { form: {} } }, -32602],
      [FORM, { elicitation: { url: {}, form: null } }, -32602],
      [{ ...FORM, mode: '_other' }, BOTH, -32602],
    ] as const) {
      const stage = await open(ask);
      const { editor, asked } = await connect(stage, capabilities);
      const sessionId = await editor.newSession(stage.folder);
      expect(await answersOf(editor, sessionId)).toEqual([{ code }]);
      expect(asked).toEqual([]);
    }
  });
});

describe('what an agent asks for a request that no client has made', () => {
  it('belongs to the session: of a prompt, and of a start that a prompt has caused', async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    const made = editor.newSession(stage.folder);
    (await untilAsked()).answer(ACCEPTED);
    const sessionId = await made;
    const prompted = editor.prompt(sessionId, 'ask');
    const second = await untilAsked(2);
    expect(JSON.parse(second.params)).toEqual({ sessionId, ...FORM });
    second.answer({ action: 'decline' });
    await prompted;
    expect(JSON.parse(editor.said.at(-1) ?? '')).toEqual([ACCEPTED, { action: 'decline' }]);
    await (await stage.host.openSession(sessionId as never)).endAgent();
    const restarted = editor.prompt(sessionId, 'what');
    const third = await untilAsked(3);
    expect(JSON.parse(third.params)).toEqual({ sessionId, ...FORM });
    third.answer(ACCEPTED);
    expect(await restarted).toEqual({ stopReason: 'end_turn' });
  });

  it('is cancelled when the client that could ask is gone', async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    const other = await stage.connect();
    const made = editor.newSession(stage.folder);
    (await untilAsked()).answer(ACCEPTED);
    const sessionId = await made;
    await other.load(sessionId, stage.folder);
    await editor.connection.close();
    await editor.server.closed;
    await other.prompt(sessionId, 'ask');
    expect(JSON.parse(other.said.at(-1) ?? '')).toEqual([ACCEPTED, { action: 'cancel' }]);
  });

  it('is cancelled when the client goes while it is asked', async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    const other = await stage.connect();
    const made = editor.newSession(stage.folder);
    (await untilAsked()).answer(ACCEPTED);
    const sessionId = await made;
    await other.load(sessionId, stage.folder);
    const prompted = other.prompt(sessionId, 'ask');
    await untilAsked(2);
    await editor.connection.close();
    await prompted;
    expect(JSON.parse(other.said.at(-1) ?? '')).toEqual([ACCEPTED, { action: 'cancel' }]);
  });
});

describe('what an agent asks for a sign-in', () => {
  it("is asked for the client's own request", async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    await useIds(editor);
    const signedIn = editor.connection.request('authenticate', { methodId: 'login' });
    const { params, answer } = await untilAsked();
    expect(JSON.parse(params)).toEqual({ requestId: 10, ...FORM });
    answer(ACCEPTED);
    expect(await signedIn).toMatchObject({ _meta: { answers: [ACCEPTED] } });
  });

  it('is taken back with that request', async () => {
    const stage = await open(FORM);
    const { editor, untilAsked } = await connect(stage);
    const abort = new AbortController();
    const params = { methodId: 'login' };
    const signedIn = editor.connection.request('authenticate', params, { signal: abort.signal });
    const { context } = await untilAsked();
    abort.abort();
    // What the agent makes of that is its own answer.
    await signedIn.catch(() => undefined);
    expect(context.signal.aborted).toBe(true);
  });

  it('is refused by a client that cannot ask', async () => {
    const stage = await open(URL_MODE);
    const { editor } = await connect(stage, { elicitation: { form: {} } });
    const answer = await editor.connection.request('authenticate', { methodId: 'login' });
    expect(answer).toMatchObject({ _meta: { answers: [{ code: -32602 }] } });
    const { editor: other } = await connect(stage, {});
    const refused = await other.connection.request('authenticate', { methodId: 'login' });
    expect(refused).toMatchObject({ _meta: { answers: [{ code: -32601 }] } });
  });
});

describe('that something is complete', () => {
  const isComplete = (frame: string): boolean => frame.includes('"elicitation/complete"');

  it('is told to the client that was asked, and to no other', async () => {
    const stage = await open(URL_MODE, { env: { COMPLETE: '1' } });
    const { editor, untilAsked } = await connect(stage);
    const other = await connect(stage);
    const made = editor.newSession(stage.folder);
    (await untilAsked()).answer({ action: 'accept' });
    const sessionId = await made;
    await other.editor.load(sessionId, stage.folder);
    const prompted = other.editor.prompt(sessionId, 'ask');
    (await untilAsked(2)).answer({ action: 'accept' });
    await prompted;
    const params = { elicitationId: 'one' };
    expect(editor.frames.filter(isComplete).map((frame): unknown => JSON.parse(frame))).toEqual([
      { jsonrpc: '2.0', method: 'elicitation/complete', params },
      { jsonrpc: '2.0', method: 'elicitation/complete', params },
    ]);
    expect(other.editor.frames.filter(isComplete)).toEqual([]);
  });

  it('is told during a sign-in, and not when the person has declined', async () => {
    const stage = await open(URL_MODE, { env: { COMPLETE: '1' } });
    const { editor, untilAsked } = await connect(stage);
    const first = editor.connection.request('authenticate', { methodId: 'login' });
    (await untilAsked()).answer({ action: 'accept' });
    await first;
    expect(editor.frames.filter(isComplete)).toHaveLength(1);
    editor.clear();
    const second = editor.connection.request('authenticate', { methodId: 'login' });
    (await untilAsked(2)).answer({ action: 'decline' });
    await second;
    expect(editor.frames.filter(isComplete)).toEqual([]);
  });
});
