import { describe, expect, test } from 'vitest';
import { Slots } from './slots.ts';

describe('slots', () => {
  test('run no more than their number side by side, in order, whatever ends well or not', async () => {
    const slots = new Slots(2);
    const started: number[] = [];
    const ends: ((error?: Error) => void)[] = [];
    const work = (id: number): Promise<number> =>
      slots.run(() => {
        started.push(id);
        return new Promise((resolve, reject) => {
          ends[id] = (error) => (error === undefined ? resolve(id) : reject(error));
        });
      });
    const all = [0, 1, 2, 3, 4].map(work);
    expect(started).toEqual([0, 1]);
    ends[1]?.(new Error('broken'));
    await expect(all[1]).rejects.toThrow('broken');
    expect(started).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    expect(await Promise.all([all[0], all[2]])).toEqual([0, 2]);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    ends[3]?.();
    ends[4]?.();
    await Promise.all([all[3], all[4]]);
    void work(5);
    expect(started).toHaveLength(6);
  });
});
