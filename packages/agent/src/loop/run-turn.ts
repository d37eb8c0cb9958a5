import type { StopReason } from '@signalbox/acp';
import type {
  Model,
  ModelMessage,
  ModelToolCall,
  ModelToolResult,
  UserMessage,
} from '../model/model.ts';
import type { LoopLimits } from './limits.ts';
import { takeAnswer, type Answer, type SpokenEvent } from './take-answer.ts';
import type { Toolbox } from './toolbox.ts';

/** What a turn runs with. */
export interface TurnOptions {
  readonly model: Model;
  readonly tools: Toolbox;
  /** Told what the model says; the turn waits for what it returns. */
  readonly emit: (event: SpokenEvent) => void | Promise<void>;
  /** Aborting it cancels the turn. */
  readonly signal: AbortSignal;
  readonly limits: LoopLimits;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly stopReason: StopReason;
  /** Tokens in the context now; undefined if the model did not say in this turn. */
  readonly contextTokens: number | undefined;
}

/**
 * Runs one turn: asks the model, runs the tools that it calls, one after the other in its order, gives
 * it the results, and so on until it is done or a limit is met.
 *
 * `context` is the conversation; the turn is appended to it. Whatever happens, each tool call in it is
 * followed by its result, so that the next turn can build on it. After a refusal the prompt and what
 * followed are taken out again (R-PRM-08).
 *
 * @throws what the model threw; answers that were complete by then stay in the context.
 */
export async function runTurn(
  context: ModelMessage[],
  prompt: UserMessage,
  options: TurnOptions,
): Promise<TurnEnd> {
  const lengthBefore = context.length;
  const { signal, limits } = options;
  context.push(prompt);
  let outputTokens = 0;
  let contextTokens: number | undefined;
  const end = (stopReason: StopReason): TurnEnd => ({ stopReason, contextTokens });
  for (let answers = 0; ; answers += 1) {
    if (signal.aborted) return end('cancelled');
    if (answers >= limits.requestsMax) return end('max_turn_requests');
    if (outputTokens >= limits.outputTokensMax) return end('max_tokens');
    const answer = await ask(context, options, answers, limits.outputTokensMax - outputTokens);
    if (answer.end === 'refusal') {
      context.length = lengthBefore;
      return { stopReason: 'refusal', contextTokens: undefined };
    }
    outputTokens += answer.outputTokens;
    contextTokens = answer.contextTokens ?? contextTokens;
    if (answer.parts.length > 0) context.push({ role: 'assistant', parts: answer.parts });
    if (answer.end === 'tool_calls') {
      const results = await runCalls(answer.calls, options);
      context.push({ role: 'tool', results });
    } else {
      // A cancel that came with the last piece of the answer still counts: the client was told so.
      return end(signal.aborted ? 'cancelled' : STOP_REASONS[answer.end]);
    }
  }
}

const STOP_REASONS = {
  end: 'end_turn',
  length: 'max_tokens',
  cancelled: 'cancelled',
} as const satisfies Record<Exclude<Answer['end'], 'tool_calls' | 'refusal'>, StopReason>;

function ask(
  context: readonly ModelMessage[],
  { model, tools, emit, signal }: TurnOptions,
  answer: number,
  outputTokensMax: number,
): Promise<Answer> {
  const request = { messages: [...context], tools: tools.specs, outputTokensMax, signal };
  return takeAnswer(request, { model, tools, emit, answer });
}

/** Also after an abort each call is run, so that each has a result and none stays open. */
async function runCalls(
  calls: readonly ModelToolCall[],
  { tools, signal }: TurnOptions,
): Promise<ModelToolResult[]> {
  const results: ModelToolResult[] = [];
  for (const call of calls) results.push(await tools.run(call, signal));
  return results;
}
