import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { turn } from '../../../../tests/support/scripted-transport.ts';
import { isPeerError } from '../jsonrpc/peer-error.ts';
import { LineWriter } from './line-writer.ts';

/** An output that notes each write and finishes it when the test says so. */
class SlowOutput extends Writable {
  readonly writes: string[] = [];
  isStuck = false;
  #finishWrite: ((error?: Error) => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error) => void): void {
    this.writes.push(chunk.toString());
    if (this.isStuck) this.#finishWrite = callback;
    else callback();
  }

  goOn(error?: Error): void {
    this.isStuck = false;
    this.#finishWrite?.(error);
  }
}

describe('the line writer', () => {
  it('writes all lines of one turn with one write, in order', async () => {
    const { output, writer } = create();
    void writer.write('1');
    void writer.write('2');
    await Promise.resolve().then(() => writer.write('3'));
    await turn();
    void writer.write('4');
    await turn();
    expect(output.writes).toEqual(['1\n2\n3\n', '4\n']);
  });

  it('writes the first of many lines early, so that the reader can begin with them', async () => {
    const { output, writer } = create();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 40; i++) void writer.write('x'.repeat(99));
      await turn();
    }
    expect(output.writes.map((text) => text.length)).toEqual([1600, 2400, 1600, 2400]);
  });

  it('does not gather more than a bounded amount before it writes', () => {
    const { output, writer } = create();
    for (let i = 0; i < 200; i++) void writer.write('x'.repeat(1000));
    expect(output.writes.length).toBeGreaterThanOrEqual(3);
  });

  it('never cuts a line, however large', async () => {
    const { output, writer } = create();
    const lines = ['a'.repeat(10), 'b'.repeat(300_000), 'c'.repeat(10)];
    for (const line of lines) void writer.write(line);
    await writer.end();
    for (const text of output.writes) expect(text.endsWith('\n')).toBe(true);
    expect(output.writes.join('')).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  it('asks to wait while the output is full, until it has drained', async () => {
    const { output, writer } = create();
    output.isStuck = true;
    let wait: void | Promise<void> = undefined;
    while (wait === undefined) wait = writer.write('x'.repeat(1000));
    let isReleased = false;
    const released = wait.then(() => (isReleased = true));
    await turn();
    expect(isReleased).toBe(false);
    output.goOn();
    await released;
    expect(writer.write('y')).toBeUndefined();
  });

  it('refuses what goes beyond the queue, and sends nothing of it', async () => {
    const { output, writer } = create({ queuedBytesMax: 1000, flushMs: 1000 });
    output.isStuck = true;
    void writer.write('x'.repeat(900));
    expect(codeOf(() => writer.write('y'.repeat(200)))).toBe('queue_full');
    void writer.write('z');
    output.goOn();
    await writer.end();
    expect(output.writes.join('')).toBe(`${'x'.repeat(900)}\nz\n`);
  });

  it('takes one line larger than the queue when nothing else waits', () => {
    const { writer } = create({ queuedBytesMax: 1000, flushMs: 1000 });
    expect(codeOf(() => writer.write('x'.repeat(5000)))).toBeUndefined();
  });

  it('survives an output that fails, tells of it once, and is closed from then on', async () => {
    const { output, writer, lost } = create();
    output.isStuck = true;
    let wait: void | Promise<void> = undefined;
    while (wait === undefined) wait = writer.write('x'.repeat(1000));
    output.goOn(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await wait;
    expect(codeOf(() => writer.write('y'))).toBe('closed');
    expect(lost.mock.calls.map(([error]) => error.message)).toEqual(['write EPIPE']);
    await writer.end();
  });

  it('flushes what was written before it ends, and is closed from then on', async () => {
    const { output, writer, lost } = create();
    void writer.write('last');
    const ended = writer.end();
    expect(codeOf(() => writer.write('too late'))).toBe('closed');
    await ended;
    expect(output.writes).toEqual(['last\n']);
    expect(output.writableFinished).toBe(true);
    expect(lost).not.toHaveBeenCalled();
  });

  it('gives an output up that does not finish in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { output, writer } = create();
      output.isStuck = true;
      void writer.write('stuck');
      const ended = writer.end();
      vi.advanceTimersByTime(1000);
      await ended;
      expect(output.destroyed).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

function create(limits = { queuedBytesMax: 1024 * 1024, flushMs: 1000 }) {
  const output = new SlowOutput();
  const lost = vi.fn<(error: Error) => void>();
  return { output, lost, writer: new LineWriter(output, limits, lost) };
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return isPeerError(error) ? error.code : 'unknown';
  }
}
