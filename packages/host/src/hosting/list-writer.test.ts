import {
  createMemoryJournal,
  INITIAL_STATE,
  type PromptId,
  type SessionId,
  type SessionState,
  type TurnId,
} from '@signalbox/core';
import { RawJson } from '@signalbox/acp';
import { expect, test } from 'vitest';
import { ListWriter } from './list-writer.ts';
import { SessionList } from './session-list.ts';

const sessionId = 's' as SessionId;
const ids = { turnId: 't' as TurnId, promptId: 'p' as PromptId };
const idle: SessionState = { ...INITIAL_STATE, sessionId, cwd: '/', agentName: 'a' };

function running(text: string): SessionState {
  const content = new RawJson(JSON.stringify([{ type: 'text', text }]));
  return {
    ...idle,
    turnCount: 1,
    turn: { kind: 'running', ...ids, content, hasStartedAgent: false, startedAt: 0 },
  };
}

const finished: SessionState = {
  ...idle,
  turnCount: 1,
  lastTurn: { ...ids, end: { kind: 'stopped', stopReason: 'end_turn' } },
};

test('the newest state wins, and the title of a state that was passed over is kept', async () => {
  const list = new SessionList(createMemoryJournal().records);
  const writer = new ListWriter(list, (_, error) => expect.fail(String(error)));
  writer.note(INITIAL_STATE, 0);
  writer.note(idle, 1);
  writer.note(running('  what\n to do '), 2);
  writer.note(finished, 3);
  await writer.whenWritten(sessionId);
  expect(await list.list({ limit: 9 })).toEqual([
    {
      sessionId,
      cwd: '/',
      agent: 'a',
      title: 'what to do',
      createdAt: 1,
      updatedAt: 3,
      turnCount: 1,
      status: 'end_turn',
    },
  ]);
});

test('a write that fails is told, and the next change is written all the same', async () => {
  const { records } = createMemoryJournal();
  let isBroken = true;
  const put: typeof records.create = (key, value) =>
    isBroken ? Promise.reject(new Error('full')) : records.create(key, value);
  const list = new SessionList({ ...records, create: put });
  const failed: unknown[] = [];
  const writer = new ListWriter(list, (id, error) => failed.push([id, String(error)]));
  writer.note(idle, 1);
  await writer.whenWritten(sessionId);
  expect(failed).toEqual([['s', 'Error: full']]);
  isBroken = false;
  writer.note(finished, 2);
  await writer.whenWritten(sessionId);
  expect((await list.get(sessionId))?.status).toBe('end_turn');
});

test('a title is cut between characters, and a very long one is not read to its end', async () => {
  const list = new SessionList(createMemoryJournal().records);
  const writer = new ListWriter(list, (_, error) => expect.fail(String(error)));
  writer.note(running('😀'.repeat(10_000_000)), 1);
  await writer.whenWritten(sessionId);
  expect((await list.get(sessionId))?.title).toBe(`${'😀'.repeat(79)}…`);
});
