import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from './random.ts';
import { Station } from './station.ts';
import { World } from './world.ts';

/** Cuts altogether, at the least. `SIGNALBOX_CUTS=10000` takes some minutes. */
const CUTS = Number(process.env['SIGNALBOX_CUTS'] ?? 150);
const SEED = Number(process.env['SIGNALBOX_CUTS_SEED'] ?? Date.now() % 1_000_000);
/** Sessions at the same time. */
const STATIONS = 8;
const ROUNDS_PER_SESSION = 10;
/** How often the server is killed under all of them. */
const ROUNDS_PER_RESTART = 100;
/** How often an agent is killed at the least. */
const ROUNDS_PER_KILL = 20;
/** How long a round may take until it counts as stuck, in ms. */
const ROUND_MS = 45_000;
const TIMEOUT_MS = 120_000 + CUTS * 200;

let world: World;

beforeAll(async () => {
  world = await World.open();
}, 30_000);

afterAll(async () => {
  await world.close();
});

it(
  `nothing is lost and nothing comes twice over ${CUTS} random cuts (SIGNALBOX_CUTS_SEED=${SEED})`,
  async () => {
    const random = new Random(SEED);
    const done = { cuts: 0, rounds: 0, killedAgents: 0 };
    const round = async (station: Station, own: Random): Promise<void> => {
      const isRestart = ++done.rounds % ROUNDS_PER_RESTART === 0;
      const restarted = isRestart ? world.restart() : undefined;
      await station.round(own, done.rounds % ROUNDS_PER_KILL === 0);
      await restarted;
    };
    const work = async (own: Random): Promise<void> => {
      while (done.cuts < CUTS) {
        const station = await orStuck('opening', Station.open(world, own.fork()));
        for (let n = 0; n < ROUNDS_PER_SESSION; n++) {
          await orStuck('round', round(station, own.fork()), station);
        }
        await orStuck('end', station.finish(), station);
        await orStuck('closing', station.close(), station);
        done.cuts += station.cutCount;
        done.killedAgents += station.killedAgents;
      }
    };
    await Promise.all(Array.from({ length: STATIONS }, () => work(random.fork())));
    expect(done.cuts).toBeGreaterThanOrEqual(CUTS);
    expect(done.killedAgents).toBeGreaterThan(0);
    expect(world.server.startCount).toBe(1 + Math.floor(done.rounds / ROUNDS_PER_RESTART));
  },
  TIMEOUT_MS,
);

/** What comes of the work; an error with the whole story if it fails or takes too long. */
async function orStuck<T>(what: string, work: Promise<T>, station?: Station): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('stuck')), ROUND_MS);
  });
  try {
    return await Promise.race([work, stuck]);
  } catch (cause) {
    const story = [...(station?.diary.slice(-30) ?? []), ...(station?.logs ?? [])].join('\n');
    throw new Error(`seed ${SEED}, ${what}: ${String(cause)}\n${story}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
