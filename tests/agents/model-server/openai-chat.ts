import { toPieces, type Answer, type Finish, type Turn } from './conversation.ts';
import { nowSeconds, type AnswerContext, type Dialect, type Frame } from './dialect.ts';
import { listOf, membersOf, stringOf, textOf } from './json.ts';

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  tool: 'tool_calls',
  length: 'length',
  refuse: 'content_filter',
};

/** OpenAI chat completions. */
export const openaiChat: Dialect = {
  name: 'chat',
  serves: (path) => path.endsWith('/chat/completions'),
  read: (body) => {
    const { messages, tools, stream, model } = membersOf(body);
    return {
      model: stringOf(model) ?? 'scripted',
      turns: listOf(messages).map(toTurn),
      tools: new Map(listOf(tools).map((tool) => [toolName(tool), { isCustom: false }])),
      isStream: stream === true,
    };
  },
  frames,
  whole,
  errorBody: (status) => ({
    error: { message: `scripted error ${status}`, type: 'scripted_error', code: String(status) },
  }),
};

function toTurn(message: unknown): Turn {
  const { role, content } = membersOf(message);
  if (role === 'user') return { kind: 'user', text: textOf(content) };
  if (role === 'tool' || role === 'function') return { kind: 'result', text: textOf(content) };
  return { kind: 'other' };
}

function toolName(tool: unknown): string {
  const { name, function: called } = membersOf(tool);
  return stringOf(membersOf(called)['name']) ?? stringOf(name) ?? '';
}

function* frames(answer: Answer, context: AnswerContext): Iterable<Frame> {
  const head = headOf(context, 'chat.completion.chunk');
  const frame = (delta: object, reason: string | null = null): Frame => ({
    data: { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] },
  });
  yield frame({ role: 'assistant', content: '' });
  for (const text of answer.think === undefined ? [] : toPieces(answer.think)) {
    yield frame({ reasoning_content: text });
  }
  for (const text of answer.pieces) yield { ...frame({ content: text }), isPiece: true };
  for (const [index, { name, args }] of answer.calls.entries()) {
    const called = { name, arguments: '' };
    const id = context.newId('call_');
    yield frame({ tool_calls: [{ index, id, type: 'function', function: called }] });
    for (const text of toPieces(JSON.stringify(args))) {
      yield frame({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  }
  yield frame({}, FINISH[answer.finish]);
  yield { data: { ...head, choices: [], usage: usageOf(context) } };
  yield { data: '[DONE]' };
}

function whole(answer: Answer, context: AnswerContext): unknown {
  const calls = answer.calls.map(({ name, args }) => ({
    id: context.newId('call_'),
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = {
    role: 'assistant',
    content: calls.length > 0 ? null : answer.pieces.join(''),
    ...(answer.think === undefined ? {} : { reasoning_content: answer.think }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    ...headOf(context, 'chat.completion'),
    choices: [{ index: 0, logprobs: null, finish_reason: FINISH[answer.finish], message }],
    usage: usageOf(context),
  };
}

function headOf(context: AnswerContext, object: string): object {
  const { model } = context.request;
  return { id: context.newId('chatcmpl-'), object, created: nowSeconds(), model };
}

function usageOf({ inputTokens, outputTokens }: AnswerContext): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
