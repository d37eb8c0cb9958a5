import type { ToolCall } from './conversation.ts';

/** What the directives of a prompt ask for. */
export interface Script {
  /** Tool calls, one model turn each. */
  readonly calls: readonly ToolCall[];
  readonly say?: string;
  readonly think?: string;
  readonly slow?: { readonly count: number; readonly gapMs: number };
  readonly finish: 'stop' | 'refuse' | 'length';
  readonly errorStatus?: number;
  /** The prompt without its directives. */
  readonly plain: string;
}

const DIRECTIVE = /\[\[(tool|slow|say|think|refuse|length|error)\b/g;
const TOOL_NAME = /^:\s*([\w.:/-]+?)\s*(?=\{|\]\])/;
const PIECES_MAX = 10_000;
const GAP_MS_MAX = 10_000;

/**
 * Parses the directives in a prompt: `[[tool:NAME {json}]]`, `[[slow:N:MS]]`, `[[say:TEXT]]`,
 * `[[think:TEXT]]`, `[[refuse]]`, `[[length]]` and `[[error:STATUS]]`. What looks like one and is not
 * whole is plain text. Of several that say how the answer is, the last one counts: some agents put a
 * prompt that came to nothing in front of the next one.
 */
export function parseScript(text: string): Script {
  const calls: ToolCall[] = [];
  let answer: AnswerScript = { finish: 'stop' };
  let think: string | undefined;
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(DIRECTIVE)) {
    if (match.index < end) continue;
    const at = match.index + match[0].length;
    if (match[1] === 'tool') {
      const found = parseCall(text, at);
      if (found === undefined) continue;
      calls.push(found.call);
      plain += text.slice(end, match.index);
      end = found.end;
      continue;
    }
    const close = text.indexOf(']]', at);
    if (close < 0) continue;
    const value = text.slice(at, close).replace(/^:/, '');
    if (match[1] === 'think') think = value;
    else answer = toAnswer(match[1] ?? '', value);
    plain += text.slice(end, match.index);
    end = close + 2;
  }
  const thought = think === undefined ? {} : { think };
  return { ...answer, ...thought, calls, plain: (plain + text.slice(end)).trim() };
}

type AnswerScript = Omit<Script, 'calls' | 'plain' | 'think'>;

function toAnswer(name: string, value: string): AnswerScript {
  switch (name) {
    case 'say':
      return { finish: 'stop', say: value };
    case 'refuse':
    case 'length':
      return { finish: name };
    case 'error':
      return { finish: 'stop', errorStatus: Number(value) || 500 };
    default: {
      const [count = 1, gapMs = 100] = value.split(':').map(Number);
      const slow = { count: Math.min(count || 1, PIECES_MAX), gapMs: Math.min(gapMs, GAP_MS_MAX) };
      return { finish: 'stop', slow };
    }
  }
}

/** Reads `:NAME {json}]]` at `start`; without the JSON the tool gets no arguments. */
function parseCall(text: string, start: number): { call: ToolCall; end: number } | undefined {
  const name = TOOL_NAME.exec(text.slice(start));
  if (name === null) return undefined;
  let at = start + name[0].length;
  let args: Record<string, unknown> = {};
  if (text[at] === '{') {
    const close = jsonEnd(text, at);
    if (close < 0) return undefined;
    try {
      args = JSON.parse(text.slice(at, close)) as Record<string, unknown>;
    } catch {
      return undefined;
    }
    at = close;
  }
  const close = /^\s*\]\]/.exec(text.slice(at));
  return close === null
    ? undefined
    : { call: { name: name[1] ?? '', args }, end: at + close[0].length };
}

/** Where the JSON object that begins at `start` ends; -1 when it does not. */
function jsonEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
