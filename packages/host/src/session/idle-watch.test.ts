import type { TurnId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { SimulatedClock } from '@signalbox/acp';
import { Deadlines } from './deadlines.ts';
import { IdleWatch } from './idle-watch.ts';

const turnId = 'turn' as TurnId;

function setUp() {
  const clock = new SimulatedClock(0);
  const state = { lastActivityAt: 0, isWaiting: false };
  const idleAt: number[] = [];
  const watch = new IdleWatch({
    clock,
    deadlines: new Deadlines(clock),
    turnIdleMs: 100,
    lastActivityAt: () => state.lastActivityAt,
    isWaiting: () => state.isWaiting,
    onIdle: () => idleAt.push(clock.now()),
  });
  return { clock, state, idleAt, watch };
}

test('activity moves the limit, and it is due exactly behind the last', () => {
  const { clock, state, idleAt, watch } = setUp();
  watch.start(turnId);
  for (let round = 0; round < 10; round += 1) {
    clock.advance(60);
    state.lastActivityAt = clock.elapsed();
  }
  expect(idleAt).toEqual([]);
  clock.advance(100);
  expect(idleAt).toEqual([700]);
});

test('waiting for a person does not count, and news that did not apply are told again', () => {
  const { clock, state, idleAt, watch } = setUp();
  state.isWaiting = true;
  watch.start(turnId);
  clock.advance(1000);
  expect(idleAt).toEqual([]);
  state.isWaiting = false;
  state.lastActivityAt = 1000;
  clock.advance(250);
  expect(idleAt).toEqual([1100, 1200]);
});

test('a watch that was stopped tells nothing', () => {
  const { clock, idleAt, watch } = setUp();
  watch.start(turnId);
  watch.stop();
  clock.advance(1000);
  expect(idleAt).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

test('setting the time of day makes nobody idle, and keeps nobody from it', () => {
  const { clock, state, idleAt, watch } = setUp();
  watch.start(turnId);
  clock.advance(60);
  state.lastActivityAt = clock.elapsed();
  clock.set(3_600_000);
  clock.advance(99);
  expect(idleAt).toEqual([]);
  clock.set(-7_200_000);
  clock.advance(1);
  expect(idleAt).toHaveLength(1);
});
