import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PendingRequests, type PendingRequest } from './pending-requests.ts';

describe('the requests that wait for an answer', () => {
  it('gives each entry out once, by an id that no other has, however many wait and for how long', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(), { freq: 3 }), { maxLength: 400 }), (steps) => {
        const pending = new PendingRequests<unknown>();
        const waiting = new Map<number, PendingRequest<unknown>>();
        let idLast = -1;
        for (const step of steps) {
          if (step === null || waiting.size === 0) {
            const entry = createEntry();
            const id = pending.add(entry);
            expect(id).toBeGreaterThan(idLast);
            waiting.set((idLast = id), entry);
          } else {
            const [id, entry] = [...waiting][step % waiting.size] ?? [-1];
            expect(pending.take(id)).toBe(entry);
            expect(pending.take(id)).toBeUndefined();
            waiting.delete(id);
          }
          expect(pending.size).toBe(waiting.size);
        }
        for (const [id, entry] of waiting) expect(pending.take(id)).toBe(entry);
        expect(pending.size).toBe(0);
      }),
    );
  });

  it.each([-1, 0.5, 16, NaN, Infinity, 2 ** 32, '', '00', ' 0', '0x0', 'NaN', null, undefined, {}])(
    'knows nothing of the id %s',
    (id) => {
      const pending = new PendingRequests<unknown>();
      expect(pending.take(id)).toBeUndefined();
      expect(pending.add(createEntry())).toBe(0);
      expect(pending.take(id)).toBeUndefined();
      expect(pending.size).toBe(1);
    },
  );

  it('knows an id that comes back as a string', () => {
    const pending = new PendingRequests<unknown>();
    const entry = createEntry();
    expect(pending.add(entry)).toBe(0);
    expect(pending.take('0')).toBe(entry);
    expect(pending.take('0')).toBeUndefined();
  });

  it('keeps counting its ids, also behind one that is never answered', () => {
    const pending = new PendingRequests<unknown>();
    const prompt = createEntry();
    expect(pending.add(prompt)).toBe(0);
    for (let i = 0; i < 1000; i++) expect(pending.take(pending.add(createEntry()))).toBeDefined();
    expect(pending.take(0)).toBe(prompt);
  });

  it('rejects all that wait, the oldest first, and ends what watches them', () => {
    const pending = new PendingRequests<unknown>();
    const order: number[] = [];
    const stopWatching = vi.fn();
    for (let i = 0; i < 100; i++) {
      pending.add({ ...createEntry(), reject: () => order.push(i), stopWatching });
    }
    pending.take(3);
    pending.rejectAll(new Error('over'));
    expect(order).toEqual(Array.from({ length: 100 }, (_, i) => i).filter((i) => i !== 3));
    expect(stopWatching).toHaveBeenCalledTimes(100);
    expect(pending.size).toBe(0);
  });
});

function createEntry(): PendingRequest<unknown> {
  return { resolve: () => undefined, reject: () => undefined, stopWatching: undefined };
}
