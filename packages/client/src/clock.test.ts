import { expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

test('setting the time of day moves no timer, and no measure of time', () => {
  vi.useFakeTimers({ now: 10_000 });
  try {
    let due = 0;
    const began = systemClock.elapsed();
    systemClock.setTimer(systemClock.now() + 1000, () => (due += 1));
    vi.setSystemTime(0);
    vi.advanceTimersByTime(999);
    expect(due).toBe(0);
    vi.advanceTimersByTime(1);
    expect(due).toBe(1);
    expect(systemClock.elapsed() - began).toBe(1000);
  } finally {
    vi.useRealTimers();
  }
});
