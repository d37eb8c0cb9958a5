import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

const PING_MS = 1000;

let heard = 0;
let isExcused = false;
const ping = vi.fn();
const onMissed = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  heard = 0;
  isExcused = false;
  ping.mockReset();
  onMissed.mockReset();
  const port = {
    ping,
    get heard() {
      return heard;
    },
  };
  const heartbeat = new Heartbeat(port, PING_MS, {
    isExcused: () => isExcused,
    onMissed,
  });
  onMissed.mockImplementation(() => heartbeat.stop());
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a heartbeat', () => {
  it('gives up after two pings that nothing followed, once', () => {
    pass(2);
    expect(onMissed).not.toHaveBeenCalled();
    pass(1);
    expect(onMissed).toHaveBeenCalledTimes(1);
    expect(ping).toHaveBeenCalledTimes(2);
    pass(10);
    expect(onMissed).toHaveBeenCalledTimes(1);
  });

  it('begins to count anew with anything that arrives', () => {
    for (let i = 0; i < 10; i++) {
      pass(2);
      heard++;
    }
    expect(onMissed).not.toHaveBeenCalled();
    pass(3);
    expect(onMissed).toHaveBeenCalledTimes(1);
  });

  it('makes nothing of silence that is excused, and counts anew after it', () => {
    isExcused = true;
    pass(10);
    expect(ping).toHaveBeenCalledTimes(10);
    isExcused = false;
    pass(1);
    expect(onMissed).not.toHaveBeenCalled();
    pass(1);
    expect(onMissed).toHaveBeenCalledTimes(1);
  });
});

function pass(beats: number): void {
  vi.advanceTimersByTime(beats * PING_MS);
}
