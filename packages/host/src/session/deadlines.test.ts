import { expect, test } from 'vitest';
import { SimulatedClock } from '@signalbox/acp';
import { Deadlines } from './deadlines.ts';

test('a deadline is due once, at its time', () => {
  const clock = new SimulatedClock(1000);
  const deadlines = new Deadlines(clock);
  const due: number[] = [];
  deadlines.set('a', 500, () => due.push(clock.now()));
  clock.advance(499);
  expect(due).toEqual([]);
  clock.advance(1000);
  clock.advance(1000);
  expect(due).toEqual([1500]);
});

test('setting a name again replaces it, and clearing prevents it', () => {
  const clock = new SimulatedClock(0);
  const deadlines = new Deadlines(clock);
  const due: string[] = [];
  deadlines.set('a', 10, () => due.push('first'));
  deadlines.set('a', 20, () => due.push('second'));
  deadlines.set('b', 20, () => due.push('b'));
  deadlines.clear('b');
  deadlines.clear('never set');
  clock.advance(30);
  expect(due).toEqual(['second']);
});

test('a deadline may set itself again when it is due', () => {
  const clock = new SimulatedClock(0);
  const deadlines = new Deadlines(clock);
  const due: number[] = [];
  const again = (): void => {
    due.push(clock.now());
    deadlines.set('a', 10, again);
  };
  deadlines.set('a', 10, again);
  clock.advance(35);
  expect(due).toEqual([10, 20, 30]);
  deadlines.clearAll();
  expect(clock.timerCount).toBe(0);
});
