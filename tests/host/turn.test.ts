import { RawJson } from '@signalbox/acp';
import { expect, test } from 'vitest';
import { isHostError } from '../../packages/host/src/index.ts';
import { command, Harness, textOf, textsOf, untilEvent, untilSaid } from './harness.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };

test('a turn runs from the prompt to its stop reason and everything of it is in the log in order', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  const outcome = await session.prompt(command('300'));
  expect(outcome.end).toEqual(END_TURN);
  const events = await harness.events(session);
  expect(events.map(({ type }) => type)).toEqual([
    'session.created',
    'turn.started',
    'agent.started',
    ...Array.from({ length: 300 }, () => 'update'),
    'turn.finished',
  ]);
  expect(textsOf(events)).toEqual(Array.from({ length: 300 }, (_, n) => `chunk ${n + 1}`));
  expect(outcome.seq).toBe(events.length);
  expect(new Set(events.slice(1).map(({ turnId }) => turnId)).size).toBe(1);
  expect(await harness.host.listSessions({ limit: 10 })).toMatchObject([
    { sessionId: session.id, title: '300', turnCount: 1 },
  ]);
});

test('updates before and together with the session/new response are kept', async () => {
  const harness = await Harness.open();
  const session = await harness.create('early-updates');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  const events = await harness.events(session);
  expect(textsOf(events)).toEqual(['before', 'same write', 'right behind']);
  const updates = await harness.eventsOf(session, 'update');
  expect(updates.map(({ data }) => data.problem)).toEqual([undefined, undefined, undefined]);
});

test('updates behind the response are kept outside of any turn', async () => {
  const harness = await Harness.open();
  const session = await harness.create('late-updates');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  await untilSaid(session, 'later');
  const updates = await harness.eventsOf(session, 'update');
  expect(updates.map((event) => [textOf(event), event.turnId !== undefined])).toEqual([
    ['inside', true],
    ['same write', false],
    ['later', false],
  ]);
});

test('a prompt sent as soon as the turn before it has ended is never busy', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  for (let round = 0; round < 200; round += 1) {
    expect((await session.prompt(command('1', 'refuse'))).end).toEqual(END_TURN);
  }
  expect(await harness.eventsOf(session, 'turn.finished')).toHaveLength(200);
  expect(await harness.eventsOf(session, 'agent.started')).toHaveLength(1);
});

test('queued prompts run one at a time in the order in which they came', async () => {
  const harness = await Harness.open();
  const session = await harness.create('one-turn-at-a-time');
  const names = Array.from({ length: 12 }, (_, n) => `p${n}`);
  const ended: string[] = [];
  await Promise.all(
    names.map(async (name) => {
      await session.prompt(command(name));
      ended.push(name);
    }),
  );
  expect(ended).toEqual(names);
  expect(textsOf(await harness.events(session))).toEqual(
    names.flatMap((name) => [`begin ${name}`, `end ${name}`]),
  );
});

test('what is sent behind a prompt reaches the agent behind it (B47)', async () => {
  const harness = await Harness.open();
  const session = await harness.create('scripted');
  await session.start();
  const outcome = session.prompt(command('x'));
  const changed = session.agentCalls.setMode('code', { kind: 'host' });
  void session.agentCalls.notify('_test/news', new RawJson('{}'));
  await Promise.all([outcome, changed]);
  const sent = harness.said('out');
  expect(sent.slice(sent.indexOf('session/new') + 1)).toEqual([
    ...['session/prompt', 'session/set_mode', '_test/news'],
  ]);
});

test('a second prompt is refused as busy when its caller does not want to wait', async () => {
  const harness = await Harness.open();
  const session = await harness.create('cooperative');
  const first = session.prompt(command('long'));
  await expect(session.prompt(command('second', 'refuse'))).rejects.toMatchObject({
    code: 'session_busy',
  });
  await untilSaid(session, 'started');
  session.cancel({ kind: 'host' });
  expect((await first).end).toEqual({ kind: 'stopped', stopReason: 'cancelled' });
  expect(harness.said('out').filter((method) => method === 'session/prompt')).toHaveLength(1);
});

test('prompts beyond the queue are refused and the others run', async () => {
  const harness = await Harness.open({ settings: { queueLengthMax: 2 } });
  const session = await harness.create('chunks');
  const outcomes = await Promise.allSettled(
    ['1', '1', '1', '1'].map((text) => session.prompt(command(text))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  const refused = outcomes[3] as PromiseRejectedResult;
  expect(isHostError(refused.reason, 'session_busy')).toBe(true);
});

test.for([
  ['an unknown stop reason', { result: { stopReason: 'tired' } }, 'invalid_response', 'tired'],
  ['no stop reason', { result: {} }, 'invalid_response', 'nothing'],
  ['a result of null', { result: null }, 'invalid_response', 'nothing'],
  ['an error', { error: { code: -32603, message: 'no', data: 'why' } }, 'agent_error', 'no: why'],
  ['a wanted sign-in', { error: { code: -32000, message: 'sign in' } }, 'auth_required', 'sign in'],
] as const)('a prompt answered with %s fails its turn and the next one runs', async (row) => {
  const [, answer, failure, message] = row;
  const harness = await Harness.open();
  const session = await harness.create('odd-answers');
  const { end } = await session.prompt(command(JSON.stringify(answer)));
  expect(end).toMatchObject({ kind: 'failed', failure });
  expect(end).toHaveProperty('message', expect.stringContaining(message));
  const good = command(JSON.stringify({ result: { stopReason: 'end_turn' } }));
  expect((await session.prompt(good)).end).toEqual(END_TURN);
  expect(await harness.eventsOf(session, 'agent.started')).toHaveLength(1);
});

test('a prompt that cannot be sent ends its turn with the reason', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  const huge = `"${'x'.repeat(64 * 1024 * 1024)}"`;
  const { end } = await session.prompt(command(huge));
  expect(end).toMatchObject({ kind: 'failed', failure: 'agent_error' });
  expect(end).toHaveProperty('message', expect.stringContaining('too_large'));
  expect((await session.prompt(command('1'))).end).toEqual(END_TURN);
});

test('methods that were not offered are refused and the turn goes on', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-for-unoffered');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  expect(textsOf(await harness.events(session))).toEqual([
    'elicitation/create -32601',
    '_vendor/extra -32601',
    'fs/read_text_file -32002',
    'craft/drainMidTurnQueue -32601',
    'session/request_permission -32602',
  ]);
});

test('what is no message on the protocol stream is skipped and counted', async () => {
  const harness = await Harness.open();
  const session = await harness.create('prints-banners');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  expect(textsOf(await harness.events(session))).toEqual(['one', 'two']);
  await session.endAgent();
  const exited = await untilEvent(session, 'agent.exited');
  expect(exited.data).toMatchObject({ code: 0, noiseCount: 5, isExpected: true });
});

test('an agent that writes much to stderr is never blocked by it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('noisy-stderr');
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  }
  await session.endAgent();
  const { data } = await untilEvent(session, 'agent.exited');
  expect(data.stderrTail).toBe('x'.repeat(4096));
});
