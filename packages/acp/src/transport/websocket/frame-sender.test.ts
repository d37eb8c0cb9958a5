import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPeerError } from '../../jsonrpc/peer-error.ts';
import { FrameSender } from './frame-sender.ts';
import type { SocketPort } from './socket-port.ts';

const STALL_MS = 1000;

/** A socket that notes what it is given, and has written it when the test says so. */
class SlowPort implements SocketPort {
  readonly writes: { readonly texts: readonly string[]; readonly isWhole: boolean }[] = [];
  readonly heard = 0;
  readonly canPause = true;
  readonly ping = undefined;
  isOpen = true;
  bufferedBytes = 0;
  readonly pieceLengthMax: number;
  #onWritten: (() => void) | undefined;

  constructor(pieceLengthMax: number) {
    this.pieceLengthMax = pieceLengthMax;
  }

  defer(callback: () => void): void {
    queueMicrotask(callback);
  }

  write(texts: readonly string[], isWhole: boolean, onWritten: () => void): void {
    this.writes.push({ texts: [...texts], isWhole });
    this.#onWritten = onWritten;
  }

  /** The last write is done. */
  written(): void {
    const onWritten = this.#onWritten;
    this.#onWritten = undefined;
    onWritten?.();
  }

  pause(): void {}
  resume(): void {}
  close(): void {}
  terminate(): void {}
  listen(): void {}
}

let port: SlowPort;
let sender: FrameSender;
const onStall = vi.fn(() => sender.stop(new Error('slow')));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onStall.mockClear();
  start(100_000);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('what is handed to the socket', () => {
  it('is everything that was sent in one turn, at once', async () => {
    void sender.send('1');
    void sender.send('2');
    await Promise.resolve();
    expect(port.writes).toEqual([{ texts: ['1', '2'], isWhole: true }]);
  });

  it('is nothing more until the last of it is written, and then all that waits', async () => {
    void sender.send('1');
    await Promise.resolve();
    void sender.send('2');
    void sender.send('3');
    await Promise.resolve();
    expect(port.writes).toHaveLength(1);
    port.written();
    expect(port.writes[1]?.texts).toEqual(['2', '3']);
  });

  it('is bounded, however much waits', () => {
    const frame = 'x'.repeat(1000);
    for (let i = 0; i < 1000; i++) void sender.send(frame);
    while (port.writes.reduce((count, { texts }) => count + texts.length, 0) < 1000) port.written();
    for (const { texts } of port.writes) expect(texts.length).toBeLessThanOrEqual(66);
  });

  it('is a long frame piece by piece, never within a character, and then what comes behind', () => {
    start(1000);
    const frame = `a${'😀'.repeat(40_000)}`;
    void sender.send(frame);
    void sender.send('2');
    void sender.send('3');
    for (let i = 0; i < 100; i++) port.written();
    const pieces = port.writes.slice(0, -1).map(({ texts }) => texts[0] ?? '');
    const last = port.writes.at(-1);
    expect(port.writes.slice(0, -1).every(({ texts }) => texts.length === 1)).toBe(true);
    expect(port.writes.map(({ isWhole }) => isWhole)).toEqual([...pieces.map(() => false), true]);
    expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= 1000)).toBe(true);
    expect([...pieces, last?.texts[0]].join('')).toBe(frame);
    expect(last?.texts.slice(1)).toEqual(['2', '3']);
  });

  it('does not divide a frame for a socket that cannot', () => {
    start(Infinity);
    void sender.send('x'.repeat(500_000));
    expect(port.writes).toMatchObject([{ isWhole: true }]);
  });
});

describe('a sender', () => {
  it('is asked to wait above the mark, and goes on below half of it', async () => {
    expect(sender.send('x'.repeat(1000))).toBeUndefined();
    await Promise.resolve();
    let isReleased = false;
    const wait = sender.send('y'.repeat(600));
    void wait?.then(() => (isReleased = true));
    expect(sender.send('z')).toBe(wait);
    port.written();
    await Promise.resolve();
    expect(isReleased).toBe(false);
    port.written();
    await wait;
    expect(isReleased).toBe(true);
  });

  it('is refused beyond the bound, but one frame is always taken', () => {
    void sender.send('x'.repeat(3_000_000));
    expect(codeOf(() => sender.send('y'))).toBe('queue_full');
    while (port.writes.at(-1)?.isWhole !== true) port.written();
    port.written();
    expect(codeOf(() => sender.send('y'))).toBeUndefined();
  });

  it('is refused when the socket is not open, or nothing more is taken', async () => {
    port.isOpen = false;
    expect(codeOf(() => sender.send('x'))).toBe('closed');
    port.isOpen = true;
    const flushed = sender.flush();
    expect(codeOf(() => sender.send('x'))).toBe('closed');
    await flushed;
  });

  it('is let go when the connection ends, and learns why', async () => {
    const wait = sender.send('x'.repeat(2000));
    sender.stop(new Error('the cable was pulled'));
    await wait;
    expect(() => sender.send('y')).toThrow(/^closed: .*the cable was pulled/);
    await sender.flush();
  });

  it('can wait until everything is written', async () => {
    void sender.send('1');
    let isFlushed = false;
    const flushed = sender.flush().then(() => (isFlushed = true));
    expect(port.writes).toHaveLength(1);
    await Promise.resolve();
    expect(isFlushed).toBe(false);
    port.written();
    await flushed;
  });
});

describe('a stall', () => {
  it('is that nothing is written for so long', async () => {
    void sender.send('1');
    await Promise.resolve();
    vi.advanceTimersByTime(STALL_MS - 1);
    expect(onStall).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('is none as long as one piece after the other is written, however long it takes in all', () => {
    start(1000);
    void sender.send('x'.repeat(100_000));
    for (let i = 0; i < 90; i++) {
      vi.advanceTimersByTime(STALL_MS - 1);
      port.written();
    }
    expect(onStall).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1.25 * STALL_MS);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('is none while the socket gets rid of what it has', async () => {
    void sender.send('1');
    await Promise.resolve();
    port.bufferedBytes = 500;
    vi.advanceTimersByTime(STALL_MS - 1);
    port.bufferedBytes = -1;
    vi.advanceTimersByTime(STALL_MS);
    expect(onStall).not.toHaveBeenCalled();
    vi.advanceTimersByTime(STALL_MS);
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('is none when nothing waits', async () => {
    void sender.send('1');
    await Promise.resolve();
    port.written();
    vi.advanceTimersByTime(10 * STALL_MS);
    expect(onStall).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind when the connection ends', async () => {
    void sender.send('1');
    await Promise.resolve();
    sender.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

function start(pieceLengthMax: number): void {
  port = new SlowPort(pieceLengthMax);
  const limits = { highWaterBytes: 1000, queuedBytesMax: 2_000_000, stallMs: STALL_MS };
  sender = new FrameSender(port, limits, onStall);
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return isPeerError(error) ? error.code : 'unknown';
  }
}
