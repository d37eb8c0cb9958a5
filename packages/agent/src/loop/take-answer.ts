import {
  ModelFailure,
  type AnswerPart,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelToolCall,
} from '../model/model.ts';
import { AbortGate } from './abort-gate.ts';
import type { Toolbox } from './toolbox.ts';

/** What is told to the user while the model speaks. `answer` counts the answers of the turn. */
export interface SpokenEvent {
  readonly kind: 'text' | 'thought';
  readonly text: string;
  readonly answer: number;
}

/** What one answer is taken from, and what happens with it on the way. */
export interface AnswerOptions {
  readonly model: Model;
  readonly tools: Toolbox;
  readonly emit: (event: SpokenEvent) => void | Promise<void>;
  /** The number of this answer in its turn. */
  readonly answer: number;
}

/** How an answer ended: as the model said, or cut by the turn's own bounds. */
export type AnswerEnd = 'end' | 'tool_calls' | 'length' | 'refusal' | 'cancelled';

/** One whole answer of the model. Calls are kept only where `end` is `tool_calls`. */
export interface Answer {
  readonly end: AnswerEnd;
  readonly parts: readonly AnswerPart[];
  readonly calls: readonly ModelToolCall[];
  readonly outputTokens: number;
  /** Tokens of the request and its answer together; undefined if the model did not say. */
  readonly contextTokens: number | undefined;
}

/**
 * Streams one answer. It ends at once when the request's signal is aborted, also if the model does
 * not listen to it, and stops the model when it reports more output than the request allows.
 *
 * @throws what the model threw; the calls it had named are dropped first.
 */
export async function takeAnswer(request: ModelRequest, options: AnswerOptions): Promise<Answer> {
  const taken = new TakenAnswer(request.outputTokensMax);
  const gate = new AbortGate(request.signal);
  const stream = options.model.respond(request)[Symbol.asyncIterator]();
  try {
    while (taken.end === undefined) {
      const next = await gate.wait(stream.next());
      if (next === 'aborted') taken.end = 'cancelled';
      else if (next.done === true) throw new ModelFailure('the answer of the model ended early');
      else await take(next.value, taken, options);
    }
  } catch (error) {
    if (!request.signal.aborted) {
      await dropCalls(taken, options.tools, 'the model failed');
      throw error;
    }
    taken.end = 'cancelled';
  } finally {
    gate.dispose();
    // Not awaited: a model that ignores its signal must not hold the turn up.
    Promise.resolve(stream.return?.()).catch(() => undefined);
  }
  const answer = taken.toAnswer();
  if (answer.end !== 'tool_calls') await dropCalls(taken, options.tools, DROPPED[answer.end]);
  return answer;
}

const DROPPED = {
  end: 'the answer ended',
  length: 'the answer was cut off',
  refusal: 'the model refused',
  cancelled: 'the turn was cancelled',
};

async function take(event: ModelEvent, taken: TakenAnswer, options: AnswerOptions): Promise<void> {
  switch (event.kind) {
    case 'text':
    case 'thought':
      taken.addText(event);
      if (event.text === '') return;
      await options.emit({ kind: event.kind, text: event.text, answer: options.answer });
      return;
    case 'tool_call':
      taken.addCall(event);
      await options.tools.announce(event);
      return;
    case 'usage':
      taken.addUsage(event.inputTokens, event.outputTokens);
      return;
    case 'stop':
      // Providers differ in what they say after calls; a call that was made has to be run.
      if (event.reason !== 'end' && event.reason !== 'tool_calls') taken.end = event.reason;
      else taken.end = taken.calls.length > 0 ? 'tool_calls' : 'end';
  }
}

async function dropCalls(taken: TakenAnswer, tools: Toolbox, reason: string): Promise<void> {
  for (const call of taken.calls) await tools.drop(call, reason);
}

/** Gathers the pieces of an answer. */
class TakenAnswer {
  readonly calls: ModelToolCall[] = [];
  end: AnswerEnd | undefined;
  readonly #outputTokensMax: number;
  readonly #parts: AnswerPart[] = [];
  #inputTokens: number | undefined;
  #outputTokens = 0;

  constructor(outputTokensMax: number) {
    this.#outputTokensMax = outputTokensMax;
  }

  addText(event: ModelEvent & { kind: 'text' | 'thought' }): void {
    const last = this.#parts.at(-1);
    const text = last?.kind === event.kind ? last.text + event.text : event.text;
    if (last?.kind === event.kind)
      this.#parts[this.#parts.length - 1] = { ...last, ...event, text };
    else if (text !== '' || event.kind === 'thought') this.#parts.push({ ...event });
  }

  addCall(event: ModelEvent & { kind: 'tool_call' }): void {
    this.calls.push(event);
    this.#parts.push(event);
  }

  addUsage(inputTokens: number, outputTokens: number): void {
    this.#inputTokens = inputTokens;
    this.#outputTokens = outputTokens;
    if (outputTokens > this.#outputTokensMax) this.end = 'length';
  }

  toAnswer(): Answer {
    const end = this.end ?? 'end';
    const withCalls = end === 'tool_calls';
    return {
      end,
      parts: withCalls ? this.#parts : this.#parts.filter(({ kind }) => kind !== 'tool_call'),
      calls: withCalls ? this.calls : [],
      outputTokens: this.#outputTokens,
      contextTokens:
        this.#inputTokens === undefined ? undefined : this.#inputTokens + this.#outputTokens,
    };
  }
}
