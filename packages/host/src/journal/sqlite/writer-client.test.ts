import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../../../tests/contracts/journal/store.ts';
import type { Operation } from './operations.ts';
import { startWriter } from './writer-client.ts';

const OPERATION: Operation = { kind: 'delete_stream', stream: 'a' };

/** Starts a writer whose thread runs this program instead of the real one. */
function startProgram(onMessage: string) {
  const program = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (request) => { ${onMessage} });`;
  const settings = { file: '/the/file', durability: 'power', sizeBytesMax: undefined } as const;
  return startWriter(settings, new URL(`data:text/javascript,${encodeURIComponent(program)}`));
}

describe('a writer', () => {
  test('commits together what is submitted together, and what arrives meanwhile', async () => {
    const writer = startProgram(`
      if (request === 'close') parentPort.close();
      else parentPort.postMessage(request.map(() => ({ ok: true, value: request.length })));`);
    const sizes = [writer.submit(OPERATION), writer.submit(OPERATION)];
    await Promise.resolve();
    await Promise.resolve();
    sizes.push(...[1, 2, 3].map(() => writer.submit(OPERATION)));
    expect(await Promise.all(sizes)).toEqual([2, 2, 3, 3, 3]);
    await writer.close();
  });

  test.each([
    ['throws', `throw new Error('broken thread')`, 'broken thread'],
    ['exits', 'process.exit(3)', 'the thread exited'],
  ])('whose thread %s rejects everything with one reason', async (_, program, cause) => {
    const writer = startProgram(program);
    const inFlight = rejectionOf(writer.submit(OPERATION));
    await Promise.resolve();
    await Promise.resolve();
    const queued = rejectionOf(writer.submit(OPERATION));
    const reason = await inFlight;
    expect(reason).toMatchObject({ code: 'journal_write_failed', cause: { message: cause } });
    expect(reason.message).toContain('/the/file');
    expect(await queued).toBe(reason);
    expect(await rejectionOf(writer.submit(OPERATION))).toBe(reason);
    await writer.close();
  });

  test('that was never used is closed at once', async () => {
    await startProgram('').close();
  });
});
