import { PassThrough } from 'node:stream';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { Countdown, ourAgent, ourClient, sdkAgent, sdkClient, sdkPair } from '../fixtures/ends.ts';
import { flood, floodSdk } from '../fixtures/flood.ts';
import { chunkUpdate, updateFrame } from '../fixtures/workload.ts';
import type { BenchCase, Contestant } from '../harness/bench-case.ts';

const ours: Contestant = {
  name: 'ours, byte streams',
  role: 'ours',
  scale: 4,
  prepare: () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    const received = new Countdown();
    ourClient(createStdioTransport(there, back), received.count);
    const agent = ourAgent(createStdioTransport(back, there));
    return Promise.resolve({
      run: async (count) => {
        const all = received.from(count);
        await flood(agent, chunkUpdate, count);
        await all;
        return 0;
      },
    });
  },
};

const sdk: Contestant = {
  name: 'official SDK, byte streams',
  role: 'sdk',
  prepare: () => {
    const [near, far] = sdkPair();
    const received = new Countdown();
    sdkClient(near, received.count);
    const agent = sdkAgent(far);
    return Promise.resolve({
      run: async (count) => {
        const all = received.from(count);
        await floodSdk(agent, chunkUpdate, count);
        await all;
        return 0;
      },
    });
  },
};

const json: Contestant = {
  name: 'JSON.stringify and JSON.parse',
  role: 'limit',
  scale: 4,
  prepare: () => {
    const received = new Countdown();
    return Promise.resolve({
      run: async (count) => {
        const all = received.from(count);
        for (let i = 0; i < count; i++) {
          const message = JSON.parse(updateFrame(chunkUpdate(i))) as { params?: unknown };
          if (message.params !== undefined) received.count();
        }
        await all;
        return 0;
      },
    });
  },
};

/** What a streamed piece of text costs when agent and client are in one process. */
export default {
  title: 'text chunks within one process over byte streams',
  unit: 'message',
  count: { full: 40_000, quick: 10_000 },
  contestants: [ours, sdk, json],
} satisfies BenchCase;
