import { RawJson } from '@signalbox/acp';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { START_TIMEOUT_MS } from '../../packages/host/src/agents/agent-entry.ts';
import type { Session } from '../../packages/host/src/index.ts';
import { command, Harness, ME } from './harness.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A session with an agent that has others than its first settings by now. */
async function open(SETTING: string): Promise<{ harness: Harness; session: Session }> {
  const harness = await Harness.open({ entry: { env: { SETTING } } });
  const session = await harness.create('odd-settings');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  return { harness, session };
}

/** Lets the time pass in which the agent has to answer a message of this method. */
async function neverAnswer(harness: Harness, method: string): Promise<void> {
  while (!harness.said('out').includes(method)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.advanceTimersByTime(START_TIMEOUT_MS);
}

const CHANGES: readonly [what: string, method: string, (session: Session) => Promise<unknown>][] = [
  ['mode', 'session/set_mode', (session) => session.agentCalls.setMode('ask', ME)],
  [
    'option',
    'session/set_config_option',
    (session) => session.agentCalls.setConfigOption(new RawJson('{"configId":"model"}'), ME),
  ],
];

test.each(CHANGES)('a change of its %s that an agent never answers is given up', async (...row) => {
  const [, method, change] = row;
  const { harness, session } = await open('silent');
  const changed = expect(change(session)).rejects.toMatchObject({ code: 'timeout' });
  await neverAnswer(harness, method);
  await changed;
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
});

test.each(CHANGES)('a change of its %s in which an agent dies says how (B21)', async (...row) => {
  const [, , change] = row;
  const { session } = await open('dies');
  await expect(change(session)).rejects.toThrow(/exit code 7.*403 blocked by policy/);
});

test('a start in which an agent never answers how it is to be set is given up at that step (B25)', async () => {
  const { harness, session } = await open('silent');
  await session.endAgent();
  const outcome = session.prompt(command('x'));
  await neverAnswer(harness, 'session/set_mode');
  expect((await outcome).end).toMatchObject({
    failure: 'agent_start',
    message: expect.stringContaining('did not start, at session/set_mode') as string,
  });
});

test.each(['{}', 'null', '[]', '"fine"', '{"configOptions":{"no":"list"}}'])(
  'a session whose agent answers %s when it is set again is not lost',
  async (answer) => {
    const { session } = await open(answer);
    await session.endAgent();
    expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  },
);
