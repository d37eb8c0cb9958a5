import { toPieces, type Answer, type ToolCall } from './conversation.ts';
import { nowSeconds, type AnswerContext, type Frame } from './dialect.ts';

type Item =
  | { readonly kind: 'reasoning'; readonly id: string; readonly text: string }
  | { readonly kind: 'message'; readonly id: string; readonly pieces: readonly string[] }
  | {
      readonly kind: 'call';
      readonly id: string;
      /** The member that holds the arguments, and their text. */
      readonly key: 'input' | 'arguments';
      readonly text: string;
      readonly base: Readonly<Record<string, unknown>>;
    };

/** The answer in one object. */
export function wholeResponse(answer: Answer, context: AnswerContext): unknown {
  return responseOf(answer, context, context.newId('resp_'), itemsOf(answer, context).map(toJson));
}

/** The events of a streamed answer. */
export function* responseFrames(answer: Answer, context: AnswerContext): Iterable<Frame> {
  const id = context.newId('resp_');
  let number = 0;
  const frame = ([type, more]: [string, object]): Frame => ({
    event: type,
    data: { type, sequence_number: number++, ...more },
    isPiece: type === 'response.output_text.delta',
  });
  const begun = responseOf(answer, context, id);
  yield frame(['response.created', { response: begun }]);
  yield frame(['response.in_progress', { response: begun }]);
  const items = itemsOf(answer, context);
  for (const [index, item] of items.entries()) {
    for (const event of itemEvents(item, index)) yield frame(event);
  }
  const done = responseOf(answer, context, id, items.map(toJson));
  const type = answer.finish === 'length' ? 'response.incomplete' : 'response.completed';
  yield frame([type, { response: done }]);
}

function* itemEvents(item: Item, index: number): Iterable<[string, object]> {
  const at = { item_id: item.id, output_index: index };
  yield ['response.output_item.added', { output_index: index, item: toJson(emptied(item)) }];
  if (item.kind === 'reasoning') {
    const part = { ...at, summary_index: 0 };
    const summary = { type: 'summary_text', text: item.text };
    yield ['response.reasoning_summary_part.added', { ...part, part: { ...summary, text: '' } }];
    for (const delta of toPieces(item.text)) {
      yield ['response.reasoning_summary_text.delta', { ...part, delta }];
    }
    yield ['response.reasoning_summary_text.done', { ...part, text: item.text }];
    yield ['response.reasoning_summary_part.done', { ...part, part: summary }];
  } else if (item.kind === 'message') {
    const part = { ...at, content_index: 0 };
    yield ['response.content_part.added', { ...part, part: textPart('') }];
    for (const delta of item.pieces) yield ['response.output_text.delta', { ...part, delta }];
    const text = item.pieces.join('');
    yield ['response.output_text.done', { ...part, text }];
    yield ['response.content_part.done', { ...part, part: textPart(text) }];
  } else {
    const name = item.key === 'input' ? 'custom_tool_call_input' : 'function_call_arguments';
    for (const delta of toPieces(item.text)) yield [`response.${name}.delta`, { ...at, delta }];
    yield [`response.${name}.done`, { ...at, [item.key]: item.text }];
  }
  yield ['response.output_item.done', { output_index: index, item: toJson(item) }];
}

function emptied(item: Item): Item {
  return item.kind === 'message' ? { ...item, pieces: [] } : { ...item, text: '' };
}

function toJson(item: Item): object {
  const { id } = item;
  if (item.kind === 'reasoning') {
    const summary = item.text === '' ? [] : [{ type: 'summary_text', text: item.text }];
    return { id, type: 'reasoning', summary };
  }
  if (item.kind === 'message') {
    const content = item.pieces.length === 0 ? [] : [textPart(item.pieces.join(''))];
    return { id, type: 'message', status: 'completed', role: 'assistant', content };
  }
  return { id, status: 'completed', ...item.base, [item.key]: item.text };
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function itemsOf({ think, pieces, calls }: Answer, context: AnswerContext): Item[] {
  const { newId } = context;
  return [
    ...(think === undefined ? [] : [{ kind: 'reasoning', id: newId('rs_'), text: think } as const]),
    ...(pieces.length === 0 ? [] : [{ kind: 'message', id: newId('msg_'), pieces } as const]),
    ...calls.map((call) => callItem(call, context)),
  ];
}

function callItem({ name, args }: ToolCall, { newId, request }: AnswerContext): Item {
  const { isCustom = false, namespace } = request.tools.get(name) ?? {};
  const base = { name, call_id: newId('call_') };
  if (isCustom) {
    const text = typeof args['input'] === 'string' ? args['input'] : '';
    const type = 'custom_tool_call';
    return { kind: 'call', id: newId('ctc_'), key: 'input', text, base: { type, ...base } };
  }
  const type = 'function_call';
  return {
    kind: 'call',
    id: newId('fc_'),
    key: 'arguments',
    text: JSON.stringify(args),
    base: { type, ...base, ...(namespace === undefined ? {} : { namespace }) },
  };
}

/** @param output the finished items; absent while the answer is under way. */
function responseOf(answer: Answer, context: AnswerContext, id: string, output?: object[]): object {
  const { request, inputTokens, outputTokens } = context;
  const isCut = answer.finish === 'length';
  const status = isCut ? 'incomplete' : 'completed';
  return {
    id,
    object: 'response',
    created_at: nowSeconds(),
    status: output === undefined ? 'in_progress' : status,
    error: null,
    incomplete_details: isCut && output !== undefined ? { reason: 'max_output_tokens' } : null,
    model: request.model,
    output: output ?? [],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage:
      output === undefined
        ? null
        : {
            input_tokens: inputTokens,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: outputTokens,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: inputTokens + outputTokens,
          },
  };
}
