import { expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { SimulatedClock } from './simulated-clock.ts';

test('timers of the simulated clock run in the order of their times, each at its time', () => {
  const clock = new SimulatedClock(0);
  const ran: [string, number][] = [];
  const set = (name: string, delayMs: number) =>
    clock.setTimer(delayMs, () => ran.push([name, clock.now()]));
  set('b', 20);
  set('a', 10);
  set('past', -5);
  const cancel = set('cancelled', 15);
  set('later', 31);
  cancel();
  clock.advance(30);
  expect(ran).toEqual([
    ['past', 0],
    ['a', 10],
    ['b', 20],
  ]);
  expect(clock.now()).toBe(30);
  expect(clock.timerCount).toBe(1);
});

test('a timer of the system clock that is due in months is not due at once', () => {
  vi.useFakeTimers({ now: 0 });
  try {
    let due = 0;
    const months = 60 * 24 * 3600 * 1000;
    systemClock.setTimer(months, () => (due += 1));
    const cancelled = systemClock.setTimer(10, () => (due += 100));
    cancelled();
    vi.advanceTimersByTime(months - 1);
    expect(due).toBe(0);
    vi.advanceTimersByTime(1);
    expect(due).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('setting the time of day moves no timer, and no measure of time', () => {
  vi.useFakeTimers({ now: 10_000 });
  try {
    let due = 0;
    const began = systemClock.elapsed();
    systemClock.setTimer(1000, () => (due += 1));
    vi.setSystemTime(0);
    vi.advanceTimersByTime(999);
    expect(due).toBe(0);
    vi.advanceTimersByTime(1);
    expect(due).toBe(1);
    systemClock.setTimer(1000, () => (due += 1));
    vi.setSystemTime(1_000_000);
    vi.advanceTimersByTime(999);
    expect(due).toBe(1);
    vi.advanceTimersByTime(1);
    expect(due).toBe(2);
    expect(systemClock.elapsed() - began).toBe(2000);
  } finally {
    vi.useRealTimers();
  }
});

test('the time of day of the simulated clock is set without the passing of time', () => {
  const clock = new SimulatedClock(10_000);
  const ranAt: number[] = [];
  clock.setTimer(50, () => ranAt.push(clock.now()));
  clock.set(-5000);
  expect([clock.now(), clock.elapsed()]).toEqual([5000, 10_000]);
  clock.advance(50);
  expect(ranAt).toEqual([5050]);
});
