import { beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '@signalbox/acp';
import { DEFAULT_LIVENESS, Liveness } from './liveness.ts';

let clock: SimulatedClock;
let pings: number;
let deaths: string[];
let liveness: Liveness;

beforeEach(() => {
  clock = new SimulatedClock();
  pings = 0;
  deaths = [];
  liveness = new Liveness({
    clock,
    limits: DEFAULT_LIVENESS,
    ping: () => pings++,
    onDead: ({ message }) => deaths.push(message),
  });
});

describe('a connection', () => {
  test('is asked for a sign of life after 30 s of silence', () => {
    clock.advance(29_999);
    expect(pings).toBe(0);
    clock.advance(1);
    expect(pings).toBe(1);
  });

  test('is asked as soon when the time of day was set back', () => {
    liveness.heard();
    clock.set(-3_600_000);
    clock.advance(30_000);
    expect(pings).toBe(1);
    clock.advance(10_000);
    expect(deaths).toHaveLength(1);
  });

  test('is dead when 10 s later nothing has come', () => {
    clock.advance(39_999);
    expect(deaths).toEqual([]);
    clock.advance(1);
    expect(deaths).toHaveLength(1);
    expect(clock.timerCount).toBe(0);
  });

  test('lives when anything comes, and is asked again after the next silence', () => {
    clock.advance(35_000);
    liveness.heard();
    clock.advance(29_999);
    expect(pings).toBe(1);
    clock.advance(1);
    expect(pings).toBe(2);
    expect(deaths).toEqual([]);
  });

  test('is not asked while things come', () => {
    for (let n = 0; n < 100; n++) {
      clock.advance(20_000);
      liveness.heard();
    }
    expect(pings).toBe(0);
  });

  test('has two seconds when the client was woken', () => {
    liveness.check();
    expect(pings).toBe(1);
    clock.advance(1999);
    expect(deaths).toEqual([]);
    clock.advance(1);
    expect(deaths).toHaveLength(1);
  });

  test('is not asked twice when the client is woken twice', () => {
    liveness.check();
    liveness.check();
    expect(pings).toBe(1);
  });

  test('has less time when the client is woken while an answer is waited for', () => {
    clock.advance(30_000);
    liveness.check();
    clock.advance(2000);
    expect(deaths).toHaveLength(1);
  });

  test('leaves no timer behind', () => {
    clock.advance(30_000);
    liveness.stop();
    expect(clock.timerCount).toBe(0);
  });
});
