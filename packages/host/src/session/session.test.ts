import { RawJson, SimulatedClock } from '@signalbox/acp';
import {
  createMemoryJournal,
  createTranscript,
  decodeEvent,
  encodeEvent,
  INITIAL_STATE,
  reduceAll,
  type Actor,
  type AgentExit,
  type PromptId,
  type SessionEvent,
  type SessionId,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import type { AgentEvents, AgentLink } from '../agents/agent-link.ts';
import { DEFAULT_SETTINGS } from '../hosting/host-options.ts';
import { Session } from './session.ts';

const sessionId = 's' as SessionId;
const by: Actor = { kind: 'client', name: 'test' };
const EXIT: AgentExit = { code: 0, signal: null, stderrTail: '', noiseCount: 0 };
const content = new RawJson('[]');

/** A session on a fake agent that answers each prompt at once, and never says anything else. */
async function setUp() {
  const journal = createMemoryJournal();
  const clock = new SimulatedClock();
  const lives: AgentEvents[] = [];
  const link: AgentLink = {
    start: (events) => {
      lives.push(events);
      return Promise.resolve({
        pid: lives.length,
        startTime: '1',
        agentSessionId: 'inner',
        restoredBy: 'new',
        initialized: content,
        session: content,
        settingUpdates: [],
        request: () => Promise.resolve(content),
        notify: () => undefined,
        prompt: () => Promise.resolve({ kind: 'result', stopReason: 'end_turn' }),
        cancel: () => undefined,
        end: () => {
          events.onExit(EXIT);
          return Promise.resolve();
        },
      });
    },
  };
  const created: SessionEvent = {
    type: 'session.created',
    time: 0,
    data: { sessionId, cwd: '/', agent: 'fake', command: [] },
  };
  const at = { generation: 1, expectedSeq: 0 };
  const seq = await journal.append(sessionId, at, [{ body: encodeEvent(created) }]);
  const session = new Session({
    sessionId,
    journal,
    generation: 1,
    seq,
    state: reduceAll(INITIAL_STATE, [created]),
    settings: DEFAULT_SETTINGS,
    link,
    clock,
    services: {
      attach: () => () => undefined,
      isAsking: false,
      startFor: () => () => undefined,
      endTurn: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    turnIdleMs: 1000,
    hibernateAfterMs: 100_000,
    endUnusedAfterMs: 100_000,
    readTranscript: () => Promise.resolve(createTranscript()),
    onCommitted: () => undefined,
    onChanged: () => undefined,
    onLeft: () => undefined,
    onAtRest: () => undefined,
  });
  const types = async (): Promise<string[]> =>
    (await journal.read(sessionId, 0, Infinity)).map(({ body }) => decodeEvent(body).type);
  return { clock, journal, lives, session, types };
}

test('a session that was closed holds no timers and takes nothing any more', async () => {
  const { clock, session } = await setUp();
  await session.prompt({ content, by });
  await session.close();
  expect(clock.timerCount).toBe(0);
  await expect(session.prompt({ content, by })).rejects.toMatchObject({ code: 'closed' });
  session.cancel(by);
  expect(session.hasFailed).toBe(false);
});

test('closing takes turns that were asked for before with it, and refuses those asked for behind', async () => {
  const { session, types } = await setUp();
  const before = [session.prompt({ content, by }), session.prompt({ content, by })];
  const closed = session.close();
  await expect(session.prompt({ content, by })).rejects.toMatchObject({ code: 'closed' });
  await closed;
  for (const outcome of before) {
    expect((await outcome).end).toEqual({ kind: 'stopped', stopReason: 'cancelled' });
  }
  expect(session.state).toMatchObject({ turn: { kind: 'idle' }, agent: { kind: 'absent' } });
  expect((await types()).filter((type) => type === 'turn.started')).toHaveLength(1);
});

test('a log that cannot be written leaves no timer and no caller waiting', async () => {
  const { clock, journal, session } = await setUp();
  await session.prompt({ content, by });
  await journal.close();
  const waiting = [session.prompt({ content, by }), session.prompt({ content, by })];
  for (const outcome of waiting) {
    await expect(outcome).rejects.toMatchObject({ code: 'journal_failed' });
  }
  await session.close();
  expect(clock.timerCount).toBe(0);
  expect(session.failure?.code).toBe('journal_failed');
});

test('a prompt that crosses the exit of its idle agent runs on a new one', async () => {
  const { lives, session } = await setUp();
  await session.prompt({ content, by });
  const crossing = session.prompt({ content, by });
  lives[0]?.onExit(EXIT);
  expect((await crossing).end.kind).toBe('stopped');
  expect(lives).toHaveLength(2);
});

test('the same prompt again joins the one under way, and is told the outcome of one that has ended', async () => {
  const { session, types } = await setUp();
  const promptId = 'prompt-of-a-client' as PromptId;
  const both = [
    session.prompt({ content, by, promptId }),
    session.prompt({ content, by, promptId }),
  ];
  const [first, second] = await Promise.all(both);
  expect(second).toEqual(first);
  const again = await session.prompt({ content, by, promptId });
  expect(again.end).toEqual(first?.end);
  expect((await types()).filter((type) => type === 'turn.started')).toHaveLength(1);
});

test('another content under the id of a prompt is refused, and the first one is left alone', async () => {
  const { session } = await setUp();
  const promptId = 'prompt-of-a-client' as PromptId;
  const other = new RawJson('["other"]');
  const first = session.prompt({ content, by, promptId });
  const conflict = { code: 'prompt_conflict' };
  await expect(session.prompt({ content: other, by, promptId })).rejects.toMatchObject(conflict);
  expect((await first).end.kind).toBe('stopped');
  await expect(session.prompt({ content: other, by, promptId })).rejects.toMatchObject(conflict);
});
