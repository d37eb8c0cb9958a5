import { encodeTranscript, referenceBlockOf, refOf, toTranscript } from '@signalbox/core';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type {
  ClientOptions,
  ConnectionState,
  RemoteSession,
  SignalboxClient,
} from '../../packages/client/src/index.ts';
import { createNodeClient } from '../../packages/client/src/node.ts';
import { createServer } from '../../packages/server/src/index.ts';
import { Box } from '../server/box.ts';
import { ask, say, script, update } from '../serving/stage.ts';
import { Recorder } from '../support/client/recorder.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const DOORS = ['websocket', 'http', 'poll'] as const;

const clients: SignalboxClient[] = [];
const proxies: CuttingProxy[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** A client that tries again at once. */
async function open(box: Box, more: Partial<ClientOptions> = {}): Promise<SignalboxClient> {
  const { secret } = await box.server.credentials.createToken({ name: 'client', role: 'driver' });
  const client = createNodeClient({
    url: box.url(''),
    token: secret,
    clientInfo: { name: 'test', version: '1' },
    limits: { reconnect: { firstMs: 20, maxMs: 50 } },
    ...more,
  });
  clients.push(client);
  return client;
}

async function attachNew(box: Box, client: SignalboxClient, onEvent?: Recorder['onEvent']) {
  const { sessionId } = await client.newSession({ cwd: box.stage.folder });
  return client.attach(sessionId, onEvent === undefined ? {} : { onEvent });
}

async function expectRightView(box: Box, session: RemoteSession): Promise<void> {
  const events = await box.stage.events(session.id);
  const stored = events.map((event, index) => ({ seq: index + 1, event }));
  expect(encodeTranscript(session.view)).toEqual(encodeTranscript(toTranscript(stored)));
}

function whenFailed(client: SignalboxClient): Promise<ConnectionState> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (client.state.kind === 'failed') resolve(client.state);
    };
    client.subscribe(look);
    look();
  });
}

describe.for(DOORS)('a client by %s', (door) => {
  it('works with a session, and sees what its log says', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door] });
    const heard = new Recorder();
    const session = await attachNew(box, client, heard.onEvent);
    const text = script(say('one '), say('two '), ask(), say('three'));
    const { done } = session.prompt(text);
    while (session.permissions.length === 0) await heard.when('event', heard.seqs.length + 1);
    const [request] = session.permissions;
    await session.answerPermission(request?.permissionId ?? '', 'yes');
    expect(await done).toEqual({ kind: 'stopped', stopReason: 'end_turn' });
    await expectRightView(box, session);
    expect(session.permissions).toEqual([]);
    expect((await client.sessions.list()).sessions).toMatchObject([{ sessionId: session.id }]);
  });

  it('cancels a turn', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door] });
    const heard = new Recorder();
    const session = await attachNew(box, client, heard.onEvent);
    const { done } = session.prompt(script(say('one'), { cancel: true }));
    while (session.view.entries.at(-1)?.kind !== 'agent_message') {
      await heard.when('event', heard.seqs.length + 1);
    }
    await session.cancel();
    expect(await done).toMatchObject({ stopReason: 'cancelled' });
  });

  it('reads what was too large to be sent along', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door] });
    const { sessionId } = await client.newSession({ cwd: box.stage.folder });
    const session = await client.attach(sessionId, { inlineBytesMax: 1024, merge: true });
    const large = 'ü – large '.repeat(200_000);
    const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'x', rawOutput: { large } };
    await session.prompt(script(update(call))).done;
    const entry = session.view.entries.find(({ kind }) => kind === 'tool_call');
    const raw = entry?.kind === 'tool_call' ? entry.rawOutput?.text : undefined;
    expect(raw?.length).toBeLessThan(500);
    const ref = refOf((JSON.parse(raw ?? '{}') as { large?: unknown }).large);
    expect(ref && (await session.readContent(ref))).toBe(large);
  });

  it('attaches to a session with long texts, and reads what is in one event', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door] });
    const { sessionId } = await client.newSession({ cwd: box.stage.folder });
    const first = await client.attach(sessionId);
    const text = script(...Array.from({ length: 100 }, (_, n) => say(`${n} ü `.padEnd(100))));
    await first.prompt(text).done;
    await first.close();
    const session = await client.attach(sessionId, { inlineBytesMax: 1024 });
    const [prompt, message] = session.view.entries.filter(({ kind }) => kind.endsWith('_message'));
    const [block] = prompt?.kind === 'user_message' ? prompt.blocks : [];
    const ref = refOf(block && referenceBlockOf(block)?.of['text']);
    expect(ref && (await session.readContent(ref))).toBe(text);
    expect(message?.cut).toEqual({ blocks: { bytes: 100 * 101 - 1024, items: 0 } });
  });

  it('goes on behind every break of its connections', async () => {
    const box = await Box.open({ hosts: ['127.0.0.1'] });
    const proxy = await CuttingProxy.open(() => box.port);
    proxies.push(proxy);
    const url = `http://127.0.0.1:${proxy.port}`;
    const client = await open(box, { doors: [door], url });
    const heard = new Recorder();
    let toCut = 1;
    const session = await attachNew(box, client, (event) => {
      heard.onEvent(event);
      // Each time at another place of a message, and of the turn.
      if (event.type === 'event' && --toCut === 0) {
        toCut = 1 + (event.seq % 17);
        proxy.cut();
      }
    });
    const steps = Array.from({ length: 60 }, (_, n) => say(`${n} `));
    for (let turn = 1; turn <= 3; turn++) {
      const { done } = session.prompt(script(...steps));
      proxy.cut();
      expect(await done).toMatchObject({ stopReason: 'end_turn' });
      const { seqs } = heard;
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    }
    await expectRightView(box, session);
    expect(await box.stage.eventsOf(session.id, 'turn.started')).toHaveLength(3);
    expect(proxy.count).toBeGreaterThan(3);
  });

  it('goes on when its server comes back', async () => {
    const box = await Box.open({ hosts: ['127.0.0.1'] });
    let { port } = box;
    const proxy = await CuttingProxy.open(() => port);
    proxies.push(proxy);
    const client = await open(box, { doors: [door], url: `http://127.0.0.1:${proxy.port}` });
    const heard = new Recorder();
    const session = await attachNew(box, client, heard.onEvent);
    const { done } = session.prompt(script(say('one'), ask(), say('two')));
    while (session.permissions.length === 0) await heard.when('event', heard.seqs.length + 1);
    await box.server.close({ graceMs: 50 });
    await heard.when('detached');
    const again = createServer({
      host: box.stage.host,
      agents: () => box.stage.agent,
      defaultAgent: 'scripted',
      records: box.journal.records,
      listen: { port: 0 },
      hosts: ['127.0.0.1'],
      log: pino({ level: 'silent' }),
    });
    ({ port } = await again.listen());
    await heard.when('attached', 2);
    await session.answerPermission(session.permissions[0]?.permissionId ?? '', 'yes');
    expect(await done).toMatchObject({ stopReason: 'end_turn' });
    await expectRightView(box, session);
    await client.close();
    await again.close({ graceMs: 50 });
  });

  it('hears that its session was deleted', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door] });
    const heard = new Recorder();
    const session = await attachNew(box, client, heard.onEvent);
    const other = await open(box, { doors: [door] });
    await other.deleteSession(session.id);
    await heard.when('ended');
    expect(heard.heard.at(-1)).toMatchObject({ type: 'ended', reason: 'deleted' });
  });

  it('makes a session from what another one has done', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door] });
    const session = await attachNew(box, client);
    await session.prompt(script(say('the answer is 42'))).done;
    const snapshot = await session.contextSnapshot();
    const { sessionId } = await client.restore(snapshot, { cwd: box.stage.folder });
    expect(sessionId).not.toBe(session.id);
    const restored = await client.attach(sessionId);
    expect(await restored.prompt('go on').done).toMatchObject({ stopReason: 'end_turn' });
  });

  it('gives up when it may not come in, or nobody is there', async () => {
    const box = await Box.open();
    const stranger = await open(box, { doors: [door], token: 'sbx_wrong' });
    expect(await whenFailed(stranger)).toMatchObject({ error: { code: 'unauthorized' } });
    const lost = await open(box, { doors: [door], agent: 'nobody' });
    expect(await whenFailed(lost)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('shows to an observer, and takes no prompt from it', async () => {
    const box = await Box.open();
    const driver = await open(box, { doors: [door] });
    const session = await attachNew(box, driver);
    const observer = await open(box, { doors: [door] });
    const shown = await observer.attach(session.id, { role: 'observer' });
    expect(shown.role).toBe('observer');
    await expect(shown.prompt('no').done).rejects.toMatchObject({
      data: { failure: 'forbidden' },
    });
  });

  it('gives a slow reader everything', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: [door], limits: { events: { countMax: 10 } } });
    const session = await attachNew(box, client);
    const events = session.events();
    const steps = Array.from({ length: 200 }, (_, n) => say(`${n} `));
    const head = session.view.lastSeq;
    await session.prompt(script(...steps)).done;
    const seqs: number[] = [];
    for await (const { seq, event } of events) {
      seqs.push(seq);
      if (event.type === 'turn.finished') break;
    }
    expect(seqs).toEqual(seqs.map((_, index) => head + 1 + index));
    expect(seqs.length).toBeGreaterThan(200);
  });
});

describe('a client of a server', () => {
  it('falls back to HTTP where no socket is let through', async () => {
    const box = await Box.open();
    const client = await open(box, { doors: ['websocket', 'http'], createSocket: noSocket });
    await client.whenOnline();
    expect(client.state).toMatchObject({ kind: 'online', door: 'http' });
  });
});

function noSocket(): never {
  throw new Error('sockets are forbidden here');
}
