import type { BenchCase } from './bench-case.ts';
import type { ContestantResult } from './rounds.ts';

/** What of the promises of a case its results do not show, one line each. */
export function brokenPromises(
  { contestants }: BenchCase,
  results: readonly ContestantResult[],
): string[] {
  return contestants.flatMap(({ name, promise = {} }, index) => {
    const { figures = {}, timesCpu = NaN } = results[index] ?? {};
    const { figuresMax = {}, timesCpuMin } = promise;
    const tooMuch = Object.entries(figuresMax).flatMap(([figure, max]) => {
      const value = figures[figure] ?? NaN;
      return value <= max ? [] : [`${name}: ${figure} is ${value.toFixed(2)}, at most ${max}`];
    });
    if (timesCpuMin === undefined || timesCpu >= timesCpuMin) return tooMuch;
    const times = `${timesCpu.toFixed(2)} times less CPU than the SDK, at least ${timesCpuMin}`;
    return [...tooMuch, `${name}: ${times}`];
  });
}
