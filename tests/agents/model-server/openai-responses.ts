import type { ToolShape, Turn } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import { listOf, membersOf, stringOf, textOf } from './json.ts';
import { responseFrames, wholeResponse } from './openai-responses-writer.ts';

/** OpenAI responses. */
export const openaiResponses: Dialect = {
  name: 'responses',
  serves: (path) => path.endsWith('/responses'),
  read: (body) => {
    const { input, tools, stream, model } = membersOf(body);
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
    return {
      model: stringOf(model) ?? 'scripted',
      turns: items.map(toTurn),
      tools: new Map(listOf(tools).flatMap((tool) => toTools(tool))),
      isStream: stream === true,
    };
  },
  frames: responseFrames,
  whole: wholeResponse,
  errorBody: (status) => ({
    error: { message: `scripted error ${status}`, type: 'scripted_error', code: String(status) },
  }),
};

function toTurn(item: unknown): Turn {
  const { role, type, content, output } = membersOf(item);
  if (role === 'user') return { kind: 'user', text: textOf(content) };
  if (stringOf(type)?.endsWith('_output') === true) {
    return { kind: 'result', text: textOf(output ?? item) };
  }
  return { kind: 'other' };
}

/** A tool, or the tools of a group of them. */
function toTools(tool: unknown, namespace?: string): [string, ToolShape][] {
  const { type, name, tools } = membersOf(tool);
  const named = stringOf(name) ?? stringOf(type) ?? '';
  if (type === 'namespace') return listOf(tools).flatMap((inner) => toTools(inner, named));
  const shape = { isCustom: type === 'custom', ...(namespace === undefined ? {} : { namespace }) };
  return [[named, shape]];
}
