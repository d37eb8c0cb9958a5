import {
  ModelFailure,
  type Model,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type ModelToolResult,
  type UserMessage,
} from '../model.ts';
import { CAN_DO } from './can-do.ts';
import { fixTests, isFixGoal } from './fix/fix-tests.ts';
import { runInstructions } from './instructions/run-instructions.ts';
import type { Program, Step } from './program.ts';
import { findScript, parseScript, runScript } from './script.ts';
import { speak } from './speak.ts';

/** A guess at how many tokens a text is; always the same for the same text. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * A model without a language model: it follows scripts and plain instructions, and repairs mechanical
 * mistakes that a test shows. It needs no key and no network, and the same conversation always gets the
 * same answer.
 */
export function createBuiltinModel(): Model {
  return { contextTokensMax: 128_000, help: CAN_DO, respond };
}

async function* respond({ messages, signal }: ModelRequest): AsyncGenerator<ModelEvent, void> {
  const { prompt, batches, callCount } = present(messages);
  const inputTokens = tokens(JSON.stringify(messages));
  let outputLength = 0;
  const end = function* (
    reason: 'end' | 'tool_calls' | 'refusal' | 'length',
  ): Generator<ModelEvent> {
    yield {
      kind: 'usage',
      inputTokens,
      outputTokens: Math.ceil(outputLength / CHARACTERS_PER_TOKEN),
    };
    yield { kind: 'stop', reason };
  };
  for (const step of stepsAfter(programFor(prompt), batches)) {
    switch (step.kind) {
      case 'say':
      case 'think':
        for await (const text of speak(step)) {
          outputLength += text.length;
          yield { kind: step.kind === 'say' ? 'text' : 'thought', text };
        }
        break;
      case 'call':
        for (const [index, { name, input }] of step.calls.entries()) {
          outputLength += JSON.stringify(input)?.length ?? 0;
          yield { kind: 'tool_call', id: `call-${callCount + index + 1}`, name, input };
        }
        yield* end('tool_calls');
        return;
      case 'stop':
        yield* end(step.reason);
        return;
      case 'fail':
        throw new ModelFailure(step.message);
      case 'wait':
        await whenAborted(signal);
        return;
    }
  }
  yield* end('end');
}

function programFor(prompt: UserMessage): Program {
  const script = findScript(prompt.text);
  if (script !== undefined) {
    const steps = parseScript(script);
    if ('problem' in steps) throw new ModelFailure(`the script is wrong: ${steps.problem}`);
    return runScript(steps.steps);
  }
  if (isFixGoal(prompt.text)) return fixTests();
  return runInstructions(prompt);
}

/** Runs a program past what was answered before, and gives the steps of the answer that is due. */
function* stepsAfter(
  program: Program,
  batches: readonly (readonly ModelToolResult[])[],
): Generator<Step, void> {
  let answered = 0;
  let next = program.next();
  while (next.done !== true) {
    const step = next.value;
    const results = step.kind === 'call' ? batches[answered] : undefined;
    if (results !== undefined) answered += 1;
    else if (answered === batches.length) yield step;
    next = program.next(results ?? []);
  }
}

/** Where the conversation stands: the last prompt, and the results it has led to so far. */
function present(messages: readonly ModelMessage[]): {
  prompt: UserMessage;
  batches: readonly (readonly ModelToolResult[])[];
  callCount: number;
} {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const prompt = messages[start];
  if (prompt?.role !== 'user') throw new ModelFailure('there is no prompt');
  const results = (from: readonly ModelMessage[]): (readonly ModelToolResult[])[] =>
    from.flatMap((message) => (message.role === 'tool' ? [message.results] : []));
  const callCount = results(messages).flat().length;
  return { prompt, batches: results(messages.slice(start)), callCount };
}

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
