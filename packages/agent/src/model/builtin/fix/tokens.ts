/** A piece of JavaScript or TypeScript source. Comments and spaces are left out. */
export interface Token {
  readonly kind: 'name' | 'number' | 'literal' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

/** Names after which a value begins, so that a slash there begins a regular expression. */
const BEFORE_VALUE: ReadonlySet<string> = new Set(
  'return typeof case in of delete void throw new instanceof await yield else do'.split(' '),
);

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|^#![^\n]*)/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)n?/y;
const STRING = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const SIGN =
  /\.\.\.|>>>=?|===|!==|\*\*=?|<<=?|>>=?|&&=?|\|\|=?|\?\?=?|=>|[=!<>+\-*/%&|^]=|\+\+|--|\?\.|[\s\S]/uy;

/** Splits a source into tokens. It never fails: what it does not know becomes a sign. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let position = 0;
  while (position < source.length) {
    const space = match(SPACE, source, position);
    const [kind, text] = space !== undefined ? [undefined, space] : next(source, position, tokens);
    const end = position + text.length;
    if (kind !== undefined) tokens.push({ kind, text, start: position, end, line });
    line += text.split('\n').length - 1;
    position = end;
  }
  return tokens;
}

function next(
  source: string,
  position: number,
  before: readonly Token[],
): readonly [Token['kind'], string] {
  const name = match(NAME, source, position);
  if (name !== undefined) return ['name', name];
  const number = match(NUMBER, source, position);
  if (number !== undefined) return ['number', number];
  const string = match(STRING, source, position);
  if (string !== undefined) return ['literal', string];
  if (source[position] === '`') return ['literal', template(source, position)];
  const regex = endsValue(before.at(-1)) ? undefined : match(REGEX, source, position);
  if (regex !== undefined) return ['literal', regex];
  return ['sign', match(SIGN, source, position) ?? source.charAt(position)];
}

/** Whether a value ends with this token, so that an operator with two sides may follow. */
export function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'sign') return token.text === ')' || token.text === ']' || token.text === '}';
  return token.kind !== 'name' || !BEFORE_VALUE.has(token.text);
}

/** The index of the sign that closes the one at `open`, or the last index if there is none. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] as Token;
    if (kind !== 'sign') continue;
    if (text === '(' || text === '[' || text === '{') depth += 1;
    if (text === ')' || text === ']' || text === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length - 1;
}

function match(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position;
  const text = pattern.exec(source)?.[0];
  return text === '' ? undefined : text;
}

/** A whole template, with whatever is inserted into it. */
function template(source: string, start: number): string {
  let depth = 0;
  for (let position = start + 1; position < source.length; position += 1) {
    const character = source[position];
    if (character === '\\') position += 1;
    else if (character === '$' && source[position + 1] === '{' && depth === 0) depth = 1;
    else if (depth > 0 && character === '{' && source[position - 1] !== '$') depth += 1;
    else if (depth > 0 && character === '}') depth -= 1;
    else if (depth === 0 && character === '`') return source.slice(start, position + 1);
  }
  return source.slice(start);
}
