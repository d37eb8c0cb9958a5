import type { ModelToolCall, ModelToolResult, ToolSpec } from '../model/model.ts';

/**
 * The tools as the loop sees them. Every announced call is either run or dropped, exactly once; none
 * of the methods throws because of what the model asked for.
 */
export interface Toolbox {
  readonly specs: readonly ToolSpec[];
  /** The model has named a call; it will run when the answer is complete. */
  announce(call: ModelToolCall): void | Promise<void>;
  /** Runs a call to its end. With an aborted signal it only closes the call as not run. */
  run(call: ModelToolCall, signal: AbortSignal): Promise<ModelToolResult>;
  /** The call will not run, because the answer that asked for it does not count. */
  drop(call: ModelToolCall, reason: string): void | Promise<void>;
}
