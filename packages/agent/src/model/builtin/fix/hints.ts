import type { Mutation, MutationKind } from './mutations.ts';
import type { TestFailure } from './test-failure.ts';
import type { Token } from './tokens.ts';

/** What the difference between the expected and the actual value says about the mistake. */
export interface Hints {
  /** The kinds of mutations, the most fitting first. */
  readonly order: readonly MutationKind[];
  /** Values for a constant that would turn the actual value into the expected one. */
  readonly wanted: (value: number) => readonly number[];
  /** Whether a mutation explains the difference by itself. */
  readonly explains: (mutation: Mutation) => boolean;
}

const FIRST_BOOLEAN = 'comparison equality logic constant variable arithmetic method';
const FIRST_OFF_BY_ONE = 'comparison method constant arithmetic variable equality logic';
const FIRST_OTHER = 'arithmetic comparison constant variable equality logic method';

const NUMBER_MIN = 10;

/** @param test the tokens of the failing test. */
export function hintsFrom({ expected, actual }: TestFailure, test: readonly Token[]): Hints {
  const [wanted, got] = [Number(expected), Number(actual)];
  if (!Number.isFinite(wanted) || !Number.isFinite(got)) {
    const isBoolean = [expected, actual].some((value) => value === 'true' || value === 'false');
    const order = kinds(isBoolean ? FIRST_BOOLEAN : FIRST_OTHER);
    return { order, wanted: () => [], explains: () => false };
  }
  const numbers = test.filter(({ kind }) => kind === 'number').map(({ text }) => Number(text));
  // Adding instead of subtracting misses the right value by as much as it misses the other operand.
  const isSign = numbers.includes((wanted + got) / 2);
  const missedBy = Math.abs(wanted - got);
  // Missing by a number of the test means one unit too many or too few of it.
  const isOffByOne = missedBy === 1 || numbers.includes(missedBy);
  const isFactor = numbers.some((number) => number !== 0 && number ** 2 === wanted * got);
  return {
    order: kinds(isOffByOne ? FIRST_OFF_BY_ONE : FIRST_OTHER),
    wanted: (value) => {
      const scaled = got === 0 ? value : (value * wanted) / got;
      const guesses = [...near(value, numbers), scaled, value + wanted - got];
      return guesses.map((guess) => Number(guess.toPrecision(12)));
    },
    explains: ({ token, replacement }) => {
      const signs = token.text.charAt(0) + replacement.charAt(0);
      if (token.kind === 'number')
        return near(Number(token.text), numbers)[0] === Number(replacement);
      return (isSign && /^(\+-|-\+)$/.test(signs)) || (isFactor && /^(\*\/|\/\*)$/.test(signs));
    },
  };
}

/**
 * The number of the test that a wrong constant was probably meant to be. Small numbers are in any test
 * by chance.
 */
function near(value: number, numbers: readonly number[]): number[] {
  if (numbers.includes(value)) return [];
  const similar = numbers.filter((number) => {
    return number >= NUMBER_MIN && number / value > 0.5 && number / value < 2;
  });
  return similar.sort((a, b) => Math.abs(a - value) - Math.abs(b - value)).slice(0, 1);
}

function kinds(names: string): readonly MutationKind[] {
  return names.split(' ') as MutationKind[];
}
