import { isPeerError, type Frame, type Transport } from '@signalbox/acp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Two connected transports, made anew for each case. */
export interface TransportPair {
  readonly near: Transport;
  readonly far: Transport;
  /** Frees what is left of the pair. */
  dispose?(): Promise<void> | void;
}

/**
 * What every transport keeps to, whatever it runs on. An adapter's test calls this with a function that
 * connects two of its transports.
 */
export function describeTransportContract(
  name: string,
  connect: () => TransportPair | Promise<TransportPair>,
): void {
  describe(`the transport contract: ${name}`, () => {
    let pair: TransportPair;

    beforeEach(async () => {
      pair = await connect();
    });

    afterEach(async () => {
      await Promise.all([pair.near.close(), pair.far.close()]);
      await pair.dispose?.();
    });

    it('delivers frames whole and in order, in both directions at once', async () => {
      const there = Array.from({ length: 500 }, (_, i) => JSON.stringify({ there: i }));
      const back = Array.from({ length: 500 }, (_, i) => JSON.stringify({ back: i }));
      there.forEach((frame) => void pair.near.send(frame));
      back.forEach((frame) => void pair.far.send(frame));
      const [received, receivedBack] = await Promise.all([
        take(pair.far, there.length),
        take(pair.near, back.length),
      ]);
      expect(received).toEqual(there);
      expect(receivedBack).toEqual(back);
    });

    it('keeps text of every kind', async () => {
      const texts = ['äöü', '漢字', '😀', '\n\r\t\0', '\u2028\u2029\u0085', '\uFEFF\uFFFD', ''];
      const frames = texts.map((text) => JSON.stringify({ text }));
      frames.forEach((frame) => void pair.near.send(frame));
      expect(await take(pair.far, frames.length)).toEqual(frames);
    });

    it('carries a frame of ten MiB between small ones', async () => {
      const frames = ['1', JSON.stringify('x€'.repeat(5 * 1024 * 1024)), '2'];
      frames.forEach((frame) => void pair.near.send(frame));
      expect((await take(pair.far, 3)).map((frame) => lengthOf(frame))).toEqual(
        frames.map((frame) => frame.length),
      );
    });

    it('delivers what was sent right before close, and then ends', async () => {
      const frames = Array.from({ length: 100 }, (_, i) => JSON.stringify({ i }));
      frames.forEach((frame) => void pair.near.send(frame));
      const [received] = await Promise.all([takeAll(pair.far), pair.near.close()]);
      expect(received).toEqual(frames);
    });

    it('ends its own receive() when it is closed', async () => {
      const received = takeAll(pair.near);
      await pair.near.close();
      expect(await received).toEqual([]);
    });

    it('may be closed several times', async () => {
      const reading = takeAll(pair.far);
      await Promise.all([pair.near.close(), pair.near.close()]);
      await pair.near.close();
      await reading;
    });

    it('refuses to send after close with the code closed', async () => {
      const reading = takeAll(pair.far);
      await pair.near.close();
      await reading;
      expect(
        isPeerError(
          thrownBy(() => pair.near.send('{}')),
          'closed',
        ),
      ).toBe(true);
    });

    it('asks a sender to wait while nobody reads, and lets it go on when somebody does', async () => {
      const frame = JSON.stringify('x'.repeat(10_000));
      const waits: Promise<void>[] = [];
      let sent = 0;
      while (waits.length === 0) {
        const wait = pair.near.send(frame);
        sent++;
        if (wait !== undefined) waits.push(wait);
        expect(sent).toBeLessThan(10_000);
      }
      expect(await take(pair.far, sent)).toHaveLength(sent);
      await Promise.all(waits);
    });
  });
}

function lengthOf(frame: Frame | undefined): number {
  return typeof frame === 'string' ? frame.length : -1;
}

async function take(transport: Transport, count: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const batch of transport.receive()) {
    frames.push(...batch);
    if (frames.length >= count) break;
  }
  return frames;
}

function takeAll(transport: Transport): Promise<Frame[]> {
  return take(transport, Infinity);
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
