import type { Answer, Finish, Turn } from './conversation.ts';
import type { AnswerContext, Dialect, Frame } from './dialect.ts';
import { listOf, membersOf, stringOf, textOf } from './json.ts';

const FINISH: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  tool: 'STOP',
  length: 'MAX_TOKENS',
  refuse: 'SAFETY',
};

const ERROR_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/** Google Gemini, `generateContent` and `streamGenerateContent`. */
export const gemini: Dialect = {
  name: 'gemini',
  serves: (path) => /:(generate|streamGenerate)Content$/.test(path),
  read: (body, url) => {
    const { contents, tools } = membersOf(body);
    const names = listOf(tools)
      .flatMap((tool) => listOf(membersOf(tool)['functionDeclarations']))
      .map((declared) => stringOf(membersOf(declared)['name']) ?? '');
    return {
      model: /models\/([^:]+):/.exec(url.pathname)?.[1] ?? 'scripted',
      turns: listOf(contents).flatMap(toTurns),
      tools: new Map(names.map((name) => [name, { isCustom: false }])),
      isStream: url.pathname.endsWith(':streamGenerateContent'),
    };
  },
  frames,
  whole: (answer, context) => {
    const parts = [...thoughts(answer), ...texts(answer), ...calls(answer, context)];
    return responseOf(parts, context, FINISH[answer.finish]);
  },
  errorBody: (status) => ({
    error: {
      code: status,
      message: `scripted error ${status}`,
      status: ERROR_STATUS[status] ?? 'INTERNAL',
    },
  }),
};

function toTurns(content: unknown): Turn[] {
  const { role, parts } = membersOf(content);
  if (role === 'model') return [{ kind: 'other' }];
  const results = listOf(parts).flatMap((part): Turn[] => {
    const { functionResponse } = membersOf(part);
    if (functionResponse === undefined) return [];
    const { response } = membersOf(functionResponse);
    const { output, error } = membersOf(response);
    return [{ kind: 'result', text: textOf(output ?? error ?? response) }];
  });
  if (results.length > 0) return results;
  const said = listOf(parts).filter((part) => typeof membersOf(part)['text'] === 'string');
  return [{ kind: 'user', text: textOf(said) }];
}

function* frames(answer: Answer, context: AnswerContext): Iterable<Frame> {
  for (const part of thoughts(answer)) yield { data: responseOf([part], context) };
  for (const part of texts(answer)) yield { data: responseOf([part], context), isPiece: true };
  if (answer.calls.length > 0) yield { data: responseOf(calls(answer, context), context) };
  yield { data: responseOf([{ text: '' }], context, FINISH[answer.finish]) };
}

/** Each part is a whole thought here. */
function thoughts({ think }: Answer): object[] {
  return think === undefined ? [] : [{ text: think, thought: true }];
}

function texts({ pieces, finish }: Answer): object[] {
  return finish === 'refuse' ? [] : pieces.map((text) => ({ text }));
}

function calls(answer: Answer, { newId }: AnswerContext): object[] {
  return answer.calls.map(({ name, args }) => ({
    functionCall: { id: newId('fc-'), name, args },
    thoughtSignature: 'c2NyaXB0ZWQ=',
  }));
}

function responseOf(parts: readonly object[], context: AnswerContext, reason?: string): object {
  const { inputTokens, outputTokens, request, newId } = context;
  const content = { role: 'model', parts };
  return {
    candidates: [{ content, index: 0, ...(reason === undefined ? {} : { finishReason: reason }) }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: request.model,
    responseId: newId('resp-'),
  };
}
