import type { BenchCase, Role, Sample } from './bench-case.ts';
import { ContestantProcess } from './contestant.ts';

/** The medians of one contestant. */
export interface ContestantResult extends Sample {
  readonly name: string;
  readonly role: Role;
  /** How many times less than the official SDK this took: the median of the ratios of each round. */
  readonly timesWall?: number;
  readonly timesCpu?: number;
}

/** How often everything is run. */
export interface Extent {
  readonly quick: boolean;
  readonly rounds: number;
}

/**
 * Runs all contestants of a case round by round, each time starting with another one: what else the
 * machine does then falls on all of them alike.
 */
export async function runCase(
  benchCase: BenchCase,
  caseUrl: string,
  { quick, rounds }: Extent,
): Promise<ContestantResult[]> {
  const { contestants, warmsUp = true } = benchCase;
  const count = quick ? benchCase.count.quick : benchCase.count.full;
  const processes: ContestantProcess[] = [];
  const samples: Sample[][] = contestants.map(() => []);
  try {
    for (const index of contestants.keys()) {
      processes.push(await ContestantProcess.start(caseUrl, index));
    }
    // Round 0 only warms up.
    for (let round = warmsUp ? 0 : 1; round <= rounds; round++) {
      for (let turn = 0; turn < contestants.length; turn++) {
        const index = (turn + round) % contestants.length;
        const sample = await processes[index]?.run(count * (contestants[index]?.scale ?? 1));
        if (round > 0 && sample !== undefined) samples[index]?.push(sample);
      }
    }
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
  return summarize(benchCase, samples);
}

/** The middle value; of an even number the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? NaN;
  const high = sorted[Math.floor(middle)] ?? NaN;
  return (low + high) / 2;
}

/** The medians of the figures that the contestant gives beside its times. */
function mediansOf(samples: readonly Sample[]): Pick<Sample, 'figures'> {
  const names = Object.keys(samples[0]?.figures ?? {});
  if (names.length === 0) return {};
  const of = (name: string): number => median(samples.map(({ figures }) => figures?.[name] ?? NaN));
  return { figures: Object.fromEntries(names.map((name) => [name, of(name)])) };
}

function summarize({ contestants }: BenchCase, samples: readonly Sample[][]): ContestantResult[] {
  const sdk = samples[contestants.findIndex(({ role }) => role === 'sdk')];
  return contestants.map(({ name, role }, index) => {
    const own = samples[index] ?? [];
    const result = {
      name,
      role,
      wallUs: median(own.map(({ wallUs }) => wallUs)),
      cpuUs: median(own.map(({ cpuUs }) => cpuUs)),
      ...mediansOf(own),
    };
    if (sdk === undefined) return result;
    const ratios = (of: 'wallUs' | 'cpuUs'): number =>
      median(own.map((sample, round) => (sdk[round]?.[of] ?? NaN) / sample[of]));
    return { ...result, timesWall: ratios('wallUs'), timesCpu: ratios('cpuUs') };
  });
}
