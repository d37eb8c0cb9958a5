import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from '../../packages/host/src/index.ts';
import { command, Harness, ME, textOf, textsOf, untilEvent, untilSaid } from './harness.ts';

const CANCELLED = { kind: 'stopped', stopReason: 'cancelled' };
const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };

test('cancelling answers what the agent asks, tells it once, and the turn ends as cancelled', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(command(JSON.stringify({ options: ['allow_once'], times: 2 })));
  await untilEvent(session, 'permission.requested', () => session.state.permissions.size === 2);
  session.cancel(ME);
  session.cancel(ME);
  expect((await outcome).end).toEqual(CANCELLED);
  const sent = harness.said('out');
  expect(sent.slice(sent.indexOf('session/prompt') + 1)).toEqual([
    '{"outcome":{"outcome":"cancelled"}}',
    '{"outcome":{"outcome":"cancelled"}}',
    'session/cancel',
  ]);
  const types = (await harness.events(session)).map(({ type }) => type);
  expect(types.slice(types.indexOf('turn.cancel_requested'))).toEqual([
    'turn.cancel_requested',
    'permission.resolved',
    'permission.resolved',
    'update',
    'update',
    'turn.finished',
  ]);
});

test('cancelling leaves the session and its process as they are', async () => {
  const harness = await Harness.open();
  const session = await harness.create('cooperative');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'started');
  session.cancel(ME);
  expect((await outcome).end).toEqual(CANCELLED);
  expect((await session.prompt(command('fine'))).end).toEqual(END_TURN);
  expect(await harness.eventsOf(session, 'agent.started')).toHaveLength(1);
  expect(await harness.eventsOf(session, 'agent.exited')).toHaveLength(0);
});

test('a cancel right behind its prompt always takes effect', async () => {
  // Otherwise each prompt but the first would wait for the agent, and be cancelled there.
  const harness = await Harness.open({ settings: { settleMs: 0 } });
  const session = await harness.create('cooperative');
  await session.prompt(command('fine'));
  for (let round = 0; round < 100; round += 1) {
    const outcome = session.prompt(command('long'));
    session.cancel(ME);
    expect((await outcome).end).toEqual(CANCELLED);
  }
});

test('cancelling while the agent is starting keeps the prompt from it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('never-initializes');
  const outcomes = ['a', 'b', 'c'].map((text) => session.prompt(command(text)));
  await untilEvent(session, 'turn.started');
  session.cancel(ME);
  for (const outcome of outcomes) expect((await outcome).end).toEqual(CANCELLED);
  await session.endAgent();
  expect(harness.said('out')).not.toContain('session/prompt');
  expect(await harness.eventsOf(session, 'turn.started')).toHaveLength(1);
  expect(await harness.eventsOf(session, 'prompt.dropped')).toHaveLength(2);
});

test('a prompt behind a cancelled start uses that start, which sees only this prompt', async () => {
  const { folder } = await Harness.open();
  const go = join(folder, 'go');
  const harness = await Harness.open({ entry: { env: { GO: go } } });
  const session = await harness.create('slow-to-start');
  const first = session.prompt(command('a'));
  await untilEvent(session, 'turn.started');
  session.cancel(ME);
  const second = session.prompt(command('b'));
  expect((await first).end).toEqual(CANCELLED);
  writeFileSync(go, '');
  expect((await second).end).toEqual(END_TURN);
  const prompts = harness.wire.filter(({ method }) => method === 'session/prompt');
  expect(prompts).toMatchObject([{ params: { prompt: [{ text: 'b' }] } }]);
  expect(harness.said('out').filter((method) => method === 'initialize')).toHaveLength(1);
});

test('the agent never sees a prompt that was cancelled in one go with it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  for (let round = 0; round < 10; round += 1) {
    const outcome = session.prompt(command('1'));
    session.cancel(ME);
    for (let turn = 0; turn < round * 5; turn += 1) await new Promise((done) => setImmediate(done));
    expect((await outcome).end).toEqual(CANCELLED);
    await session.endAgent();
  }
  expect(harness.said('out')).not.toContain('session/prompt');
});

test('an agent that ignores the cancel is ended after the grace and the next prompt gets a new one', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock, settings: { cancelGraceMs: 5000 } });
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  session.cancel(ME);
  await untilEvent(session, 'turn.cancel_requested');
  const next = session.prompt(command('fine'));
  clock.advance(4999);
  await untilEvent(session, 'prompt.queued');
  expect(session.state.turn.kind).toBe('running');
  clock.advance(1);
  expect((await outcome).end).toEqual({ ...CANCELLED, forced: true });
  expect((await next).end).toEqual(END_TURN);
  const started = await harness.eventsOf(session, 'agent.started');
  expect(new Set(started.map(({ data }) => data.pid)).size).toBe(2);
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data.isExpected).toBe(true);
  const [oldTurn, newTurn] = await harness.eventsOf(session, 'turn.started');
  const updates = await harness.eventsOf(session, 'update');
  expect(updates.filter((event) => textOf(event) === 'OLD').map(({ turnId }) => turnId)).toContain(
    oldTurn?.turnId,
  );
  expect(updates.filter(({ turnId }) => turnId === newTurn?.turnId)).toEqual([]);
});

test('an agent that ignores how its request was answered is ended after the grace as well (B45)', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock, settings: { cancelGraceMs: 5000 } });
  const session = await harness.create('ignores-outcome');
  const outcome = session.prompt(command('long'));
  await untilEvent(session, 'permission.requested');
  session.cancel(ME);
  await untilEvent(session, 'permission.resolved');
  clock.advance(5000);
  expect((await outcome).end).toEqual({ ...CANCELLED, forced: true });
  expect((await session.prompt(command('fine'))).end).toEqual(END_TURN);
});

test('a cancel while a large prompt is half written cuts no line (B19)', async () => {
  const harness = await Harness.open({ settings: { settleMs: 0 } });
  const session = await harness.create('reads-slowly');
  await session.start();
  const outcome = session.prompt(command('x'.repeat(1024 * 1024)));
  await untilSent(harness, 'session/prompt');
  session.cancel(ME);
  await Promise.all(['a', 'b'].map((mode) => session.agentCalls.setMode(mode, ME)));
  await outcome;
  await session.prompt(command('what did you get?'));
  const seen = textsOf(await harness.events(session)).at(-1) ?? '';
  expect(seen).toMatch(/^0 broken, initialize session\/new session\/prompt /);
  expect(seen.split(' ').slice(5).sort()).toEqual([
    ...['session/cancel', 'session/prompt', 'session/set_mode', 'session/set_mode'],
  ]);
});

test('a second cancel, which drops what was queued since, leaves the grace of the first', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock, settings: { cancelGraceMs: 5000 } });
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  session.cancel(ME);
  const queued = session.prompt(command('fine'));
  await untilEvent(session, 'prompt.queued');
  session.cancel(ME);
  expect((await queued).end).toEqual(CANCELLED);
  clock.advance(5000);
  expect((await outcome).end).toEqual({ ...CANCELLED, forced: true });
});

test('cancelling an idle session, or another turn, does nothing', async () => {
  const harness = await Harness.open();
  const session = await harness.create('cooperative');
  session.cancel(ME);
  await session.prompt(command('fine'));
  const [before] = await harness.eventsOf(session, 'turn.started');
  session.cancel(ME);
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'started');
  session.cancel(ME, before?.turnId);
  session.cancel(ME);
  expect((await outcome).end).toEqual(CANCELLED);
  expect(harness.said('out').filter((method) => method === 'session/cancel')).toHaveLength(1);
  expect(await harness.eventsOf(session, 'turn.cancel_requested')).toHaveLength(1);
});

test('an agent that does nothing for too long fails its turn, and one that works does not', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock, settings: { turnIdleMs: 60_000 } });
  const session = await harness.create('odd-answers');
  const outcome = session.prompt(command('silent'));
  await untilEvent(session, 'agent.started');
  await untilSent(harness, 'session/prompt');
  clock.advance(60_000);
  await untilEvent(session, 'turn.cancel_requested', ({ data }) => data.by.kind === 'deadline');
  clock.advance(10_000);
  expect((await outcome).end).toMatchObject({ kind: 'failed', failure: 'turn_idle' });
  const good = command(JSON.stringify({ result: { stopReason: 'end_turn' } }));
  expect((await session.prompt(good)).end).toEqual(END_TURN);
});

test('waiting for a person is not idle, and the agent has its own time behind the answer', async () => {
  const clock = new SimulatedClock();
  const settings = { turnIdleMs: 60_000, permissionTimeoutMs: 3_600_000 };
  const harness = await Harness.open({ clock, settings });
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(command(JSON.stringify({ options: ['allow_once'] })));
  const { data } = await untilEvent(session, 'permission.requested');
  for (let minute = 0; minute < 10; minute += 1) clock.advance(60_000);
  clock.advance(59_999);
  await session.answerPermission(data.permissionId, 'id-allow_once', ME);
  clock.advance(1);
  expect((await outcome).end).toEqual(END_TURN);
});

test('closing a session during a turn cancels it, and the agent learns that before its input ends', async () => {
  const harness = await Harness.open();
  const session = await harness.create('cooperative');
  const outcome = session.prompt(command('long'));
  const queued = session.prompt(command('never'));
  await untilSaid(session, 'started');
  await harness.host.closeSession(session.id);
  expect((await outcome).end).toEqual(CANCELLED);
  expect((await queued).end).toEqual(CANCELLED);
  const events = await harness.events(session);
  expect(textsOf(events)).toEqual(['started']);
  expect(events.map(({ type }) => type).slice(-3)).toEqual([
    'turn.cancel_requested',
    'turn.finished',
    'agent.exited',
  ]);
  expect(events.at(-1)?.data).toMatchObject({ code: 0, isExpected: true });
  await expect(session.prompt(command('x'))).rejects.toMatchObject({ code: 'closed' });
});

test('closing right behind a prompt leaves neither a turn nor a process', async () => {
  const harness = await Harness.open();
  for (let round = 0; round < 20; round += 1) {
    const session = await harness.create('chunks');
    const outcome = session.prompt(command('1'));
    for (let tick = 0; tick < round; tick += 1) await Promise.resolve();
    await harness.host.closeSession(session.id);
    expect((await outcome).end).toEqual(CANCELLED);
    expect((await harness.events(session)).at(-1)?.type).toMatch(/turn.finished|agent.exited/);
  }
});

test('prompts queued while a cancel is under way are cancelled as well when the session is closed', async () => {
  const harness = await Harness.open();
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  session.cancel(ME);
  await untilEvent(session, 'turn.cancel_requested');
  const later = session.prompt(command('long'));
  await untilEvent(session, 'prompt.queued');
  await harness.host.closeSession(session.id);
  expect((await outcome).end).toEqual({ ...CANCELLED, forced: true });
  expect((await later).end).toEqual(CANCELLED);
});

/** Waits until the host has sent a message of this method; the wire is looked at after each turn. */
async function untilSent(harness: Harness, method: string): Promise<void> {
  while (!harness.said('out').includes(method)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
