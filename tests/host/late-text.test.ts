import { RawJson } from '@signalbox/acp';
import {
  toStoredEvent,
  toTranscript,
  turnText,
  type SessionEvent,
  type TurnId,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import { SimulatedClock, type Session } from '../../packages/host/src/index.ts';
import { command, Harness, ME, textsOf, untilEvent, untilSaid } from './harness.ts';

const CANCELLED = { kind: 'stopped', stopReason: 'cancelled' };
const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };

/** A session whose clock stands still, and whose first turn was cancelled and has ended. */
async function stopped(settings = {}) {
  const clock = new SimulatedClock(1_000_000);
  const harness = await Harness.open({ clock, settings });
  const session = await harness.create('goes-on');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'started');
  session.cancel(ME);
  expect((await outcome).end).toEqual(CANCELLED);
  return { clock, harness, session };
}

/** Lets the agent say something, and waits until that is in the log. */
async function say(session: Session, text: string): Promise<void> {
  tell(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  await untilSaid(session, text);
}

function tell(session: Session, update: object): void {
  void session.agentCalls.notify('_test/update', new RawJson(JSON.stringify({ update })));
}

/** What a prompt that is sent now leads to. */
function prompting(session: Session, text: string) {
  const seen = { isOver: false };
  const outcome = session.prompt(command(text)).finally(() => (seen.isOver = true));
  return { seen, outcome };
}

function typesBehind(events: readonly SessionEvent[], type: SessionEvent['type']): string[] {
  const types = events.map((event) => event.type);
  return types.slice(types.indexOf(type));
}

/** The text of the turn of the last prompt. */
async function resultOf(harness: Harness, session: Session): Promise<string> {
  const stored = await harness.journal.read(session.id, 0, Infinity);
  const last = (await harness.eventsOf(session, 'turn.started')).at(-1);
  return turnText(toTranscript(stored.map(toStoredEvent)), last?.turnId as TurnId);
}

test('what an agent goes on saying for two seconds behind a cancel is no part of the next turn', async () => {
  const { clock, harness, session } = await stopped();
  const next = prompting(session, 'fine');
  await untilEvent(session, 'prompt.held');
  for (let spent = 0; spent < 2000; spent += 250) {
    await say(session, `OLD ${spent}`);
    clock.advance(250);
  }
  expect(next.seen.isOver).toBe(false);
  expect(harness.said('out').filter((method) => method === 'session/prompt')).toHaveLength(1);
  clock.advance(50);
  expect((await next.outcome).end).toEqual(END_TURN);
  expect(await resultOf(harness, session)).toBe('NEW');
  const events = await harness.events(session);
  expect(textsOf(events)).toEqual([
    'started',
    ...[0, 250, 500, 750, 1000, 1250, 1500, 1750].map((spent) => `OLD ${spent}`),
    'NEW',
  ]);
  expect(typesBehind(events, 'turn.finished')).toEqual([
    ...['turn.finished', 'prompt.queued', 'prompt.held'],
    ...Array<string>(8).fill('update'),
    ...['turn.started', 'update', 'turn.finished'],
  ]);
  expect(await harness.eventsOf(session, 'agent.started')).toHaveLength(1);
});

test('an agent that does not stop talking is ended, and the prompt goes to a new one', async () => {
  const { clock, harness, session } = await stopped({ settleMs: 200, settleMaxMs: 1000 });
  const next = prompting(session, 'fine');
  const held = await untilEvent(session, 'prompt.held');
  expect(held.data).toMatchObject({ quietMs: 200, endsAt: 1_001_000 });
  for (let spent = 0; spent < 1000; spent += 100) {
    await say(session, `OLD ${spent}`);
    clock.advance(100);
  }
  expect((await next.outcome).end).toEqual(END_TURN);
  expect(await resultOf(harness, session)).toBe('NEW');
  const [first, second] = await harness.eventsOf(session, 'agent.started');
  expect(second?.data.pid).not.toBe(first?.data.pid);
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data.isExpected).toBe(true);
  const prompts = harness.wire.filter(({ method }) => method === 'session/prompt');
  expect(prompts).toHaveLength(2);
});

test('a prompt that waits for the agent to be quiet can be cancelled, and the next one waits anew', async () => {
  const { clock, harness, session } = await stopped();
  const next = prompting(session, 'fine');
  await untilEvent(session, 'prompt.held');
  expect(session.state.queue).toHaveLength(1);
  session.cancel(ME);
  expect((await next.outcome).end).toEqual(CANCELLED);
  clock.advance(299);
  await say(session, 'OLD');
  const third = prompting(session, 'fine');
  await untilEvent(session, 'prompt.held', ({ time }) => time === clock.now());
  clock.advance(300);
  expect((await third.outcome).end).toEqual(END_TURN);
  expect(await harness.eventsOf(session, 'turn.started')).toHaveLength(2);
  expect(await harness.eventsOf(session, 'prompt.dropped')).toHaveLength(1);
});

test('an agent that was quiet before the prompt came gets it at once', async () => {
  const { clock, harness, session } = await stopped();
  clock.advance(300);
  expect((await session.prompt(command('fine'))).end).toEqual(END_TURN);
  expect(await harness.eventsOf(session, 'prompt.held')).toEqual([]);
});

test('a prompt behind one that failed waits likewise', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock });
  const session = await harness.create('goes-on');
  const failed = session.prompt(command('fail'));
  const next = session.prompt(command('fine'));
  expect((await failed).end).toMatchObject({ failure: 'agent_error' });
  await untilEvent(session, 'prompt.held');
  clock.advance(300);
  expect((await next).end).toEqual(END_TURN);
});

test('a prompt behind one that ended by itself never waits, also when it is sent in its answer', async () => {
  const harness = await Harness.open({ clock: new SimulatedClock() });
  const session = await harness.create('goes-on');
  for (let round = 0; round < 50; round += 1) {
    expect((await session.prompt(command('fine'))).end).toEqual(END_TURN);
  }
  expect(await harness.eventsOf(session, 'prompt.queued')).toEqual([]);
});

test('late news that names what it is about stays out of a turn that is under way', async () => {
  const { clock, harness, session } = await stopped();
  const chunk = (text: string, messageId: string): object => ({
    sessionUpdate: 'agent_message_chunk',
    messageId,
    content: { type: 'text', text },
  });
  tell(session, {
    sessionUpdate: 'tool_call',
    toolCallId: 'old',
    title: 'Look',
    status: 'pending',
  });
  tell(session, chunk('OLD 1', 'old-message'));
  await untilSaid(session, 'OLD 1');
  clock.advance(300);
  const outcome = session.prompt(command('long'));
  await untilEvent(session, 'turn.started', ({ time }) => time === clock.now());
  tell(session, chunk('new ', 'new-message'));
  tell(session, chunk('OLD 2', 'old-message'));
  tell(session, { sessionUpdate: 'tool_call_update', toolCallId: 'old', status: 'completed' });
  tell(session, chunk('text', 'new-message'));
  await untilSaid(session, 'text');
  session.cancel(ME);
  await outcome;
  expect(await resultOf(harness, session)).toBe('started\n\nnew text');
  const stored = await harness.journal.read(session.id, 0, Infinity);
  const { entries } = toTranscript(stored.map(toStoredEvent));
  expect(entries.find(({ kind }) => kind === 'tool_call')).toMatchObject({ status: 'completed' });
});

test('closing a session in which a prompt waits for the agent tells its sender and leaves no timer', async () => {
  const { clock, harness, session } = await stopped();
  const next = prompting(session, 'fine');
  await untilEvent(session, 'prompt.held');
  await harness.host.closeSession(session.id);
  expect((await next.outcome).end).toEqual(CANCELLED);
  expect(clock.timerCount).toBe(0);
});

test('what an agent does of its own accord is told, leaves the session idle and holds up nothing (B35)', async () => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock });
  const session = await harness.create('goes-on');
  await session.prompt(command('fine'));
  clock.advance(60_000);
  tell(session, { sessionUpdate: 'tool_call', toolCallId: 'cron', title: 'Nightly check' });
  await say(session, 'All is well');
  expect(session.state.turn.kind).toBe('idle');
  expect(await harness.host.listSessions({ limit: 1 })).toMatchObject([{ status: 'end_turn' }]);
  expect((await session.prompt(command('fine'))).end).toEqual(END_TURN);
  expect(await harness.eventsOf(session, 'prompt.held')).toEqual([]);
  expect(await resultOf(harness, session)).toBe('NEW');
  const stored = await harness.journal.read(session.id, 0, Infinity);
  const kinds = toTranscript(stored.map(toStoredEvent)).entries.map(({ kind }) => kind);
  expect(kinds).toContain('tool_call');
});
