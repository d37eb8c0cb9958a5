import { RawJson } from '@signalbox/acp';
import { SimulatedClock } from '../../packages/host/src/index.ts';
import type { SessionEvent } from '@signalbox/core';
import { expect, test } from 'vitest';
import { command, Harness, ME, textsOf, untilEvent } from './harness.ts';

/** How the agents of a session came to it. */
function restorations(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'agent.started' ? [event.data.restoredBy] : []));
}

const WAYS: [can: string, restoredBy: string, second: string][] = [
  ['resume', 'resume', '2 known, 1 blocks, careful'],
  ['load', 'load', '2 known, 1 blocks, careful'],
  ['resume,load', 'resume', '2 known, 1 blocks, careful'],
  ['lies,load', 'load', '2 known, 1 blocks, careful'],
  ['', 'transcript', '1 known, 2 blocks, careful'],
];

test.each(WAYS)(
  'an agent that can "%s" gets its session back by %s after its process has ended',
  async (can, restoredBy, second) => {
    const harness = await Harness.open({ entry: { env: { CAN: can } } });
    const session = await harness.create('remembers');
    await session.prompt(command('first'));
    await session.endAgent();
    await session.prompt(command('second'));
    const events = await harness.events(session);
    expect(restorations(events)).toEqual(['new', restoredBy]);
    // What the agent replays on a load is in the log already and does not enter it twice.
    expect(textsOf(events)).toEqual(['1 known, 1 blocks, careful', second]);
  },
);

test.each(['resume', 'load'])(
  'of what an agent replays on a %s only how it stands is news, however often it is started',
  async (CAN) => {
    const harness = await Harness.open({ entry: { env: { CAN } } });
    const session = await harness.create('replays-all');
    for (let start = 0; start < 5; start += 1) {
      await session.prompt(command('go on'));
      await session.endAgent();
    }
    const updates = await harness.eventsOf(session, 'update');
    const kinds = updates.map(
      ({ data }) => (data.update.value as { sessionUpdate: string }).sessionUpdate,
    );
    const [again, said] = ['usage_update', 'agent_message_chunk'];
    expect(kinds).toEqual([said, said, again, said, again, said, again, said, again, said]);
    expect(textsOf(await harness.events(session))).toEqual([
      'welcome',
      ...Array.from({ length: 5 }, () => 'new'),
    ]);
  },
);

test('a replay is over when the load fails: how the new session begins is news', async () => {
  const harness = await Harness.open({ entry: { env: { CAN: 'load', LOST: 'yes' } } });
  const session = await harness.create('replays-all');
  await session.prompt(command('first'));
  await session.endAgent();
  await session.prompt(command('second'));
  const texts = textsOf(await harness.events(session));
  expect(texts).toEqual(['welcome', 'new', 'welcome', 'new']);
});

test('what was said is told to an agent that cannot find its session, marked as restored', async () => {
  const harness = await Harness.open({ entry: { env: { CAN: 'embedded' } } });
  const session = await harness.create('remembers');
  await session.prompt(command('remember the number 42'));
  await session.endAgent();
  await session.prompt(command('which number?'));
  const prompts = harness.wire.filter(({ method }) => method === 'session/prompt');
  const [preface, prompt] = (prompts[1]?.params as { prompt: unknown[] }).prompt;
  expect(preface).toMatchObject({
    type: 'resource',
    resource: { uri: 'signalbox://restored-transcript', mimeType: 'text/markdown' },
  });
  const { text } = (preface as { resource: { text: string } }).resource;
  expect(text).toContain('was restored from its record');
  expect(text).toContain('remember the number 42');
  expect(text).toContain('1 known, 1 blocks, careful');
  expect(text).not.toContain('which number?');
  expect(prompt).toEqual({ type: 'text', text: 'which number?' });
});

test('a mode that was set is set again for an agent that forgot it, and all are told', async () => {
  const harness = await Harness.open();
  const session = await harness.create('remembers');
  await session.start();
  await session.agentCalls.setMode('quick', ME);
  await session.prompt(command('first'));
  await session.endAgent();
  await session.prompt(command('second'));
  const events = await harness.events(session);
  expect(textsOf(events)).toEqual(['1 known, 1 blocks, quick', '1 known, 2 blocks, quick']);
  const modes = events.flatMap((event) =>
    event.type === 'update' && event.data.by !== undefined ? [event.data] : [],
  );
  expect(modes.map(({ update, by }) => [update.value, by])).toEqual([
    [{ sessionUpdate: 'current_mode_update', currentModeId: 'quick' }, ME],
    [{ sessionUpdate: 'current_mode_update', currentModeId: 'quick' }, { kind: 'host' }],
  ]);
});

test('a mode that the agent refuses changes nothing', async () => {
  const harness = await Harness.open();
  const session = await harness.create('remembers');
  await expect(session.agentCalls.setMode('none', ME)).rejects.toMatchObject({ code: -32602 });
  const events = await harness.events(session);
  expect(events.some(({ type }) => type === 'update')).toBe(false);
});

test('an idle agent that can find its session hibernates, and starts again for a prompt', async () => {
  const clock = new SimulatedClock();
  const settings = { hibernateAfterMs: 60_000 };
  const harness = await Harness.open({ clock, settings, entry: { env: { CAN: 'load' } } });
  const session = await harness.create('remembers');
  await session.prompt(command('first'));
  clock.advance(59_000);
  expect(session.state.agent.kind).toBe('running');
  const exited = untilEvent(session, 'agent.exited');
  clock.advance(2_000);
  expect((await exited).data).toMatchObject({ isExpected: true });
  expect((await session.prompt(command('second'))).end.kind).toBe('stopped');
  expect(textsOf(await harness.events(session)).at(-1)).toBe('2 known, 1 blocks, careful');
});

test('an idle agent that would forget its session is left running while somebody has it open', async () => {
  const clock = new SimulatedClock();
  const settings = { hibernateAfterMs: 1000, endUnusedAfterMs: 1000 };
  const harness = await Harness.open({ clock, settings });
  const session = await harness.create('remembers');
  session.users.enter();
  await session.prompt(command('first'));
  clock.advance(10_000);
  await session.prompt(command('second'));
  expect(restorations(await harness.events(session))).toEqual(['new']);
});

test('one that nobody has had open for long is ended, and the next is told what was said', async () => {
  const clock = new SimulatedClock();
  const settings = { hibernateAfterMs: 1000, endUnusedAfterMs: 60_000 };
  const harness = await Harness.open({ clock, settings });
  const session = await harness.create('remembers');
  const leave = session.users.enter();
  await session.prompt(command('first'));
  clock.advance(50_000);
  leave();
  clock.advance(59_000);
  expect(session.unusedAgentSince).toBeDefined();
  const exited = untilEvent(session, 'agent.exited');
  clock.advance(1_000);
  expect((await exited).data).toMatchObject({ isExpected: true });
  await session.prompt(command('second'));
  expect(restorations(await harness.events(session))).toEqual(['new', 'transcript']);
});

test('of the agents that nobody needs, those that have been idle for longest make room', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock, settings: { unusedAgentsMax: 1 } });
  const inUse = await harness.create('remembers');
  inUse.users.enter();
  await inUse.start();
  const first = await harness.create('remembers');
  await first.prompt(command('first'));
  clock.advance(1000);
  const second = await harness.create('remembers');
  const leave = second.users.enter();
  await second.prompt(command('second'));
  expect(first.unusedAgentSince).toBeDefined();
  const exited = untilEvent(first, 'agent.exited');
  leave();
  await exited;
  expect(second.unusedAgentSince).toBe(clock.now());
  expect(inUse.state.agent.kind).toBe('running');
});

test('MCP servers and further folders are given to every agent of the session, exactly', async () => {
  const harness = await Harness.open();
  const mcpServers = new RawJson(
    '[{"name":"m","command":"/m","args":[],"env":[],"big":9007199254740993}]',
  );
  const session = await harness.host.createSession({
    agent: 'remembers',
    cwd: harness.folder,
    setup: { mcpServers },
  });
  await session.prompt(command('first'));
  await harness.host.closeSession(session.id);
  const again = await harness.host.openSession(session.id);
  await again.prompt(command('second'));
  const created = harness.wire.filter(({ method }) => method === 'session/new');
  expect(created).toHaveLength(2);
  for (const { params } of created) {
    expect(params).toMatchObject({ mcpServers: [{ name: 'm', command: '/m' }] });
  }
  // They may hold secrets, so they are not in the log that others read.
  const log = await harness.journal.read(session.id, 0, Infinity);
  expect(log.map(({ body }) => body).join()).not.toContain('mcpServers');
});
