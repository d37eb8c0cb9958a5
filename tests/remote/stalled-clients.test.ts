import { parseCursor, type SessionId } from '@signalbox/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { RemoteSession, SignalboxClient } from '../../packages/client/src/index.ts';
import { createNodeClient } from '../../packages/client/src/node.ts';
import { ServerProcess } from './server-process.ts';
import { stallHttp, stallWebSocket, type StalledClient } from './stalled-client.ts';

const MIB = 1024 * 1024;
const STALLED_OF_EACH = 20;
/** What comes while they do not read: 100 MiB, in turns of 10 MiB. */
const TURNS = 10;
const TURN = '1000 10486';
const WARM_TURNS = 3;
/** The server has no more than this: what would be kept for each of them would be 40 times 100 MiB. */
const HEAP_MIB = 192;
const GROWTH_MAX = 64 * MIB;

let server: ServerProcess;
const clients: SignalboxClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.stop();
});

/** Attaches a session and keeps the places of what it is told. */
async function follow(
  sessionId: string,
  after: string,
): Promise<{ session: RemoteSession; seqs: number[]; caughtUp: Promise<void> }> {
  const seqs: number[] = [];
  let onCaughtUp!: () => void;
  const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));
  const session = await openClient().attach(sessionId, {
    after,
    onEvent: (news) => {
      if (news.type === 'event') seqs.push(news.seq);
      if (news.type === 'caught_up') onCaughtUp();
    },
  });
  return { session, seqs, caughtUp };
}

function openClient(): SignalboxClient {
  const client = createNodeClient({
    url: server.url,
    clientInfo: { name: 'healthy', version: '1' },
    doors: ['websocket'],
  });
  clients.push(client);
  return client;
}

async function flood({ session }: { session: RemoteSession }, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await session.prompt(TURN).done;
}

/** What the server holds after a collection of garbage, in bytes. */
async function heldBytes(): Promise<number> {
  const { heapUsed, external } = await server.memory();
  return heapUsed + external;
}

describe('clients that never read (B183)', () => {
  it('cost little memory, hinder nobody, are sent away as slow, and can resume', async () => {
    server = await ServerProcess.start({
      agent: 'floods',
      heapMiB: HEAP_MIB,
      more: {
        webSocketLimits: { stallMs: 1000, closeMs: 60_000 },
        httpLimits: { stallMs: 1000, flushMs: 60_000 },
      },
    });
    const { sessionId } = await openClient().newSession({ cwd: server.folder });
    const healthy = await follow(sessionId, 'start');
    // Everything is as large as it gets without them.
    await flood(healthy, WARM_TURNS);
    const before = await heldBytes();
    const stalled: StalledClient[] = [];
    for (let n = 0; n < STALLED_OF_EACH; n++) {
      stalled.push(
        await stallWebSocket(server.url, sessionId),
        await stallHttp(server.url, sessionId),
      );
    }
    await flood(healthy, 1);
    expect((await heldBytes()) - before).toBeLessThan(GROWTH_MAX);
    await flood(healthy, TURNS - 1);
    expect((await heldBytes()) - before).toBeLessThan(GROWTH_MAX);

    const head = healthy.session.view.lastSeq;
    expect(healthy.seqs).toEqual(from(1, head));
    const ends = await Promise.all(stalled.map((each) => each.readOn()));
    // Whoever has half an event when it is sent away cannot be told anything more.
    const reasons = new Set(ends.map(({ reason }) => reason ?? 'cut off'));
    expect([...reasons].filter((reason) => !['slow', 'cut off'].includes(reason))).toEqual([]);
    for (const { cursor } of ends.slice(0, 2)) {
      const { seq } = parseCursor(sessionId as SessionId, cursor ?? '');
      expect(seq).toBeLessThan(head);
      const back = await follow(sessionId, cursor ?? '');
      await back.caughtUp;
      expect(back.seqs).toEqual(from(seq + 1, head));
    }
  }, 120_000);
});

function from(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
