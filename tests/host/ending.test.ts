import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, Harness, textsOf, untilEvent } from './harness.ts';

/** Whether a process still runs. One that was killed may wait for a while to be reaped. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return false;
  }
}

test('an agent has time to store its history behind the end of its input', async () => {
  const harness = await Harness.open({ settings: { eofGraceMs: 5000 } });
  const marker = join(harness.folder, 'marker');
  const other = await Harness.open({
    entry: { env: { MARKER: marker } },
    settings: { eofGraceMs: 5000 },
  });
  const session = await other.create('saves-on-eof');
  await session.prompt(command('x'));
  await other.host.closeSession(session.id);
  expect(existsSync(marker)).toBe(true);
  const [exited] = await other.eventsOf(session, 'agent.exited');
  expect(exited?.data).toMatchObject({ code: 0, signal: null, isExpected: true });
});

test('an agent that ignores the end of its input and SIGTERM is killed', async () => {
  const harness = await Harness.open();
  const session = await harness.create('stubborn');
  await session.prompt(command('x'));
  const { data } = await untilEvent(session, 'agent.started');
  await harness.host.closeSession(session.id);
  expect(isRunning(data.pid)).toBe(false);
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data).toMatchObject({ code: null, signal: 'SIGKILL', isExpected: true });
});

test('an agent that ignores only the end of its input is told by SIGTERM', async () => {
  const harness = await Harness.open();
  const session = await harness.create('stops-reading');
  await session.prompt(command('x'));
  await session.endAgent();
  const [exited] = await harness.eventsOf(session, 'agent.exited');
  expect(exited?.data).toMatchObject({ code: null, signal: 'SIGTERM', isExpected: true });
});

test('grandchildren end with the agent, in its group and outside of it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('leaves-children');
  await session.prompt(command('x'));
  const pids = textsOf(await harness.events(session))
    .join(' ')
    .split(' ')
    .map(Number);
  expect(pids).toHaveLength(2);
  expect(pids.map(isRunning)).toEqual([true, true]);
  await harness.host.closeSession(session.id);
  expect(pids.map(isRunning)).toEqual([false, false]);
});

test('a child in the agent’s group has its own time to end behind SIGTERM', async () => {
  const harness = await Harness.open();
  const file = join(harness.folder, 'saved');
  const entry = { env: { SAVES_AFTER_TERM: file } };
  const other = await Harness.open({ entry, settings: { termGraceMs: 5000 } });
  const session = await other.create('leaves-children');
  await session.prompt(command('x'));
  await other.host.closeSession(session.id);
  expect(existsSync(file)).toBe(true);
});

test('closing again, and ending an agent that has ended, is the same as once', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  await session.prompt(command('1'));
  await Promise.all([session.endAgent(), session.endAgent(), session.close(), session.close()]);
  await harness.host.closeSession(session.id);
  await harness.host.closeSession(session.id);
  expect(await harness.eventsOf(session, 'agent.exited')).toHaveLength(1);
});

test('an agent that was ended is started again for the next prompt', async () => {
  const harness = await Harness.open();
  const session = await harness.create('chunks');
  for (let round = 0; round < 3; round += 1) {
    expect((await session.prompt(command('1'))).end.kind).toBe('stopped');
    await session.endAgent();
    expect(session.state.agent.kind).toBe('absent');
  }
});

test('ending an agent while it is starting cancels the turn that waits for it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('never-initializes');
  const outcome = session.prompt(command('x'));
  await untilEvent(session, 'turn.started');
  await session.endAgent();
  expect((await outcome).end).toEqual({ kind: 'stopped', stopReason: 'cancelled' });
});
