import type { ModelToolResult } from '../model.ts';

/** A tool call that a program asks for. */
export interface PlannedCall {
  readonly name: string;
  readonly input: unknown;
}

/** What a program does next. */
export type Step =
  /** Says something, in pieces of a readable size or in exactly the given ones. */
  | { readonly kind: 'say' | 'think'; readonly text: string; readonly repeat?: number }
  /** Asks for tools, all in one answer, and gets their results in the same order. */
  | { readonly kind: 'call'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'stop'; readonly reason: 'refusal' | 'length' }
  | { readonly kind: 'fail'; readonly message: string }
  /** Says nothing until the turn is cancelled. */
  | { readonly kind: 'wait' };

/**
 * What the built-in model does with one prompt. A program must be deterministic: with the same results
 * it takes the same steps, because it is run again from the start for every answer.
 */
export type Program = Generator<Step, void, readonly ModelToolResult[]>;

/** One state of a plan: how many steps are done, and that the next one has begun. */
export function planCall(contents: readonly string[], doneCount: number): PlannedCall {
  const entries = contents.map((content, index) => {
    const status =
      index < doneCount ? 'completed' : index === doneCount ? 'in_progress' : 'pending';
    return { content, priority: 'medium', status };
  });
  return { name: 'plan', input: { entries } };
}
