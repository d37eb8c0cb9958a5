import { hintsFrom } from './hints.ts';
import { mutationsAt, type Mutation } from './mutations.ts';
import { definitionsIn, reachFrom, testAround, type Definition } from './reach.ts';
import { isTestFile, type Sources } from './sources.ts';
import type { Frame, TestFailure } from './test-failure.ts';
import { tokenize, type Token } from './tokens.ts';

/** A change to try. */
export interface Candidate {
  readonly path: string;
  readonly mutation: Mutation;
}

interface Analysed {
  readonly path: string;
  readonly tokens: readonly Token[];
  readonly definitions: readonly Definition[];
}

/** As far as what the test does not even name. */
const UNREACHED = 6;
/** An explanation counts for more than being near. */
const EXPLAINS = -12;

/**
 * Every small change to the sources that could make a test pass, the most likely first. Likely is what
 * the failing test reaches in few steps, and what fits the difference between the expected and the
 * actual value. Of several failing tests the one that reaches least is looked at: it says most.
 *
 * @param failures with frames whose paths are those of the sources.
 */
export function candidatesFor(failures: readonly TestFailure[], sources: Sources): Candidate[] {
  const analysed = [...sources].map(([path, text]): Analysed => {
    const tokens = tokenize(text);
    return { path, tokens, definitions: definitionsIn(tokens) };
  });
  const looks = failures.map((failure) => lookAt(failure, analysed));
  const [look] = looks.sort((a, b) => a.reachedCount - b.reachedCount);
  if (look === undefined) return [];
  const { order, wanted, explains } = hintsFrom(look.failure, look.test);
  const scored: { candidate: Candidate; score: number }[] = [];
  for (const file of analysed) {
    if (isTestFile(file.path)) continue;
    for (const index of file.tokens.keys()) {
      const distance = distanceAt(file, index, look.distances, look.failure.frames);
      for (const mutation of mutationsAt(file.tokens, index, wanted)) {
        const fit = explains(mutation) ? EXPLAINS : order.indexOf(mutation.kind);
        const score = distance * 3 + fit + mutation.rank * 2;
        scored.push({ candidate: { path: file.path, mutation }, score });
      }
    }
  }
  // The sort is stable, so that equally likely changes are tried in the order of the source.
  return scored.sort((a, b) => a.score - b.score).map(({ candidate }) => candidate);
}

interface Look {
  readonly failure: TestFailure;
  readonly test: readonly Token[];
  readonly distances: ReadonlyMap<string, number>;
  /** How many definitions outside of the tests it reaches. */
  readonly reachedCount: number;
}

function lookAt(failure: TestFailure, analysed: readonly Analysed[]): Look {
  const frame = failure.frames.find(({ path }) => isTestFile(path));
  const file = analysed.find(({ path }) => path === frame?.path);
  const test = file === undefined ? [] : testAround(file.tokens, frame?.line ?? 0);
  const distances = reachFrom(test, analysed);
  const names = analysed.flatMap(({ path, definitions }) =>
    isTestFile(path) ? [] : definitions.map(({ name }) => name),
  );
  const reachedCount = new Set(names.filter((name) => distances.has(name))).size;
  return { failure, test, distances, reachedCount };
}

function distanceAt(
  file: Analysed,
  index: number,
  distances: ReadonlyMap<string, number>,
  frames: readonly Frame[],
): number {
  const line = file.tokens[index]?.line;
  if (frames.some((frame) => frame.path === file.path && frame.line === line)) return 0;
  const around = file.definitions.filter(({ from, to }) => from <= index && index <= to);
  return Math.min(UNREACHED, ...around.map(({ name }) => distances.get(name) ?? UNREACHED));
}
