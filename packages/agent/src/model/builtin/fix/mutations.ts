import { endsValue, type Token } from './tokens.ts';

/** What kind of slip a mutation would repair. */
export type MutationKind =
  'arithmetic' | 'comparison' | 'equality' | 'logic' | 'constant' | 'method' | 'variable';

/** One token to replace. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly token: Token;
  readonly replacement: string;
  /** How far-fetched it is among those for the same token, from 0. */
  readonly rank: number;
}

type Swaps = Readonly<Record<string, readonly string[]>>;

const SIGNS: Readonly<Partial<Record<MutationKind, Swaps>>> = {
  arithmetic: {
    '+': ['-', '*'],
    '-': ['+', '*', '/'],
    '*': ['/', '+', '-'],
    '/': ['*', '-', '%'],
    '%': ['/', '*'],
    '+=': ['-=', '*='],
    '-=': ['+='],
    '*=': ['/=', '+='],
    '/=': ['*='],
    '++': ['--'],
    '--': ['++'],
  },
  comparison: {
    '<': ['<=', '>'],
    '<=': ['<', '>='],
    '>': ['>=', '<'],
    '>=': ['>', '<='],
  },
  equality: { '===': ['!=='], '!==': ['==='], '==': ['!='], '!=': ['=='] },
  logic: { '&&': ['||'], '||': ['&&', '??'], '??': ['||'], '!': [''] },
};

const NAMES: Readonly<Partial<Record<MutationKind, Swaps>>> = {
  logic: { true: ['false'], false: ['true'] },
  method: {
    min: ['max'],
    max: ['min'],
    floor: ['round', 'ceil'],
    ceil: ['round', 'floor'],
    round: ['floor', 'ceil'],
    some: ['every'],
    every: ['some'],
    shift: ['pop'],
    pop: ['shift'],
    push: ['unshift'],
    unshift: ['push'],
    toUpperCase: ['toLowerCase'],
    toLowerCase: ['toUpperCase'],
    startsWith: ['endsWith'],
    endsWith: ['startsWith'],
  },
};

/** Signs that also stand before a single value, where swapping them is no slip of this kind. */
const TWO_SIDED: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '<', '>']);

/** The small changes that could be made to a token. `wanted` are numbers that would be more fitting. */
export function mutationsAt(
  tokens: readonly Token[],
  index: number,
  wanted: (value: number) => readonly number[],
): Mutation[] {
  const token = tokens[index];
  const previous = tokens[index - 1];
  if (token === undefined) return [];
  switch (token.kind) {
    case 'number':
      return numberMutations(token, wanted);
    case 'sign':
      if (TWO_SIDED.has(token.text) && !endsValue(previous)) return [];
      return swaps(token, SIGNS);
    case 'name':
      if (previous?.text === 'return') return variableMutations(tokens, index);
      return swaps(token, NAMES);
    case 'literal':
      return [];
  }
}

function swaps(token: Token, table: typeof SIGNS): Mutation[] {
  const found: Mutation[] = [];
  for (const [kind, byText] of Object.entries(table) as [MutationKind, Swaps][]) {
    const replacements = Object.hasOwn(byText, token.text) ? (byText[token.text] ?? []) : [];
    found.push(...replacements.map((replacement, rank) => ({ kind, token, replacement, rank })));
  }
  return found;
}

function numberMutations(token: Token, wanted: (value: number) => readonly number[]): Mutation[] {
  const value = Number(token.text.replaceAll('_', ''));
  if (!Number.isFinite(value)) return [];
  const guesses = [...wanted(value), value + 1, value - 1, value * 10, value / 10];
  const texts = [...new Set(guesses.filter((guess) => guess !== value).map(String))];
  // A number with a sign of its own or in another notation would be more than one token.
  const plain = texts.filter((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text));
  return plain.map((replacement, rank) => ({ kind: 'constant', token, replacement, rank }));
}

/** Other names that the wrong one in \`return name;\` may have been confused with. */
function variableMutations(tokens: readonly Token[], index: number): Mutation[] {
  const token = tokens[index] as Token;
  const next = tokens[index + 1];
  if (next !== undefined && next.text !== ';' && next.text !== '}' && next.line === token.line) {
    return swaps(token, NAMES);
  }
  const names = new Set<string>();
  for (let at = index - 2; at >= 0 && tokens[at]?.text !== 'function'; at -= 1) {
    const other = tokens[at] as Token;
    const isDeclared = [',', ')', '='].includes(tokens[at + 1]?.text ?? '');
    if (other.kind === 'name' && isDeclared && tokens[at - 1]?.text !== '.') names.add(other.text);
  }
  names.delete(token.text);
  const found = [...names].slice(0, 4).map((replacement, rank) => {
    return { kind: 'variable', token, replacement, rank } as const;
  });
  return [...swaps(token, NAMES), ...found];
}
