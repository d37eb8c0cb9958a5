import { createMemoryTransports, type Frame, type Transport, WebSocketError } from '@signalbox/acp';
import { toTranscript } from '@signalbox/core';
import { afterEach, describe, expect, it } from 'vitest';
import { bridgeAcp, type AcpBridge } from '../../packages/client/src/bridge/acp-bridge.ts';
import { ClientError } from '../../packages/client/src/client-error.ts';
import type { AcpServer } from '../../packages/host/src/index.ts';
import { Editor, errorOf, select } from './editor.ts';
import { ask, say, script, Stage, update } from './stage.ts';

const NO_WAIT = { firstMs: 0, maxMs: 0 };
const STORY = script(
  say('one '),
  update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Look' }),
  say('two '),
  ask('c2'),
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' }),
  say('three'),
);

const bridges: AcpBridge[] = [];
afterEach(async () => {
  await Promise.all(bridges.splice(0).map((bridge) => bridge.close()));
});

/** An editor behind a bridge whose connections end when `cutsAfter` says so. */
class Bridged {
  readonly editor: Editor;
  readonly bridge: AcpBridge;
  readonly #stage: Stage;
  readonly #cutsAfter: (connection: number) => number;
  readonly #lengthMax: number;
  readonly servers: AcpServer[] = [];
  #link: Transport | undefined;

  constructor(
    stage: Stage,
    cutsAfter: (connection: number) => number = () => Infinity,
    lengthMax = Infinity,
  ) {
    this.#stage = stage;
    this.#cutsAfter = cutsAfter;
    this.#lengthMax = lengthMax;
    const [near, far] = createMemoryTransports();
    this.bridge = bridgeAcp({
      editor: far,
      connect: () => Promise.resolve(this.#connect()),
      backoff: NO_WAIT,
    });
    bridges.push(this.bridge);
    this.editor = new Editor(near, undefined as unknown as AcpServer, {
      onPermission: () => select('yes'),
    });
  }

  cut(): Promise<void> {
    return this.#link?.close() ?? Promise.resolve();
  }

  #connect(): Transport {
    const [ours, theirs] = createMemoryTransports();
    const after = this.#cutsAfter(this.servers.length);
    this.servers.push(this.#stage.serve(ours, { isRemote: true, clientName: 'editor' }));
    this.#link = refuseLong(cutAfter(theirs, after), this.#lengthMax);
    return this.#link;
  }
}

/** A transport that is lost after so many received frames, and loses what came with the last of them. */
function cutAfter(transport: Transport, count: number): Transport {
  return {
    send: (frame, place) => transport.send(frame, place),
    close: () => transport.close(),
    receive: () => cut(transport, count),
  };
}

/** A transport that fails as a WebSocket does whose server was sent a frame of more characters. */
function refuseLong(transport: Transport, lengthMax: number): Transport {
  let failure: Error | undefined;
  return {
    send: (frame, place) => {
      if (frame.length <= lengthMax) return transport.send(frame, place);
      failure = new WebSocketError('closed', 'the message is too large', { closeCode: 1009 });
      return transport.close();
    },
    close: () => transport.close(),
    receive: async function* () {
      yield* transport.receive();
      if (failure !== undefined) throw failure;
    },
  };
}

async function* cut(transport: Transport, count: number): AsyncIterable<readonly Frame[]> {
  let left = count;
  for await (const frames of transport.receive()) {
    const taken = frames.slice(0, left);
    left -= frames.length;
    yield taken;
    if (left > 0) continue;
    await transport.close();
    throw new Error('the line was cut');
  }
}

describe('an editor behind a bridge', () => {
  it('is told the same whatever is cut, once and in order, and its prompt runs once', async () => {
    const stage = await Stage.open();
    const whole = new Bridged(stage);
    await whole.editor.initialize();
    const first = await whole.editor.newSession(stage.folder);
    await whole.editor.prompt(first, STORY);
    const expected = whole.editor.arrived.map(({ text }) => text);
    for (let after = 3; after < 14; after++) {
      const { editor, servers } = new Bridged(stage, (n) => (n < 3 ? after : Infinity));
      await editor.initialize();
      const sessionId = await editor.newSession(stage.folder);
      const answer = await editor.prompt(sessionId, STORY);
      expect(answer.stopReason).toBe('end_turn');
      expect(editor.arrived.map(({ text }) => text)).toEqual(expected);
      expect(await stage.eventsOf(sessionId, 'turn.started')).toHaveLength(1);
      if (after < 9) expect(servers.length).toBeGreaterThan(1);
    }
  });

  it("is not told its own prompt as somebody else's, wherever the line was cut", async () => {
    const stage = await Stage.open();
    const bridged = new Bridged(stage);
    const { editor } = bridged;
    await editor.initialize();
    const sessionId = await editor.newSession(stage.folder);
    // Nothing of the turn has been told when the line is cut.
    const prompted = editor.prompt(sessionId, script(ask(), say('done')));
    await stage.untilEvent(sessionId, 'turn.started');
    await bridged.cut();
    await prompted;
    expect(editor.story.filter((word) => word.startsWith('user'))).toEqual([]);
    expect(editor.said.at(-1)).toBe('done');
  });

  it('is asked again for leave, and what it had been asked before is withdrawn', async () => {
    const stage = await Stage.open();
    const bridged = new Bridged(stage);
    const { editor } = bridged;
    await editor.initialize();
    const sessionId = await editor.newSession(stage.folder);
    const prompted = editor.prompt(sessionId, script(ask()));
    await editor.untilAsked();
    // The answer is lost with the connection, or answers what is withdrawn: either way it counts once.
    await bridged.cut();
    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    expect(await stage.eventsOf(sessionId, 'permission.resolved')).toHaveLength(1);
  });

  it('is told when nobody knows what became of a request that must not be sent twice', async () => {
    const stage = await Stage.open();
    const bridged = new Bridged(stage);
    const { editor } = bridged;
    await editor.initialize();
    const answer = errorOf(editor.open(stage.folder));
    await stage.untilSessions(1);
    await bridged.cut();
    const error = await answer;
    expect(error).toMatchObject({ code: -32603 });
    expect(error.message).toContain('session/new');
    expect(typeof (await editor.newSession(stage.folder))).toBe('string');
  });

  it('is told of a request that is too large for the server, which is not sent again (B145)', async () => {
    const stage = await Stage.open();
    const bridged = new Bridged(stage, undefined, 10_000);
    const { editor } = bridged;
    await editor.initialize();
    const sessionId = await editor.newSession(stage.folder);
    const asked = editor.prompt(sessionId, script(ask()));
    const error = await errorOf(editor.prompt(sessionId, 'x'.repeat(10_000)));
    expect(error.message).toContain('session/prompt is too large');
    // What else waits goes on over the next connection.
    expect((await asked).stopReason).toBe('end_turn');
    expect(bridged.servers).toHaveLength(2);
  });

  it('is told why when the server does not let it in', async () => {
    const [near, far] = createMemoryTransports();
    const refused = new ClientError('unauthorized', 'sign in');
    const bridge = bridgeAcp({
      editor: far,
      connect: () => Promise.reject(Object.assign(refused, { status: 401 })),
      backoff: NO_WAIT,
    });
    const editor = new Editor(near, undefined as unknown as AcpServer, {});
    const answer = errorOf(editor.initialize());
    await expect(bridge.ended).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await answer).message).toMatch(/sign|ended/);
  });

  it('leaves what runs alone when it goes', async () => {
    const stage = await Stage.open();
    const { editor, bridge } = new Bridged(stage);
    await editor.initialize();
    const sessionId = await editor.newSession(stage.folder);
    const prompted = editor.prompt(sessionId, script(say('x'), { cancel: true }));
    prompted.catch(() => undefined);
    await editor.untilSaid('x');
    await editor.connection.close();
    await bridge.ended;
    const events = await stage.events(sessionId);
    expect(toTranscript(events.map((event, i) => ({ seq: i + 1, event }))).turn.kind).toBe(
      'running',
    );
  });
});
