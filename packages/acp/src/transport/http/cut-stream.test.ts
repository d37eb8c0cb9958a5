import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttingProxy } from '../../../../../tests/support/http/cutting-proxy.ts';
import { INITIALIZE, INITIALIZED } from '../../../../../tests/support/http/frames.ts';
import { HttpStage } from '../../../../../tests/support/http/http-stage.ts';
import {
  LoggedSession,
  stepsOf,
  type Step,
} from '../../../../../tests/support/http/logged-session.ts';
import { connectHttp } from './client/connect-http.ts';
import { createNodeFetch } from './client/node-fetch.ts';

/** Events of the log and messages that are in none, mixed in all ways. */
const STEPS: readonly Step[] = [
  { message: 1 },
  { event: 1 },
  { event: 2 },
  { message: 2 },
  { message: 3 },
  { event: 3 },
  { message: 4 },
  { event: 4 },
  { event: 5 },
];

/** Sessions that one client reads at the same time, each cut by a rule of its own. */
const AT_ONCE = 40;

/** How much of the next response to let through; undefined for everything, -1 for not even the header. */
type Rule = () => number | undefined;

/** How the steps are done. `paced`: each when the client has seen the one before. */
type Pace = 'at once' | 'paced';

describe.each([
  { what: 'one event in each frame', batch: 1, options: {} },
  {
    what: 'several events in each frame, cut differently when they are sent again',
    batch: 2,
    options: { fetch: createNodeFetch() },
  },
])('session streams with $what', ({ batch, options }) => {
  let stage: HttpStage;
  let proxy: CuttingProxy;
  let rules: readonly Rule[] = [];
  let sessions: LoggedSession[] = [];
  let rewindCount = 0;

  beforeAll(async () => {
    stage = await HttpStage.start({
      accept: ({ transport }) => {
        const served = rules.map((_, i) => new LoggedSession(transport, String(i), batch));
        sessions = served;
        queueMicrotask(() => void transport.send(INITIALIZED));
        return {
          rewind: (stream, cursor) => {
            rewindCount++;
            return (served[Number(stream)] as LoggedSession).rewind(cursor);
          },
        };
      },
    });
    proxy = await CuttingProxy.start(stage.port, ({ method, headers }) => {
      const session = headers['acp-session-id'];
      return method === 'GET' && session !== undefined ? rules[Number(session)]?.() : undefined;
    });
  });

  afterAll(async () => {
    await proxy.stop();
    await stage.dispose();
  });

  it.each<Pace>(['at once', 'paced'])(
    'lose and repeat nothing when they are cut once behind any byte, with steps %s',
    async (pace) => {
      proxy.lengths.clear();
      assertComplete(await read([() => undefined], pace), () => 'not cut');
      const length = Math.max(...proxy.lengths.values());
      const offsets = Array.from({ length: length + 2 }, (_, i) => i - 1);
      for (let at = 0; at < offsets.length; at += AT_ONCE) {
        const some = offsets.slice(at, at + AT_ONCE);
        const all = await read(some.map(onceAt), pace);
        assertComplete(all, (i) => `cut behind ${some[i]} bytes`);
      }
      expect(rewindCount).toBeGreaterThan(0);
    },
    60_000,
  );

  it('lose and repeat nothing when each response is cut', async () => {
    // Long enough for one event each time.
    const lengths = Array.from({ length: AT_ONCE }, (_, i) => 160 + i);
    const all = await read(
      lengths.map((length) => () => length),
      'at once',
    );
    assertComplete(all, (i) => `each response cut behind ${lengths[i]} bytes`);
  });

  /** What a client sees that reads one session for each rule. */
  async function read(newRules: readonly Rule[], pace: Pace): Promise<Step[][]> {
    rules = newRules;
    const { transport } = connectHttp(proxy.url, {
      ...options,
      limits: { backOffMinMs: 1, triesMax: 5 },
    });
    void transport.send(INITIALIZE);
    const seen: Step[][] = rules.map(() => []);
    let left = seen.length;
    for await (const frames of transport.receive()) {
      for (const frame of frames) {
        if (frame === INITIALIZED) {
          // A message of a session makes the client read its stream.
          seen.forEach((_, i) => void transport.send(hello(String(i))));
          const first = STEPS.slice(0, pace === 'paced' ? 1 : undefined);
          for (const session of sessions) session.do(first);
          continue;
        }
        const { sessionId, steps } = stepsOf(frame as string);
        const all = seen[Number(sessionId)] as Step[];
        all.push(...steps);
        if (all.length >= STEPS.length) left--;
        const next = STEPS[all.length];
        if (pace === 'paced' && next !== undefined) sessions[Number(sessionId)]?.do([next]);
      }
      if (left === 0) break;
    }
    await transport.close();
    return seen;
  }

  function assertComplete(all: readonly Step[][], how: (index: number) => string): void {
    all.forEach((steps, i) => {
      if (batch === 1) expect(steps, how(i)).toEqual(STEPS);
      else assertOrdered(steps, how(i));
    });
  }
});

/** Frames of several events can be cut differently; then a message may come later, but never earlier. */
function assertOrdered(steps: readonly Step[], how: string): void {
  expect(steps.filter(isEvent), how).toEqual(STEPS.filter(isEvent));
  const messages = STEPS.filter((step) => !isEvent(step));
  expect(
    steps.filter((step) => !isEvent(step)),
    how,
  ).toEqual(messages);
  for (const message of messages) {
    const expected = eventsBefore(STEPS, message);
    expect(eventsBefore(steps, message), how).toBeGreaterThanOrEqual(expected);
  }
}

function eventsBefore(steps: readonly Step[], message: Step): number {
  const at = steps.findIndex((step) => isDeepStrictEqual(step, message));
  return steps.slice(0, at).filter(isEvent).length;
}

function isEvent(step: Step): boolean {
  return 'event' in step;
}

/** Cuts the first response only. */
function onceAt(offset: number): Rule {
  let isCut = false;
  return () => {
    if (isCut) return undefined;
    isCut = true;
    return offset;
  };
}

function hello(sessionId: string): string {
  return JSON.stringify({ jsonrpc: '2.0', method: '_hello', params: { sessionId } });
}
