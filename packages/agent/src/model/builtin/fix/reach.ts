import { closing, type Token } from './tokens.ts';

/** Something with a name: a function, a method or a variable, and the tokens it consists of. */
export interface Definition {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const NOT_METHODS: ReadonlySet<string> = new Set(
  'if for while switch catch function with'.split(' '),
);

/** The definitions in a source, outer and inner ones. */
export function definitionsIn(tokens: readonly Token[]): Definition[] {
  const found: Definition[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name') continue;
    const previous = tokens[index - 1]?.text ?? '';
    const next = tokens[index + 1]?.text ?? '';
    if (['const', 'let', 'var'].includes(previous) && next === '=') {
      found.push({ name: token.text, from: index, to: endOfStatement(tokens, index) });
    } else if (next === '(' && !NOT_METHODS.has(token.text)) {
      const body = bodyAfter(tokens, closing(tokens, index + 1));
      if (body !== undefined) {
        found.push({ name: token.text, from: index, to: closing(tokens, body) });
      }
    }
  }
  return found;
}

/** The tokens of the test around a line, or of the whole file if there is none. */
export function testAround(tokens: readonly Token[], line: number): readonly Token[] {
  let best = tokens;
  for (const [index, token] of tokens.entries()) {
    if (!['test', 'it'].includes(token.text) || tokens[index + 1]?.text !== '(') continue;
    const end = closing(tokens, index + 1);
    const isAround = token.line <= line && (tokens[end]?.line ?? 0) >= line;
    if (isAround && end - index < best.length) best = tokens.slice(index, end + 1);
  }
  return best;
}

/**
 * How far definitions are from some tokens: those that the tokens name are at 0, those that these name
 * at 1, and so on. What cannot be reached is not in the result.
 */
export function reachFrom(
  start: readonly Token[],
  sources: readonly { tokens: readonly Token[]; definitions: readonly Definition[] }[],
): ReadonlyMap<string, number> {
  const distances = new Map<string, number>();
  let named = namesIn(start);
  for (let distance = 0; named.size > 0; distance += 1) {
    const next = new Set<string>();
    for (const { tokens, definitions } of sources) {
      for (const { name, from, to } of definitions) {
        if (!named.has(name) || distances.has(name)) continue;
        for (const inner of namesIn(tokens.slice(from + 1, to + 1))) next.add(inner);
      }
    }
    for (const name of named) if (!distances.has(name)) distances.set(name, distance);
    for (const name of distances.keys()) next.delete(name);
    named = next;
  }
  return distances;
}

function namesIn(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text));
}

/** Where the body of a function begins whose parameters end at an index; a call has none. */
function bodyAfter(tokens: readonly Token[], end: number): number | undefined {
  // A result type may stand between.
  for (let index = end + 1; index < Math.min(end + 12, tokens.length); index += 1) {
    const text = tokens[index]?.text ?? '';
    if (text === '{') return index === end + 1 || tokens[end + 1]?.text === ':' ? index : undefined;
    if ([';', ',', ')', '=', '?'].includes(text)) return undefined;
  }
  return undefined;
}

function endOfStatement(tokens: readonly Token[], start: number): number {
  for (let index = start; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? '';
    if (text === '(' || text === '[' || text === '{') index = closing(tokens, index);
    else if (text === ';' || text === '}' || text === ')') return index;
  }
  return tokens.length - 1;
}
