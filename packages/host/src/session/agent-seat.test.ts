import { RawJson, SimulatedClock } from '@signalbox/acp';
import type {
  AgentExit,
  PermissionOutcome,
  PromptAnswer,
  SessionInput,
  TurnId,
} from '@signalbox/core';
import { expect, test } from 'vitest';
import type { AgentEvents, AgentLink, RunningAgent } from '../agents/agent-link.ts';
import { HostError } from '../host-error.ts';
import { AgentSeat } from './agent-seat.ts';

const EXIT: AgentExit = { code: 0, signal: null, stderrTail: '', noiseCount: 0 };
const CONTENT = new RawJson('[]');
const turnId = 'turn' as TurnId;

/** One start of the fake agent, moved by the test. */
interface Start {
  readonly events: AgentEvents;
  readonly signal: AbortSignal;
  readonly said: string[];
  ready(): void;
  fail(error: Error): void;
  exit(): void;
  answer(answer: PromptAnswer | undefined): void;
}

function setUp() {
  const clock = new SimulatedClock(1000);
  const starts: Start[] = [];
  const inputs: SessionInput[] = [];
  const link: AgentLink = {
    start: (events, signal) =>
      new Promise((resolve, reject) => {
        const said: string[] = [];
        let answerPrompt: ((answer: PromptAnswer | undefined) => void) | undefined;
        const gone = Promise.withResolvers<void>();
        const exit = (): void => {
          events.onExit(EXIT);
          gone.resolve();
        };
        const agent: RunningAgent = {
          pid: starts.length + 1,
          startTime: '1',
          agentSessionId: 'inner',
          restoredBy: 'new',
          initialized: CONTENT,
          session: CONTENT,
          settingUpdates: [],
          request: () => Promise.resolve(CONTENT),
          notify: () => undefined,
          prompt: () => {
            said.push('prompt');
            return new Promise((answered) => (answerPrompt = answered));
          },
          cancel: () => said.push('cancel'),
          end: () => {
            said.push('end');
            return gone.promise;
          },
        };
        starts.push({
          events,
          signal,
          said,
          ready: () => resolve(agent),
          fail: reject,
          exit,
          answer: (answer) => answerPrompt?.(answer),
        });
      }),
  };
  const seat = new AgentSeat({
    link,
    clock,
    post: (input) => inputs.push(input),
    whenRoom: () => undefined,
    history: () => undefined,
    onReady: () => undefined,
  });
  const kinds = (): string[] => inputs.map(({ kind }) => kind);
  return { clock, starts, inputs, kinds, seat };
}

/** Lets everything happen that needs no more than promises. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

async function running() {
  const parts = setUp();
  parts.seat.start();
  await settle();
  parts.starts[0]?.ready();
  await settle();
  return parts;
}

test('starts one agent however often it is asked to', async () => {
  const { seat, starts, kinds } = setUp();
  seat.start();
  seat.start();
  await settle();
  seat.start();
  expect(starts).toHaveLength(1);
  starts[0]?.ready();
  await settle();
  seat.start();
  await settle();
  expect(starts).toHaveLength(1);
  expect(kinds()).toEqual(['agent_started']);
});

test('a start that is given up at once starts nothing', async () => {
  const { seat, starts, kinds } = setUp();
  seat.start();
  await seat.end();
  expect(starts).toEqual([]);
  expect(kinds()).toEqual([]);
});

test('tells why a start failed, and can start again', async () => {
  const { seat, starts, inputs } = setUp();
  seat.start();
  await settle();
  starts[0]?.exit();
  starts[0]?.fail(new HostError('auth_required', 'sign in'));
  await settle();
  expect(inputs).toMatchObject([
    { kind: 'agent_start_failed', message: 'sign in', authRequired: true },
  ]);
  seat.start();
  await settle();
  expect(starts).toHaveLength(2);
});

test('a link that fails at once is a start that failed', async () => {
  const inputs: SessionInput[] = [];
  const seat = new AgentSeat({
    link: {
      start: () => {
        throw new Error('at once');
      },
    },
    clock: new SimulatedClock(),
    post: (input) => inputs.push(input),
    whenRoom: () => undefined,
    history: () => undefined,
    onReady: () => undefined,
  });
  seat.start();
  await settle();
  seat.start();
  await settle();
  expect(inputs).toMatchObject([{ message: 'at once' }, { message: 'at once' }]);
});

test('ending during the start waits for it, and tells of no failure', async () => {
  const { seat, starts, kinds } = setUp();
  seat.start();
  await settle();
  let isEnded = false;
  const ended = seat.end().then(() => (isEnded = true));
  await settle();
  expect(starts[0]?.signal.aborted).toBe(true);
  expect(isEnded).toBe(false);
  starts[0]?.fail(new Error('given up'));
  await ended;
  expect(kinds()).toEqual([]);
});

test('an agent that becomes ready in the moment of being given up is ended', async () => {
  const { seat, starts, kinds } = setUp();
  seat.start();
  await settle();
  starts[0]?.ready();
  const ended = seat.end();
  await settle();
  expect(starts[0]?.said).toEqual(['end']);
  starts[0]?.exit();
  await ended;
  expect(kinds()).toEqual([]);
  seat.start();
  await settle();
  expect(starts).toHaveLength(2);
});

test('a start that is wanted while the one before is given up follows it', async () => {
  const { seat, starts, kinds } = setUp();
  seat.start();
  await settle();
  const ended = seat.end();
  seat.start();
  seat.start();
  await settle();
  expect(starts).toHaveLength(1);
  starts[0]?.fail(new Error('given up'));
  await ended;
  await settle();
  expect(starts).toHaveLength(2);
  starts[1]?.ready();
  await settle();
  expect(kinds()).toEqual(['agent_started']);
});

test('a start that is wanted while the agent is being ended follows its exit', async () => {
  const { seat, starts, kinds } = await running();
  const ended = seat.end();
  seat.start();
  await settle();
  expect(starts).toHaveLength(1);
  starts[0]?.exit();
  await ended;
  await settle();
  expect(starts).toHaveLength(2);
  expect(kinds()).toEqual(['agent_started', 'agent_exited']);
});

test('ending again takes a wanted start back', async () => {
  const { seat, starts } = await running();
  const ended = seat.end();
  seat.start();
  const again = seat.end();
  starts[0]?.exit();
  await Promise.all([ended, again]);
  await settle();
  expect(starts).toHaveLength(1);
  expect(starts[0]?.said).toEqual(['end']);
});

test('an exit that comes before the news of the start is told behind it', async () => {
  const { seat, starts, kinds, inputs } = setUp();
  seat.start();
  await settle();
  starts[0]?.ready();
  starts[0]?.exit();
  await settle();
  expect(kinds()).toEqual(['agent_started', 'agent_exited']);
  expect(inputs[1]).toMatchObject({ isExpected: false });
  seat.start();
  await settle();
  expect(starts).toHaveLength(2);
});

test.for([
  [false, 'by itself'],
  [true, 'because it was told to'],
] as const)('says whether an exit was expected (%s)', async ([isExpected]) => {
  const { seat, starts, inputs } = await running();
  const ended = isExpected ? seat.end() : undefined;
  starts[0]?.exit();
  await ended;
  expect(inputs[1]).toMatchObject({ kind: 'agent_exited', isExpected });
});

test('prompts and cancels reach a running agent only', async () => {
  const { seat, starts, inputs } = await running();
  seat.prompt(turnId, CONTENT);
  seat.cancel();
  expect(starts[0]?.said).toEqual(['prompt', 'cancel']);
  starts[0]?.answer({ kind: 'result', stopReason: 'end_turn' });
  await settle();
  expect(inputs[1]).toMatchObject({ kind: 'prompt_answered', turnId });
  const ended = seat.end();
  seat.prompt(turnId, CONTENT);
  seat.cancel();
  starts[0]?.exit();
  await ended;
  seat.prompt(turnId, CONTENT);
  seat.cancel();
  expect(starts[0]?.said).toEqual(['prompt', 'cancel', 'end']);
});

test('a prompt that the end of the agent cut off is told by the exit alone', async () => {
  const { seat, starts, kinds } = await running();
  seat.prompt(turnId, CONTENT);
  starts[0]?.answer(undefined);
  starts[0]?.exit();
  await settle();
  expect(kinds()).toEqual(['agent_started', 'agent_exited']);
});

test('a permission request gets its answer, or the end of its agent', async () => {
  const { seat, starts, inputs } = await running();
  const request = {
    toolCall: { toolCallId: 'x' },
    toolCallRaw: CONTENT,
    options: [],
    optionsRaw: CONTENT,
  };
  const ask = () => starts[0]?.events.onPermission(request);
  const [first, second] = [ask(), ask()];
  const asked = inputs[1] as Extract<SessionInput, { kind: 'permission_requested' }>;
  const outcome: PermissionOutcome = { kind: 'selected', optionId: 'yes' };
  seat.answerPermission(asked.permissionId, outcome);
  seat.answerPermission(asked.permissionId, { kind: 'cancelled' });
  expect(await first).toEqual(outcome);
  starts[0]?.exit();
  expect(await second).toEqual({ kind: 'cancelled' });
});

test('knows when something last happened', async () => {
  const { clock, seat, starts } = await running();
  expect(seat.lastActivityAt).toBe(1000);
  clock.advance(5);
  seat.prompt(turnId, CONTENT);
  expect(seat.lastActivityAt).toBe(1005);
  clock.advance(5);
  starts[0]?.events.onUpdate(CONTENT, undefined);
  expect(seat.lastActivityAt).toBe(1010);
});
