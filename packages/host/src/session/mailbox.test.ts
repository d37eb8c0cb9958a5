import { expect, test } from 'vitest';
import { Mailbox } from './mailbox.ts';

const weightless = (): number => 0;

test('gives out everything that waits, in order', async () => {
  const mailbox = new Mailbox<number>(weightless);
  mailbox.post(1);
  mailbox.post(2);
  expect(await mailbox.takeAll()).toEqual([1, 2]);
  const later = mailbox.takeAll();
  mailbox.post(3);
  mailbox.post(4);
  expect(await later).toEqual([3, 4]);
});

test('is full by number, and has room when it is emptied', async () => {
  const mailbox = new Mailbox<number>(weightless);
  for (let n = 0; n < 4095; n += 1) mailbox.post(n);
  expect(mailbox.whenRoom()).toBeUndefined();
  mailbox.post(4095);
  const room = mailbox.whenRoom();
  expect(room).toBeInstanceOf(Promise);
  expect(mailbox.whenRoom()).toBe(room);
  // What people send is taken all the same.
  expect(mailbox.post(4096)).toBe(true);
  expect(await mailbox.takeAll()).toHaveLength(4097);
  await room;
  expect(mailbox.whenRoom()).toBeUndefined();
});

test('is full by weight', async () => {
  const mailbox = new Mailbox<string>((text) => text.length);
  mailbox.post('x'.repeat(16 * 1024 * 1024 - 1));
  expect(mailbox.whenRoom()).toBeUndefined();
  mailbox.post('y');
  const room = mailbox.whenRoom();
  expect(room).toBeInstanceOf(Promise);
  await mailbox.takeAll();
  await room;
});

test('closing drops what waits, ends the wait for more, and lets senders go', async () => {
  const mailbox = new Mailbox<number>(weightless);
  for (let n = 0; n < 4096; n += 1) mailbox.post(n);
  const room = mailbox.whenRoom();
  mailbox.close();
  await room;
  expect(await mailbox.takeAll()).toBeUndefined();
  expect(mailbox.post(1)).toBe(false);
  expect(mailbox.whenRoom()).toBeUndefined();
  const other = new Mailbox<number>(weightless);
  const taking = other.takeAll();
  other.close();
  expect(await taking).toBeUndefined();
});
