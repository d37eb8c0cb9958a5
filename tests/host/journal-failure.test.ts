import { CoreError, createMemoryJournal, type Journal } from '@signalbox/core';
import { expect, test } from 'vitest';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import { command, Harness, ME, textsOf, untilEvent, untilSaid } from './harness.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };

/** Writes that a journal may refuse. */
type Writes = 'nothing' | 'everything' | 'logs' | 'records';

/** A journal whose writes of one sort fail, for as long as `fails` says so. */
function failing(): Journal & { fails: Writes } {
  const journal = createMemoryJournal();
  const { records } = journal;
  const state = { fails: 'nothing' as Writes };
  const guard = <A extends unknown[], R>(sort: Writes, write: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (state.fails === 'everything' || state.fails === sort) {
        throw new CoreError('journal_write_failed', 'no space is left');
      }
      return write(...args);
    };
  };
  return Object.assign(state, {
    ...journal,
    append: guard('logs', (...args: Parameters<Journal['append']>) => journal.append(...args)),
    delete: guard('logs', (id: string) => journal.delete(id)),
    records: {
      ...records,
      create: guard('records', (key: string, value: string) => records.create(key, value)),
      put: guard('records', (...args: [string, string, number]) => records.put(...args)),
      delete: guard('records', (...args: [string, number?]) => records.delete(...args)),
    },
  });
}

test('while the log cannot be written nothing is done and callers are told; later the session works again', async () => {
  const journal = failing();
  const harness = await Harness.open({ journal });
  const session = await harness.create('chunks');
  await session.prompt(command('1'));
  const before = await harness.events(session);
  const wireLength = harness.wire.length;
  journal.fails = 'everything';
  await expect(session.prompt(command('2'))).rejects.toMatchObject({ code: 'journal_failed' });
  await expect(session.prompt(command('3'))).rejects.toMatchObject({ code: 'journal_failed' });
  await expect(session.answerPermission('p' as never, 'x', ME)).rejects.toMatchObject({
    code: 'journal_failed',
  });
  expect(harness.wire).toHaveLength(wireLength);
  expect(await harness.events(session)).toEqual(before);
  await expect(harness.host.openSession(session.id)).rejects.toMatchObject({
    code: 'journal_write_failed',
  });
  journal.fails = 'nothing';
  const again = await harness.host.openSession(session.id);
  expect(again).not.toBe(session);
  expect((await again.prompt(command('1'))).end).toEqual(END_TURN);
});

test('a log that fails during a turn ends the agent, and the turn is recorded as interrupted', async () => {
  const journal = failing();
  const harness = await Harness.open({ journal });
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  journal.fails = 'everything';
  await expect(outcome).rejects.toMatchObject({ code: 'journal_failed' });
  journal.fails = 'nothing';
  const again = await harness.host.openSession(session.id);
  // Only now, when the failed session's agent is gone, may another one start.
  expect(markedProcesses(session.id)).toEqual([]);
  expect((await again.prompt(command('fine'))).end).toEqual(END_TURN);
  const ends = await harness.eventsOf(session.id, 'turn.finished');
  expect(ends.map(({ data }) => data.end)).toMatchObject([{ failure: 'interrupted' }, END_TURN]);
});

test('a permission answer that cannot be stored does not reach the agent', async () => {
  const journal = failing();
  const harness = await Harness.open({ journal });
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(command(JSON.stringify({ options: ['allow_once'] })));
  const rejected = expect(outcome).rejects.toMatchObject({ code: 'journal_failed' });
  const { data } = await untilEvent(session, 'permission.requested');
  journal.fails = 'everything';
  await expect(
    session.answerPermission(data.permissionId, 'id-allow_once', ME),
  ).rejects.toMatchObject({ code: 'journal_failed' });
  await rejected;
  await session.close();
  expect(harness.said('out').join()).not.toContain('selected');
  expect(textsOf(await harness.events(session))).toEqual([]);
  journal.fails = 'nothing';
});

test('a session that failed is set right when it is closed and the log can be written again', async () => {
  const journal = failing();
  const harness = await Harness.open({ journal });
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  journal.fails = 'everything';
  await expect(outcome).rejects.toMatchObject({ code: 'journal_failed' });
  journal.fails = 'nothing';
  await harness.host.closeSession(session.id);
  const events = await harness.events(session);
  expect(events.at(-1)).toMatchObject({
    type: 'turn.finished',
    data: { end: { failure: 'interrupted' } },
  });
  expect(await harness.host.listSessions({ limit: 10 })).toMatchObject([{ status: 'interrupted' }]);
});

test('a session that failed and could not be set right is found by the next host', async () => {
  const journal = failing();
  const first = await Harness.open({ journal: { ...journal, close: () => Promise.resolve() } });
  const session = await first.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  journal.fails = 'everything';
  await expect(outcome).rejects.toMatchObject({ code: 'journal_failed' });
  await first.host.close();
  expect(first.problems.map(({ kind }) => kind)).toContain('recovery_failed');
  journal.fails = 'nothing';
  const second = await Harness.open({ journal });
  expect(await second.host.listSessions({ limit: 10 })).toMatchObject([{ status: 'interrupted' }]);
  expect((await second.events(session)).at(-1)?.type).toBe('turn.finished');
});

test('a list that cannot be written holds up no turn', async () => {
  const journal = failing();
  const harness = await Harness.open({ journal });
  const session = await harness.create('chunks');
  journal.fails = 'records';
  expect((await session.prompt(command('1'))).end).toEqual(END_TURN);
  expect(new Set(harness.problems.map(({ kind }) => kind))).toEqual(new Set(['list_failed']));
  journal.fails = 'nothing';
  expect((await session.prompt(command('1'))).end).toEqual(END_TURN);
  await harness.host.closeSession(session.id);
  expect(await harness.host.listSessions({ limit: 10 })).toMatchObject([
    { status: 'end_turn', turnCount: 2 },
  ]);
});

test('a session that cannot be created leaves nothing', async () => {
  const journal = failing();
  const harness = await Harness.open({ journal });
  journal.fails = 'logs';
  await expect(harness.create('chunks')).rejects.toMatchObject({ code: 'journal_write_failed' });
  journal.fails = 'nothing';
  expect(await harness.host.listSessions({ limit: 10 })).toEqual([]);
  expect(await journal.records.list('')).toEqual([]);
});

test('an owner whose log somebody else has taken over stops its agent', async () => {
  const harness = await Harness.open();
  const session = await harness.create('ignores-cancel');
  const outcome = session.prompt(command('long'));
  await untilSaid(session, 'OLD');
  const rejected = expect(outcome).rejects.toMatchObject({ code: 'journal_failed' });
  for (;;) {
    const { seq, generation } = await harness.journal.head(session.id);
    const at = { generation: generation + 1, expectedSeq: seq };
    const dropped = { type: 'prompt.dropped', time: 1, data: { promptId: 'p', by: ME } };
    const appended = harness.journal.append(session.id, at, [{ body: JSON.stringify(dropped) }]);
    if (await appended.catch(() => 0)) break;
  }
  await rejected;
  await session.close();
  expect(markedProcesses(session.id)).toEqual([]);
  expect((await harness.events(session)).at(-1)?.type).toBe('prompt.dropped');
});
