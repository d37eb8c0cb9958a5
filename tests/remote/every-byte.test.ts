import { afterAll, describe, expect, it } from 'vitest';
import type { Direction } from './cut-line.ts';
import { MemoryStage } from './memory-stage.ts';
import { shortStory, wholeStory, type Step } from './story.ts';
import { tellCut, type CutPlan } from './tell-cut.ts';
import { WAYS_IN, type OpenReader } from './ways-in.ts';

/** Bytes from one cut to the next. 1 cuts at every byte there is, which takes some minutes. */
const STRIDE = Number(process.env['SIGNALBOX_SWEEP_STRIDE'] ?? 23);
/** Stories that are told at the same time. */
const AT_ONCE = 8;
const TIMEOUT_MS = STRIDE < 5 ? 600_000 : 60_000;

/** Cuts behind 0 bytes, behind `STRIDE` bytes and so on, until there are no more bytes. @returns how many. */
async function sweep(
  stage: MemoryStage,
  open: OpenReader,
  direction: Direction,
  at: CutPlan['at'],
): Promise<number> {
  let after = 0;
  let total = 0;
  let isOver = false;
  const cutNext = async (): Promise<void> => {
    while (!isOver) {
      const cut = { direction, after, kind: after % 2 === 0 ? 'reset' : 'end' } as const;
      after += STRIDE;
      try {
        const { cutCount } = await tellCut(stage, open, { cut, at });
        total += cutCount;
        isOver ||= cutCount === 0;
      } catch (cause) {
        isOver = true;
        const how = `${cut.kind} behind ${cut.after} bytes ${direction}, ${at}`;
        throw new Error(`not the same when cut (${how})`, { cause });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, cutNext));
  return total;
}

describe.each(WAYS_IN)('a session read by %s', (_name, open) => {
  const stages: MemoryStage[] = [];
  const openStage = async (story: readonly Step[]): Promise<MemoryStage> => {
    const stage = await MemoryStage.open(story);
    stages.push(stage);
    return stage;
  };

  afterAll(async () => {
    for (const stage of stages) await stage.close();
  });

  it(
    'is the same behind a cut in any frame, at any byte of it',
    async () => {
      const stage = await openStage(wholeStory());
      const { toldCount } = await tellCut(stage, open, undefined);
      expect(toldCount).toBeGreaterThan(20);
      const cutCount = await sweep(stage, open, 'down', 'each step');
      // What the client is told takes some hundred bytes each time.
      expect(cutCount).toBeGreaterThan((toldCount * 40) / STRIDE);
    },
    TIMEOUT_MS,
  );

  it.each<Direction>(['down', 'up'])(
    'is the same behind a cut of the bytes that go %s, from the first one on',
    async (direction) => {
      const stage = await openStage(shortStory());
      expect(await sweep(stage, open, direction, 'once')).toBeGreaterThan(500 / STRIDE);
    },
    TIMEOUT_MS,
  );
});
