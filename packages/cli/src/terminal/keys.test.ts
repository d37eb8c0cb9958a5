import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Keys, UNREAD_MS, type KeyInput } from './keys.ts';

/** A terminal on which the test presses keys. */
class Terminal extends EventEmitter {
  isRaw = false;
  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
  press(keys: string): void {
    this.emit('data', Buffer.from(keys));
  }
}

function createKeys() {
  const terminal = new Terminal();
  const time = { now: 0 };
  const interrupts: number[] = [];
  const keys = new Keys(
    terminal as unknown as KeyInput,
    () => interrupts.push(time.now),
    () => time.now,
  );
  const read = (signal = new AbortController().signal) =>
    keys.read((key) => (['y', 'n', '\u001b'].includes(key) ? key : undefined), signal);
  return { terminal, time, interrupts, read };
}

describe('keys', () => {
  it('answer no question that nobody can have read yet', async () => {
    const { terminal, time, interrupts, read } = createKeys();
    const first = read();
    terminal.press('y');
    time.now = UNREAD_MS - 1;
    terminal.press('y\u0003');
    expect(interrupts).toEqual([UNREAD_MS - 1]);
    time.now = UNREAD_MS;
    for (const key of ['x', 'yes, remove it', 'n']) terminal.press(key);
    expect(await first).toBe('n');
    expect(terminal.isRaw).toBe(false);

    const second = read();
    terminal.press('yy');
    time.now = 2 * UNREAD_MS;
    terminal.press('n');
    expect(await second).toBe('n');
  });

  it('are not what a terminal sends for arrows and the like', async () => {
    const { terminal, time, read } = createKeys();
    const answer = read();
    time.now = UNREAD_MS;
    for (const sequence of ['\u001b[A', '\u001bOP', '\u001b[15;2~', '\u001by', '\u001b[200~']) {
      terminal.press(sequence);
    }
    terminal.press('n');
    expect(await answer).toBe('n');
  });

  it('are not read any more when the question is over', async () => {
    const { terminal, read } = createKeys();
    const over = new AbortController();
    const answer = read(over.signal);
    over.abort();
    expect(await answer).toBeUndefined();
    expect(terminal.isRaw).toBe(false);
    expect(terminal.listenerCount('data')).toBe(0);
  });
});
