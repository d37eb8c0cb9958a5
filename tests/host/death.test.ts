import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { START_TIMEOUT_MS } from '../../packages/host/src/agents/agent-entry.ts';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import { command, fixture, Harness, textsOf, untilEvent, untilSaid } from './harness.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };

test('an agent that dies during a turn fails it with its exit code and its last words', async () => {
  const harness = await Harness.open();
  const session = await harness.create('dies-mid-turn');
  const { end } = await session.prompt(command('x'));
  expect(end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  expect(end).toHaveProperty(
    'message',
    expect.stringMatching(/exit code 7.*403 blocked by policy/s),
  );
  const events = await harness.events(session);
  expect(events.map(({ type }) => type)).toEqual([
    'session.created',
    'turn.started',
    'agent.started',
    'update',
    'agent.exited',
    'turn.finished',
  ]);
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data).toEqual({
    code: 7,
    signal: null,
    stderrTail: '403 blocked by policy\n',
    noiseCount: 0,
    isExpected: false,
  });
  // The session stays usable: the next prompt gets a process of its own, which dies as well.
  expect((await session.prompt(command('x'))).end).toMatchObject({ failure: 'agent_exited' });
  const started = await harness.eventsOf(session, 'agent.started');
  expect(new Set(started.map(({ data }) => data.pid)).size).toBe(2);
});

test('an agent that dies with a request open ends that request too', async () => {
  const harness = await Harness.open();
  const session = await harness.create('dies-mid-turn');
  const outcome = session.prompt(command('permission'));
  await untilEvent(session, 'permission.requested');
  const { end } = await outcome;
  expect(end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  const [resolved] = await harness.eventsOf(session, 'permission.resolved');
  expect(resolved?.data).toMatchObject({
    outcome: { kind: 'cancelled' },
    withdrawal: 'agent_gone',
  });
  expect(session.state.permissions.size).toBe(0);
});

test('an agent that dies in the middle of a frame keeps what came whole', async () => {
  const harness = await Harness.open();
  const session = await harness.create('dies-mid-frame');
  const { end } = await session.prompt(command('x'));
  expect(end).toMatchObject({ failure: 'agent_exited' });
  expect(textsOf(await harness.events(session))).toEqual(['whole']);
  const { data } = await untilEvent(session, 'agent.exited');
  expect(data).toMatchObject({ code: 3, noiseCount: 1 });
});

test('an agent that is killed while idle is replaced for the next prompt', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  for (let round = 0; round < 3; round += 1) {
    expect((await session.prompt(command('1'))).end).toEqual(END_TURN);
    const { data } = await untilEvent(session, 'agent.started', ({ data }) => isAlive(data.pid));
    process.kill(data.pid, 'SIGKILL');
    await untilEvent(session, 'agent.exited', () => session.state.agent.kind === 'absent');
  }
  const exits = await harness.eventsOf(session, 'agent.exited');
  expect(exits.map(({ data }) => data.signal)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect(await harness.eventsOf(session, 'turn.finished')).toHaveLength(3);
});

test('prompts that wait when the agent dies get a new agent, in order', async () => {
  const harness = await Harness.open();
  const session = await harness.create('dies-mid-turn');
  const outcomes = await Promise.all(['a', 'b', 'c'].map((text) => session.prompt(command(text))));
  expect(outcomes.map(({ end }) => end.kind)).toEqual(['failed', 'failed', 'failed']);
  expect(await harness.eventsOf(session, 'agent.started')).toHaveLength(3);
});

test('an agent that closes its output during a turn is ended and its turn with it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('closes-output');
  const { end } = await session.prompt(command('x'));
  expect(end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  expect(textsOf(await harness.events(session))).toEqual(['last words']);
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data).toMatchObject({ cause: 'it closed its output and lived on' });
  expect(end).toHaveProperty('message', expect.stringContaining('since it closed its output'));
});

test('an agent that is given up is not told of as one that ended by itself', async () => {
  const harness = await Harness.open();
  const session = await harness.create('prints-for-ever');
  const { end } = await session.prompt(command('x'));
  expect(end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  const cause = /^\d+ lines in a row are no messages, the last one begins with "y"$/;
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data.isExpected).toBe(false);
  expect(exited?.data.cause).toMatch(cause);
  expect(end).toHaveProperty(
    'message',
    expect.stringContaining(`ended, since ${exited?.data.cause} (`),
  );
});

test('what an agent leaves behind when it dies is ended, also outside of its group', async () => {
  const harness = await Harness.open();
  const session = await harness.create('leaves-children');
  const { end } = await session.prompt(command('die'));
  expect(end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
  expect(markedProcesses(session.id)).toEqual([]);
});

test('a new agent is not ended with what the one before it left behind', async () => {
  const harness = await Harness.open();
  const session = await harness.create('leaves-children');
  for (let round = 0; round < 5; round += 1) {
    const failed = session.prompt(command('die'));
    const next = session.prompt(command('live'));
    expect((await failed).end).toMatchObject({ failure: 'agent_exited' });
    expect((await next).end).toEqual(END_TURN);
    await session.endAgent();
  }
});

test('an agent that does not read is ended, and a prompt that it never read fails', async () => {
  const harness = await Harness.open({ settings: { cancelGraceMs: 50 } });
  const session = await harness.create('stops-reading');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  const outcome = session.prompt(command('y'.repeat(5 * 1024 * 1024)));
  await untilEvent(session, 'turn.started', () => session.state.turnCount === 2);
  session.cancel({ kind: 'host' });
  expect((await outcome).end).toEqual({ kind: 'stopped', stopReason: 'cancelled', forced: true });
});

test('an agent that is killed while it is sent more than it reads ends the turn', async () => {
  const harness = await Harness.open();
  const session = await harness.create('stops-reading');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  const outcome = session.prompt(command('y'.repeat(5 * 1024 * 1024)));
  const { data } = await untilEvent(session, 'agent.started');
  await untilEvent(session, 'turn.started', () => session.state.turnCount === 2);
  process.kill(data.pid, 'SIGKILL');
  expect((await outcome).end).toMatchObject({ kind: 'failed', failure: 'agent_exited' });
});

test.for([
  ['a missing program', ['no-such-agent'], /program "no-such-agent" was not found/],
  ['a file that is not executable', ['./plain'], /plain is not executable/],
  ['a directory', ['./folder'], /folder is a directory, not a program/],
  ['a missing interpreter', ['./script'], /script names the interpreter \/no\/such\/thing/],
  ['no command', [], /no command/],
  ['a program that exits', [process.execPath, fixture('exits-at-once')], /code 4.*no licence/s],
  ['a wanted sign-in', [process.execPath, fixture('refuses-session')], /Authentication required/],
] as const)('%s fails the turn and says so, and the session stays', async (row) => {
  const [, program, message] = row;
  const harness = await Harness.open({ entry: { command: program } });
  const { folder } = harness;
  writeFileSync(join(folder, 'plain'), 'text');
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'script'), '#!/no/such/thing\n');
  chmodSync(join(folder, 'script'), 0o755);
  const session = await harness.create('any');
  for (let round = 0; round < 2; round += 1) {
    const { end } = await session.prompt(command('x'));
    expect(end).toHaveProperty('message', expect.stringMatching(message));
    expect(end).toHaveProperty('failure', expect.stringMatching(/agent_start|auth_required/));
  }
  expect(await harness.eventsOf(session, 'agent.started')).toEqual([]);
});

test('a working directory that has gone fails the turn and says so', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  rmSync(harness.folder, { recursive: true });
  const { end } = await session.prompt(command('x'));
  expect(end).toHaveProperty(
    'message',
    expect.stringMatching(/working directory .* does not exist/),
  );
});

test.for([
  ['never-initializes', 'initialize', undefined],
  ['never-creates', 'session/new', undefined],
  ['answers-junk', 'initialize', undefined],
  ['any', 'initialize', ['sleep', '1000']],
  ['any', 'initialize', ['cat']],
] as const)('%s is given up at %s and five attempts leave no process', async (row) => {
  const [agent, step, program] = row;
  const command_ = program ?? [process.execPath, fixture(agent)];
  // To come further than to the first step, a program has to have started.
  const startTimeoutMs = step === 'initialize' ? 300 : 1500;
  const entry = { command: command_, startTimeoutMs };
  const harness = await Harness.open({ entry, settings: { eofGraceMs: 50, termGraceMs: 50 } });
  const session = await harness.create(agent);
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { end } = await session.prompt(command('x'));
      expect(end).toMatchObject({ kind: 'failed', failure: 'agent_start' });
      expect(end).toHaveProperty('message', expect.stringContaining(step));
      expect(end).toHaveProperty('message', expect.stringContaining(command_.join(' ')));
    }),
  );
  expect(markedProcesses(session.id)).toEqual([]);
});

test('lines that are no messages are never answered, so nothing goes to and fro for ever (B12)', async () => {
  const harness = await Harness.open({ entry: { startTimeoutMs: 300 } });
  const session = await harness.create('answers-junk');
  expect((await session.prompt(command('x'))).end).toMatchObject({ failure: 'agent_start' });
  expect(harness.said('out')).toEqual(['initialize', '$/cancel_request']);
});

test('an agent whose answer cannot be read is given up with the line that it stands on (B03)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const harness = await Harness.open();
  const session = await harness.create('spoils-answers');
  const outcome = session.prompt(command('x'));
  while (!harness.said('in').includes('session/update')) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.advanceTimersByTime(START_TIMEOUT_MS);
  expect((await outcome).end).toHaveProperty(
    'message',
    expect.stringMatching(/Loading\n.*"protocolVersion":1.* 50%$/),
  );
});

test('agents of other sessions do not notice that one dies', async () => {
  const harness = await Harness.open();
  const other = await harness.create('cooperative');
  const running = other.prompt(command('long'));
  await untilSaid(other, 'started');
  const session = await harness.create('dies-mid-turn');
  await session.prompt(command('x'));
  other.cancel({ kind: 'host' });
  expect((await running).end).toEqual({ kind: 'stopped', stopReason: 'cancelled' });
});

test(
  'agents that are killed at any moment leave sessions that work',
  { timeout: 60_000 },
  async () => {
    const harness = await Harness.open();
    for (let round = 0; round < 15; round += 1) {
      const session = await harness.create('streams-slowly');
      const outcome = session.prompt(command('100'));
      if (round % 3 === 0) await untilProcess(session.id);
      else await untilEvent(session, 'update', () => session.headSeq >= round * 2);
      for (const pid of markedProcesses(session.id)) process.kill(pid, 'SIGKILL');
      const { end } = await outcome;
      expect(end).toMatchObject({ kind: 'failed' });
      expect(end).toHaveProperty('failure', expect.stringMatching(/^agent_(start|exited)$/));
      expect((await session.prompt(command('2'))).end).toEqual(END_TURN);
      const texts = textsOf(await harness.events(session));
      const before = texts.slice(0, -2);
      expect(before).toEqual(before.map((_, n) => `chunk ${n + 1}`));
      await harness.host.closeSession(session.id);
    }
  },
);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process of the session exists. */
async function untilProcess(sessionId: string): Promise<void> {
  while (markedProcesses(sessionId).length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a spawned program does not see the marks of another session', () => {
  expect(markedProcesses('no-such-session')).toEqual([]);
  const child = spawn('sleep', ['1000'], { env: { SIGNALBOX_SESSION: 'a-session' } });
  const { pid } = child;
  return new Promise<void>((resolve) => {
    child.once('spawn', () => {
      expect(markedProcesses('a-session')).toEqual([pid]);
      expect(markedProcesses('a-sess')).toEqual([]);
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  });
});
