import { describe, expect, it, vi } from 'vitest';
import { turn } from '../../../../../tests/support/scripted-transport.ts';
import type { Frame } from '../../jsonrpc/transport.ts';
import { ReceivedFrames } from './received-frames.ts';

describe('received frames', () => {
  it('are taken together when they came in one turn', async () => {
    const { frames, read } = create();
    const first = read.next();
    frames.push('1');
    frames.push('2');
    expect(await first).toEqual({ done: false, value: ['1', '2'] });
  });

  it('pause their source while nobody takes them, and only then', async () => {
    const { frames, read, source } = create();
    const first = read.next();
    frames.push('1');
    frames.push('2');
    expect(frames.isPaused).toBe(false);
    await first;
    frames.push('3');
    frames.push('4');
    expect(frames.isPaused).toBe(true);
    expect(source.pause).toHaveBeenCalledTimes(1);
    expect(await read.next()).toEqual({ done: false, value: ['3', '4'] });
    expect(source.resume).toHaveBeenCalledTimes(1);
  });

  it('end behind the last one', async () => {
    const { frames, read } = create();
    frames.push('1');
    frames.end();
    frames.push('2');
    expect(await read.next()).toEqual({ done: false, value: ['1'] });
    expect(await read.next()).toEqual({ done: true, value: undefined });
  });

  it('fail behind the last one', async () => {
    const { frames, read } = create();
    frames.push('1');
    frames.end(new Error('cut'));
    expect(await read.next()).toEqual({ done: false, value: ['1'] });
    await expect(read.next()).rejects.toThrow('cut');
  });

  it('are dropped when that is asked for', async () => {
    const { frames, read } = create();
    frames.push('1');
    frames.end(new Error('revoked'), true);
    await expect(read.next()).rejects.toThrow('revoked');
  });

  it('end for a reader that waits', async () => {
    const { frames, read } = create();
    const next = read.next();
    await turn();
    frames.end();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('leave a source running when the reader goes away', async () => {
    const { frames, source } = create();
    frames.push('1');
    for await (const batch of frames.read()) {
      frames.push('2');
      expect(batch).toEqual(['1']);
      break;
    }
    frames.push('3');
    expect(frames.isPaused).toBe(false);
    expect(source.resume).toHaveBeenCalledTimes(2);
  });

  it('are bounded when the source cannot be paused', () => {
    const { frames, onOverrun } = create({ canPause: false });
    for (let i = 0; i < 10; i++) frames.push('x'.repeat(10));
    expect(onOverrun).not.toHaveBeenCalled();
    frames.push('y');
    expect(onOverrun).toHaveBeenCalledTimes(1);
  });
});

function create({ canPause = true } = {}) {
  const source = { canPause, pause: vi.fn(), resume: vi.fn() };
  const onOverrun = vi.fn();
  const frames = new ReceivedFrames(source, 100, onOverrun);
  const read: AsyncIterator<readonly Frame[]> = frames.read();
  return { frames, read, source, onOverrun };
}
