import { describe, expect, it } from 'vitest';
import {
  createScriptedPeer,
  notificationFrame,
  requestFrame,
  resultFrame,
  type ScriptedPeer,
} from '../../../../tests/support/peers.ts';
import { turn } from '../../../../tests/support/scripted-transport.ts';
import type { Peer } from './peer.ts';

describe('the order of what a peer takes in', () => {
  it('applies notifications before a response that came after them resolves, a thousand times', async () => {
    let applied = 0;
    const { wire, peer } = createScriptedPeer({ onNotification: () => void applied++ });
    for (let round = 0; round < 1000; round++) {
      applied = 0;
      const answer = peer.request('session/prompt', {});
      const updates = Array.from({ length: 5 }, () => notificationFrame('u'));
      wire.arrive(...updates, resultFrame(round, {}));
      await answer;
      expect(applied).toBe(5);
    }
  });

  it.each([
    ['in one read', (frames: string[]) => [frames]],
    ['in one read each', (frames: string[]) => frames.map((frame) => [frame])],
  ])('applies what follows a response after its caller has gone on, %s', async (_name, reads) => {
    const log: string[] = [];
    const { wire, peer } = createScriptedPeer({
      onNotification: ({ method }) => void log.push(method),
      onRequest: ({ method }) => log.push(method),
    });
    const calling = callSlowly(peer).then(() => log.push('caller went on'));
    const frames = [
      notificationFrame('before'),
      resultFrame(0, {}),
      notificationFrame('after'),
      requestFrame(1, 'later'),
    ];
    for (const read of reads(frames)) wire.arrive(...read);
    await calling;
    await turn();
    await turn();
    expect(log).toEqual(['before', 'caller went on', 'after', 'later']);
  });

  it('starts requests in order, and does not wait for one before it starts the next', async () => {
    const started: string[] = [];
    const { wire } = createScriptedPeer({
      onRequest: ({ method }) => {
        started.push(method);
        return new Promise(() => undefined);
      },
    });
    wire.arrive(requestFrame(1, 'a'), requestFrame(2, 'b'));
    wire.arrive(requestFrame(3, 'c'));
    await turn();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('reads on while a handler waits for an answer that is still to be read', async () => {
    const seen: string[] = [];
    const { wire, peer }: ScriptedPeer = createScriptedPeer({
      onNotification: ({ method }) => void seen.push(method),
      onRequest: async () => (await peer.request('fs/read_text_file', {})).result,
    });
    wire.arrive(requestFrame('load', 'session/load'));
    await wire.whenSent(1);
    wire.arrive(...Array.from({ length: 50 }, () => notificationFrame('u')));
    wire.arrive(resultFrame(0, { content: 'nested' }));
    expect(await wire.whenSent(2)).toMatchObject([
      { id: 0, method: 'fs/read_text_file' },
      { id: 'load', result: { content: 'nested' } },
    ]);
    expect(seen).toHaveLength(50);
  });

  it('does not read on while its owner is not ready for more', async () => {
    let release: (() => void) | undefined;
    const seen: string[] = [];
    const { wire } = createScriptedPeer({
      onNotification: ({ method }) => void seen.push(method),
      readyForMore: () =>
        seen.length === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined,
    });
    wire.arrive(notificationFrame('1'));
    wire.arrive(notificationFrame('2'));
    await turn();
    expect([seen, wire.readCount]).toEqual([['1'], 1]);
    release?.();
    await turn();
    expect([seen, wire.readCount]).toEqual([['1', '2'], 2]);
  });
});

/** A caller that needs several promise reactions before it acts on the answer. */
async function callSlowly(peer: Peer): Promise<void> {
  await peer.request('session/new', {});
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
