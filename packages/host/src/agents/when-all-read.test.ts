import { PassThrough, type Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { whenAllRead } from './when-all-read.ts';

test('resolves at once when the reader has seen the end', async () => {
  await whenAllRead(new PassThrough(), Promise.resolve(), () => false);
});

test('gives a pipe up that stays open and silent', async () => {
  await whenAllRead(new PassThrough(), new Promise(() => undefined), () => false);
});

test('waits while more comes and while reading is held back', async () => {
  const output = { bytesRead: 0 };
  let looks = 0;
  const isHeld = (): boolean => {
    looks += 1;
    return looks < 3;
  };
  await whenAllRead(output as unknown as Readable, new Promise(() => undefined), isHeld);
  expect(looks).toBe(3);
});
