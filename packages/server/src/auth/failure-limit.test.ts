import { SimulatedClock } from '@signalbox/host';
import { expect, it } from 'vitest';
import { FailureLimit } from './failure-limit.ts';

it('lets an address fail so often a minute, and no other one pay for it', () => {
  const clock = new SimulatedClock();
  const limit = new FailureLimit(3, clock);
  for (let failed = 0; failed < 3; failed++) {
    expect(limit.secondsToWait('a')).toBe(0);
    limit.note('a');
  }
  expect(limit.secondsToWait('a')).toBe(60);
  expect(limit.secondsToWait('b')).toBe(0);
  clock.advance(59_500);
  expect(limit.secondsToWait('a')).toBe(1);
  clock.advance(500);
  expect(limit.secondsToWait('a')).toBe(0);
});

it('lets nobody wait longer, or shorter, because the time of day was set', () => {
  const clock = new SimulatedClock();
  const limit = new FailureLimit(1, clock);
  limit.note('a');
  clock.set(-3_600_000);
  expect(limit.secondsToWait('a')).toBe(60);
  clock.set(7_200_000);
  expect(limit.secondsToWait('a')).toBe(60);
});

it('remembers a bounded number of addresses', () => {
  const limit = new FailureLimit(1, new SimulatedClock());
  for (let address = 0; address <= 1000; address++) limit.note(String(address));
  expect(limit.secondsToWait('0')).toBe(0);
  expect(limit.secondsToWait('1')).toBeGreaterThan(0);
  expect(limit.secondsToWait('1000')).toBeGreaterThan(0);
});
