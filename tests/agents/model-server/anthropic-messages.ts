import { toPieces, type Answer, type Finish, type Turn } from './conversation.ts';
import type { AnswerContext, Dialect, Frame } from './dialect.ts';
import { listOf, membersOf, stringOf, textOf } from './json.ts';

const STOP_REASON: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  tool: 'tool_use',
  length: 'max_tokens',
  refuse: 'refusal',
};

const ERROR_TYPE: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: object;
    };

/** Anthropic messages. */
export const anthropicMessages: Dialect = {
  name: 'messages',
  serves: (path) => path.endsWith('/messages'),
  read: (body) => {
    const { messages, tools, stream, model } = membersOf(body);
    const names = listOf(tools).map((tool) => stringOf(membersOf(tool)['name']) ?? '');
    return {
      model: stringOf(model) ?? 'scripted',
      turns: listOf(messages).flatMap(toTurns),
      tools: new Map(names.map((name) => [name, { isCustom: false }])),
      isStream: stream === true,
    };
  },
  frames,
  whole: (answer, context) => messageOf(answer, context, blocksOf(answer, context)),
  errorBody: (status) => ({
    type: 'error',
    error: { type: ERROR_TYPE[status] ?? 'api_error', message: `scripted error ${status}` },
  }),
};

/** A message may hold the results of tools and, behind a call that was broken off, a prompt as well. */
function toTurns(message: unknown): Turn[] {
  const { role, content } = membersOf(message);
  if (role !== 'user') return [{ kind: 'other' }];
  if (typeof content === 'string') return [{ kind: 'user', text: content }];
  const isOf = (type: string) => (part: unknown) => membersOf(part)['type'] === type;
  const parts = listOf(content);
  const results = parts.filter(isOf('tool_result')).map((part): Turn => {
    return { kind: 'result', text: textOf(membersOf(part)['content']) };
  });
  const text = textOf(parts.filter(isOf('text')));
  return text === '' ? results : [...results, { kind: 'user', text }];
}

function* frames(answer: Answer, context: AnswerContext): Iterable<Frame> {
  const frame = (type: string, more: object): Frame => ({ event: type, data: { type, ...more } });
  const blocks = blocksOf(answer, context);
  const message = { ...messageOf(answer, context, []), stop_reason: null };
  yield frame('message_start', { message });
  for (const [index, block] of blocks.entries()) {
    const delta = (change: object): Frame => frame('content_block_delta', { index, delta: change });
    yield frame('content_block_start', { index, content_block: emptied(block) });
    if (block.type === 'thinking') {
      for (const thinking of toPieces(block.thinking))
        yield delta({ type: 'thinking_delta', thinking });
      yield delta({ type: 'signature_delta', signature: block.signature });
    } else if (block.type === 'text') {
      for (const text of answer.pieces) {
        yield { ...delta({ type: 'text_delta', text }), isPiece: true };
      }
    } else {
      for (const partial of toPieces(JSON.stringify(block.input))) {
        yield delta({ type: 'input_json_delta', partial_json: partial });
      }
    }
    yield frame('content_block_stop', { index });
  }
  const end = { stop_reason: STOP_REASON[answer.finish], stop_sequence: null };
  yield frame('message_delta', { delta: end, usage: { output_tokens: context.outputTokens } });
  yield frame('message_stop', {});
}

function emptied(block: Block): object {
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
}

function blocksOf(answer: Answer, context: AnswerContext): Block[] {
  const { think, pieces, calls } = answer;
  return [
    ...(think === undefined
      ? []
      : [{ type: 'thinking', thinking: think, signature: 'c2NyaXB0ZWQ=' } as const]),
    ...(pieces.length === 0 ? [] : [{ type: 'text', text: pieces.join('') } as const]),
    ...calls.map(({ name, args }) => {
      return { type: 'tool_use', id: context.newId('toolu_'), name, input: args } as const;
    }),
  ];
}

function messageOf(answer: Answer, context: AnswerContext, content: readonly Block[]): object {
  const { request, inputTokens, outputTokens } = context;
  return {
    id: context.newId('msg_'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    content,
    stop_reason: STOP_REASON[answer.finish],
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}
