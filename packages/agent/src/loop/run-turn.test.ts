import { describe, expect, test } from 'vitest';
import type {
  Model,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  UserMessage,
} from '../model/model.ts';
import { runTurn, type TurnEnd } from './run-turn.ts';
import type { Toolbox } from './toolbox.ts';

const PROMPT: UserMessage = { role: 'user', text: 'go', resources: [] };
const DONE: ModelEvent = { kind: 'stop', reason: 'end' };
const CALLS: ModelEvent = { kind: 'stop', reason: 'tool_calls' };

function text(value: string): ModelEvent {
  return { kind: 'text', text: value };
}

function call(id: string): ModelEvent {
  return { kind: 'tool_call', id, name: 'echo', input: { id } };
}

function usage(outputTokens: number): ModelEvent {
  return { kind: 'usage', inputTokens: 100, outputTokens };
}

/** A model that gives its answers one after the other; a function is called for what to do instead. */
class FakeModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #answers: (readonly (ModelEvent | (() => Promise<never>))[])[];

  constructor(...answers: (readonly (ModelEvent | (() => Promise<never>))[])[]) {
    this.#answers = answers;
  }

  async *respond(request: ModelRequest): AsyncGenerator<ModelEvent, void> {
    this.requests.push(request);
    for (const event of this.#answers[this.requests.length - 1] ?? [text('more'), DONE]) {
      yield typeof event === 'function' ? await event() : event;
    }
  }
}

/** Tools that answer at once, and a log of what was done with the calls. */
function createToolbox(onRun: (id: string) => void = () => undefined): Toolbox & { log: string[] } {
  const log: string[] = [];
  return {
    log,
    specs: [],
    announce: ({ id }: ModelToolCall) => void log.push(`announce ${id}`),
    run: ({ id, name }, signal) => {
      log.push(`${signal.aborted ? 'skip' : 'run'} ${id}`);
      onRun(id);
      const text = `result of ${id}`;
      return Promise.resolve({ callId: id, name, isError: signal.aborted, text });
    },
    drop: ({ id }, reason) => void log.push(`drop ${id}: ${reason}`),
  };
}

interface Run {
  readonly model: Model;
  readonly tools?: Toolbox;
  readonly limits?: { readonly requestsMax?: number; readonly outputTokensMax?: number };
  readonly abort?: AbortController;
  readonly context?: ModelMessage[];
  readonly emit?: (text: string) => void;
}

function run(options: Run): Promise<TurnEnd> {
  return runTurn(options.context ?? [], PROMPT, {
    model: options.model,
    tools: options.tools ?? createToolbox(),
    limits: { requestsMax: 50, outputTokensMax: 1000, ...options.limits },
    signal: (options.abort ?? new AbortController()).signal,
    emit: (event) => options.emit?.(`${event.kind}: ${event.text}`),
  });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function shape(context: readonly ModelMessage[]): string[] {
  return context.map((message) => {
    if (message.role === 'user') return 'user';
    if (message.role === 'tool') return `tool ${message.results.map((r) => r.callId).join()}`;
    return `assistant ${message.parts.map((part) => part.kind).join()}`;
  });
}

describe('a turn', () => {
  test('ends when the model is done, with what it said in the context', async () => {
    const context: ModelMessage[] = [];
    const heard: string[] = [];
    const model = new FakeModel([text('a'), text('b'), usage(7), DONE]);
    const end = await run({ model, context, emit: (said) => heard.push(said) });
    expect(end).toEqual({ stopReason: 'end_turn', contextTokens: 107 });
    expect(heard).toEqual(['text: a', 'text: b']);
    expect(context[1]).toEqual({ role: 'assistant', parts: [{ kind: 'text', text: 'ab' }] });
  });

  test('runs the tools of an answer in order and gives the model their results', async () => {
    const context: ModelMessage[] = [];
    const tools = createToolbox();
    const model = new FakeModel([text('look'), call('a'), call('b'), CALLS], [text('done'), DONE]);
    await run({ model, tools, context });
    expect(tools.log).toEqual(['announce a', 'announce b', 'run a', 'run b']);
    expect(shape(model.requests[1]?.messages ?? [])).toEqual([
      'user',
      'assistant text,tool_call,tool_call',
      'tool a,b',
    ]);
    expect(shape(context).at(-1)).toBe('assistant text');
  });

  test('runs the calls of a model that says it is done although it made some', async () => {
    const tools = createToolbox();
    const model = new FakeModel([call('a'), DONE], [DONE]);
    expect((await run({ model, tools })).stopReason).toBe('end_turn');
    expect(tools.log).toContain('run a');
  });

  test('ends as max_turn_requests after the last request that is allowed', async () => {
    const context: ModelMessage[] = [];
    const model = new FakeModel([call('a'), CALLS], [call('b'), CALLS], [DONE]);
    const end = await run({ model, context, limits: { requestsMax: 2 } });
    expect(end.stopReason).toBe('max_turn_requests');
    expect(model.requests).toHaveLength(2);
    expect(shape(context).at(-1)).toBe('tool b');
  });

  test('ends as max_tokens when the model stops for length, and drops half a call', async () => {
    const context: ModelMessage[] = [];
    const tools = createToolbox();
    const model = new FakeModel([text('a'), call('x'), { kind: 'stop', reason: 'length' }]);
    expect((await run({ model, tools, context })).stopReason).toBe('max_tokens');
    expect(tools.log).toEqual(['announce x', 'drop x: the answer was cut off']);
    expect(shape(context)).toEqual(['user', 'assistant text']);
  });

  test('ends as max_tokens when the reported output is over the budget of the turn', async () => {
    const model = new FakeModel([usage(6), call('a'), CALLS], [usage(5), text('late'), DONE]);
    const heard: string[] = [];
    const end = await run({
      model,
      limits: { outputTokensMax: 10 },
      emit: (said) => heard.push(said),
    });
    expect(end.stopReason).toBe('max_tokens');
    expect(model.requests[1]?.outputTokensMax).toBe(4);
    expect(heard).toEqual([]);
  });

  test('asks for nothing more when the budget of the turn is used up exactly', async () => {
    const model = new FakeModel([call('a'), usage(10), CALLS], [DONE]);
    const end = await run({ model, limits: { outputTokensMax: 10 } });
    expect(end.stopReason).toBe('max_tokens');
    expect(model.requests).toHaveLength(1);
  });

  test('takes a refused prompt and what followed out of the context', async () => {
    const context: ModelMessage[] = [{ role: 'user', text: 'before', resources: [] }];
    const model = new FakeModel([call('a'), CALLS], [{ kind: 'stop', reason: 'refusal' }]);
    expect((await run({ model, context })).stopReason).toBe('refusal');
    expect(context).toEqual([{ role: 'user', text: 'before', resources: [] }]);
  });
});

describe('a cancelled turn', () => {
  test('does not wait for a model that ignores its signal', async () => {
    const abort = new AbortController();
    const context: ModelMessage[] = [];
    const model = new FakeModel([text('so far'), never]);
    const emit = (): void => abort.abort();
    expect((await run({ model, abort, context, emit })).stopReason).toBe('cancelled');
    expect(shape(context)).toEqual(['user', 'assistant text']);
  });

  test('asks no model when it was cancelled before it began', async () => {
    const abort = new AbortController();
    abort.abort();
    const model = new FakeModel([DONE]);
    expect((await run({ model, abort })).stopReason).toBe('cancelled');
    expect(model.requests).toEqual([]);
  });

  test('gives every call a result, also those that were not run', async () => {
    const abort = new AbortController();
    const context: ModelMessage[] = [];
    const tools = createToolbox(() => abort.abort());
    const model = new FakeModel([call('a'), call('b'), CALLS], [DONE]);
    expect((await run({ model, abort, tools, context })).stopReason).toBe('cancelled');
    expect(tools.log.slice(2)).toEqual(['run a', 'skip b']);
    expect(shape(context).at(-1)).toBe('tool a,b');
  });

  test('is cancelled even if the model was done with its last word', async () => {
    const abort = new AbortController();
    const model = new FakeModel([text('bye'), DONE]);
    const end = await run({ model, abort, emit: () => abort.abort() });
    expect(end.stopReason).toBe('cancelled');
  });

  test('hides the error that the abort caused in the model', async () => {
    const abort = new AbortController();
    const fail = (): Promise<never> => {
      abort.abort();
      return Promise.reject(new Error('aborted'));
    };
    expect((await run({ model: new FakeModel([fail]), abort })).stopReason).toBe('cancelled');
  });
});

describe('a failing model', () => {
  test('fails the turn, and the answers before stay in a context without open calls', async () => {
    const context: ModelMessage[] = [];
    const tools = createToolbox();
    const fail = (): Promise<never> => Promise.reject(new Error('no service'));
    const model = new FakeModel([call('a'), CALLS], [text('half'), call('b'), fail]);
    await expect(run({ model, tools, context })).rejects.toThrow('no service');
    expect(tools.log.at(-1)).toBe('drop b: the model failed');
    expect(shape(context)).toEqual(['user', 'assistant tool_call', 'tool a']);
  });

  test('is one whose answer ends without a stop', async () => {
    const model = new FakeModel([text('half')]);
    await expect(run({ model })).rejects.toThrow('ended early');
  });
});
