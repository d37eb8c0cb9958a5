import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryJournal, type SessionId } from '@signalbox/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteJournal } from '../../packages/host/src/index.ts';
import { command, Harness } from './harness.ts';
import { Runner } from './runner.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-owner-'));
  file = join(folder, 'journal.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function holding(runner: Runner): Promise<{ sessionId: SessionId; agentPid: number }> {
  const [, sessionId = '', pid] = (await runner.untilLine('holding'))?.split(' ') ?? [];
  return { sessionId: sessionId as SessionId, agentPid: Number(pid) };
}

test('a session that another process runs cannot be opened or deleted, but read', async () => {
  const runner = new Runner(file, folder, 'hold');
  const { sessionId } = await holding(runner);
  const harness = await Harness.open({ journal: await openSqliteJournal({ file }) });
  const { host } = harness;
  await expect(host.openSession(sessionId)).rejects.toMatchObject({ code: 'session_in_use' });
  await expect(host.deleteSession(sessionId)).rejects.toMatchObject({ code: 'session_in_use' });
  expect((await harness.events(sessionId)).at(-1)?.type).toBe('update');
  expect(await host.listSessions({ limit: 10 })).toMatchObject([{ sessionId, status: 'running' }]);
  await runner.kill();
  // The same host takes over now that the owner is dead, without being opened anew.
  const session = await host.openSession(sessionId);
  const [end] = await harness.eventsOf(sessionId, 'turn.finished');
  expect(end?.data.end).toMatchObject({ kind: 'failed', failure: 'interrupted' });
  expect((await session.prompt(command('fine'))).end).toEqual(END_TURN);
});

test('a host that is opened sets right what a dead one left, and ends its agent', async () => {
  const runner = new Runner(file, folder, 'hold');
  const { sessionId, agentPid } = await holding(runner);
  await runner.kill();
  const harness = await Harness.open({ journal: await openSqliteJournal({ file }) });
  expect(() => readFileSync(`/proc/${agentPid}/cmdline`, 'utf8').length > 0 && 'runs').not.toBe(
    'runs',
  );
  expect(await harness.host.listSessions({ limit: 10 })).toMatchObject([
    { sessionId, status: 'interrupted' },
  ]);
  expect(await harness.journal.records.list('owner/')).toEqual([]);
});

test('a command that a dead host left running has ended, also in the log and for people', async () => {
  const runner = new Runner(file, folder, 'command');
  const { sessionId } = await holding(runner);
  await runner.kill();
  const harness = await Harness.open({ journal: await openSqliteJournal({ file }) });
  const [exited] = await harness.eventsOf(sessionId, 'terminal.exited');
  expect(exited?.data).toMatchObject({ exitCode: null, signal: null, lost: true });
  const { terminals } = await harness.host.readTranscript(sessionId);
  expect([...terminals.values()]).toMatchObject([
    { argv: ['sleep', '1000'], exit: { lost: true } },
  ]);
});

test('two hosts of one process do not run one session at the same time', async () => {
  const first = await Harness.open({ journal: await openSqliteJournal({ file }) });
  const second = await Harness.open({ journal: await openSqliteJournal({ file }) });
  const session = await first.create('chunks');
  await expect(second.host.openSession(session.id)).rejects.toMatchObject({
    code: 'session_in_use',
  });
  await first.host.closeSession(session.id);
  const moved = await second.host.openSession(session.id);
  expect((await moved.prompt(command('1'))).end).toEqual(END_TURN);
  await expect(first.host.openSession(session.id)).rejects.toMatchObject({
    code: 'session_in_use',
  });
  await second.host.closeSession(session.id);
  expect((await first.host.openSession(session.id)).state.turnCount).toBe(1);
});

test('opening one session many times at once gives one session and one process', async () => {
  const harness = await Harness.open();
  const { id } = await harness.create('chunks');
  await harness.host.closeSession(id);
  const sessions = await Promise.all(
    Array.from({ length: 20 }, () => harness.host.openSession(id)),
  );
  expect(new Set(sessions).size).toBe(1);
  const outcomes = await Promise.all(sessions.map((session) => session.prompt(command('1'))));
  expect(outcomes.map(({ end }) => end)).toEqual(sessions.map(() => END_TURN));
  expect(await harness.eventsOf(id, 'agent.started')).toHaveLength(1);
});

test('opening, closing and deleting at once leaves either the session or nothing of it', async () => {
  const harness = await Harness.open();
  for (let round = 0; round < 20; round += 1) {
    const { id } = await harness.create('chunks');
    const { host } = harness;
    const results = await Promise.allSettled([
      host.openSession(id).then((session) => session.prompt(command('1'))),
      host.closeSession(id),
      host.openSession(id),
      host.deleteSession(id),
      host.openSession(id),
    ]);
    expect(results[3]?.status).toBe('fulfilled');
    expect(results[4]).toMatchObject({ reason: { code: 'session_not_found' } });
    expect(await harness.events(id)).toEqual([]);
  }
  expect(await harness.journal.records.list('')).toEqual([]);
});

test('deleting a session during a turn leaves nothing of it', async () => {
  const harness = await Harness.open();
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await harness.host.deleteSession(session.id);
  expect((await outcome).end).toMatchObject({ stopReason: 'cancelled' });
  expect(await harness.journal.records.list('')).toEqual([]);
  expect(await harness.journal.streams()).toEqual([]);
  await expect(harness.host.deleteSession(session.id)).rejects.toMatchObject({
    code: 'session_not_found',
  });
});

test('a host that is closed while sessions are made and opened leaves none of them open', async () => {
  const inner = createMemoryJournal();
  const journal = { ...inner, close: () => Promise.resolve() };
  const harness = await Harness.open({ journal });
  const { id } = await harness.create('chunks');
  await harness.host.closeSession(id);
  const results = Promise.allSettled([
    harness.create('chunks'),
    harness.host.openSession(id),
    harness.create('chunks'),
  ]);
  await harness.host.close();
  for (const result of await results) {
    if (result.status === 'fulfilled') {
      await expect(result.value.prompt(command('1'))).rejects.toMatchObject({ code: 'closed' });
    } else {
      expect(result.reason).toMatchObject({ code: 'closed' });
    }
  }
  expect(await inner.records.list('owner/')).toEqual([]);
  await expect(harness.create('chunks')).rejects.toMatchObject({ code: 'closed' });
});

test('steps that a crash cut off are finished or undone by the next host', async () => {
  const journal = createMemoryJournal();
  const { records } = journal;
  const dead = JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1', host: 'gone' });
  const created = (sessionId: string) => ({
    body: JSON.stringify({
      time: 1,
      type: 'session.created',
      data: { sessionId, cwd: '/tmp', agent: 'chunks', command: ['chunks'] },
    }),
  });
  // Made its owner record only; made its log, but no line of the list; deleted all but its line.
  for (const id of ['only-owner', 'no-line', 'no-log']) await records.create(`owner/${id}`, dead);
  await journal.append('no-line', { generation: 1, expectedSeq: 0 }, [created('no-line')]);
  await records.create('session/no-log', JSON.stringify({ sessionId: 'no-log' }));
  const harness = await Harness.open({ journal });
  expect(await harness.host.listSessions({ limit: 10 })).toMatchObject([
    { sessionId: 'no-line', status: 'new' },
  ]);
  expect(await records.list('owner/')).toEqual([]);
  expect(harness.problems).toEqual([]);
});

test('a log that cannot be read stops no other session and can be deleted', async () => {
  const journal = createMemoryJournal();
  const dead = JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1', host: 'gone' });
  for (const id of ['a-broken', 'b-empty']) await journal.records.create(`owner/${id}`, dead);
  await journal.append('a-broken', { generation: 1, expectedSeq: 0 }, [{ body: 'nonsense' }]);
  const harness = await Harness.open({ journal });
  const id = 'a-broken' as SessionId;
  expect(harness.problems).toMatchObject([{ kind: 'recovery_failed', sessionId: id }]);
  await expect(harness.host.openSession(id)).rejects.toMatchObject({ code: 'journal_corrupt' });
  await harness.host.deleteSession(id);
  expect(await journal.records.list('')).toEqual([]);
});
