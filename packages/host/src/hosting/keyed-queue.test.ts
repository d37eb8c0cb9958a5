import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

test('work on one key runs one after the other, also behind work that failed', async () => {
  const queue = new KeyedQueue<string>();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`begin ${name}`);
    await Promise.resolve();
    log.push(`end ${name}`);
    if (name === 'a') throw new Error('a failed');
    return name;
  };
  const results = await Promise.allSettled([
    queue.run('k', work('a')),
    queue.run('k', work('b')),
    queue.run('other', work('c')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(log.indexOf('begin b')).toBeGreaterThan(log.indexOf('end a'));
  expect(log.indexOf('begin c')).toBeLessThan(log.indexOf('end a'));
  await Promise.resolve();
  expect(queue.keys).toEqual([]);
});
