import { expect, test, vi } from 'vitest';
import { machineClock } from './clock.ts';

test('setting the time of day moves no timer, and no measure of time', () => {
  vi.useFakeTimers({ now: 10_000 });
  try {
    let due = 0;
    const began = machineClock.now();
    machineClock.setTimer(began + 1000, () => (due += 1));
    vi.setSystemTime(0);
    vi.advanceTimersByTime(1000);
    expect(due).toBe(1);
    expect(machineClock.now() - began).toBe(1000);
  } finally {
    vi.useRealTimers();
  }
});
