import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StderrTail } from './stderr-tail.ts';

async function tailOf(chunks: (Buffer | string)[]): Promise<string> {
  const stream = new PassThrough();
  const tail = new StderrTail(stream);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await tail.ended;
  return tail.text;
}

test('keeps all of a little and the end of much', async () => {
  expect(await tailOf(['a', 'b'])).toBe('ab');
  expect(await tailOf(['x'.repeat(5000), 'end'])).toBe(`${'x'.repeat(4093)}end`);
  expect(await tailOf(Array.from({ length: 300 }, () => 'y'.repeat(100)))).toBe('y'.repeat(4096));
});

test('puts characters together that two reads have cut, and never keeps half of one', async () => {
  const bytes = Buffer.from('grün 😀');
  expect(await tailOf([...bytes].map((byte) => Buffer.from([byte])))).toBe('grün 😀');
  const tail = await tailOf([`😀${'x'.repeat(4095)}`]);
  expect(tail).toBe('x'.repeat(4095));
});

test('keeps what was read when the stream breaks', async () => {
  const stream = new PassThrough();
  const tail = new StderrTail(stream);
  stream.write('before');
  await new Promise((resolve) => setImmediate(resolve));
  stream.destroy(new Error('broken'));
  await tail.ended;
  expect(tail.text).toBe('before');
});
