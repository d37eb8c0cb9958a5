import { isPeerError, isRpcError } from '@signalbox/acp';
import type { PromptAnswer } from '@signalbox/core';

/** The code of an error that no agent sent. */
const INTERNAL_ERROR = -32603;

/**
 * What a prompt that failed means for its turn. Undefined: the agent is gone, which its exit tells.
 * Every other failure ends the turn, or the turn would wait for an answer that cannot come.
 */
export function toPromptAnswer(error: unknown): PromptAnswer | undefined {
  if (isRpcError(error)) {
    return { kind: 'error', code: error.code, message: describe(error.message, error.data) };
  }
  if (isPeerError(error, 'closed')) return undefined;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'error', code: INTERNAL_ERROR, message };
}

/** An agent's error in one line: many put what happened into `data`. */
function describe(message: string, data: unknown): string {
  if (typeof data === 'string') return `${message}: ${data}`;
  const details = (data as { details?: unknown; message?: unknown } | null | undefined) ?? {};
  const more = [details.details, details.message].find((text) => typeof text === 'string');
  return more === undefined || more === message ? message : `${message}: ${more}`;
}
