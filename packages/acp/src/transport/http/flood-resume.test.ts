import { afterEach, expect, it } from 'vitest';
import { CuttingProxy } from '../../../../../tests/support/http/cutting-proxy.ts';
import { FETCH_KINDS } from '../../../../../tests/support/http/fetches.ts';
import { INITIALIZE, INITIALIZED } from '../../../../../tests/support/http/frames.ts';
import { HttpStage } from '../../../../../tests/support/http/http-stage.ts';
import { notificationFrame } from '../../../../../tests/support/peers.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import type { ConnectionOwner } from '../incoming-connection.ts';
import { connectHttp } from './client/connect-http.ts';

const COUNT = 5000;
const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

const WAYS = FETCH_KINDS.flatMap((kind) => [
  { ...kind, how: 'reads a stream', poll: false },
  { ...kind, how: 'polls', poll: true },
]);

it.each(WAYS)(
  'a client that $how by $by gets each event of a flood once, through cuts, from a feed that waits for room',
  async ({ create, poll }) => {
    let feed: Feed | undefined;
    const stage = await HttpStage.start({
      // Little enough for the feed to stand still most of the time, also while it is rewound.
      limits: { highWaterBytes: 2000 },
      accept: ({ transport }) => {
        feed = new Feed(transport);
        queueMicrotask(() => void transport.send(INITIALIZED));
        return feed;
      },
    });
    running.push(() => stage.dispose());
    let random = 1;
    let cutCount = 0;
    const proxy = await CuttingProxy.start(stage.port, ({ method, headers }) => {
      if (method !== 'GET' || headers['acp-session-id'] === undefined) return undefined;
      cutCount++;
      random = (random * 48_271) % 2_147_483_647;
      return 500 + (random % 40_000);
    });
    running.push(() => proxy.stop());
    const { transport } = connectHttp(proxy.url, {
      poll,
      fetch: create(),
      limits: { backOffMinMs: 1 },
    });
    running.push(() => transport.close());
    void transport.send(INITIALIZE);
    const seen: number[] = [];
    for await (const frames of transport.receive()) {
      for (const frame of frames) {
        if (frame === INITIALIZED) {
          void transport.send(notificationFrame('_hello', { sessionId: 's' }));
          feed?.start();
        } else {
          const { params } = JSON.parse(frame as string) as { params: { n: number } };
          seen.push(params.n);
        }
      }
      if (seen.length >= COUNT) break;
    }
    expect(seen).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1));
    expect(cutCount).toBeGreaterThan(10);
    expect(feed?.rewindCount).toBeGreaterThan(5);
  },
);

/** Sends numbered events from a place on, and waits whenever it is asked to. */
class Feed implements ConnectionOwner {
  readonly #transport: Transport;
  #next = 1;
  #isStopped = true;
  #stopped: Promise<void> = Promise.resolve();
  rewindCount = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  start(): void {
    this.#isStopped = false;
    this.#stopped = this.#run();
  }

  async rewind(_stream: string, cursor: string): Promise<() => void> {
    this.rewindCount++;
    this.#isStopped = true;
    await this.#stopped;
    this.#next = Number(cursor) + 1;
    return () => this.start();
  }

  async #run(): Promise<void> {
    while (this.#next <= COUNT && !this.#isStopped) {
      const n = this.#next++;
      const frame = notificationFrame('_event', { n, text: 'x'.repeat(100) });
      const cursor = String(n).padStart(6, '0');
      const wait = this.#transport.send(frame, { stream: 's', cursor });
      if (wait !== undefined) await wait;
    }
  }
}
