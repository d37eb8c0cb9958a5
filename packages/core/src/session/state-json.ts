import type { Action } from '../policy/action.ts';
import type { PendingPermission, QueuedPrompt, SessionState, TurnState } from './state.ts';
import type { ToolCallState } from './tool-call.ts';

/**
 * Names what a stored state is. Another name whenever the same events give another state than before, or
 * older versions cannot read it: whoever reads an unknown one folds the log from its start.
 */
export const STATE_FORMAT = 'state/2';

/** Somebody else's JSON as its exact text. */
type JsonText = string;

type RunningTurn = Extract<TurnState, { kind: 'running' }>;

/** The ids that an agent has named, in the order in which they are forgotten. */
export interface SpokenIdsJson {
  readonly toolCalls: readonly (readonly [string, boolean])[];
  readonly messages: readonly string[];
}

/** What an agent asked leave for, as a JSON value. */
export type ActionJson = Omit<Action, 'rawInput'> & { readonly rawInput?: JsonText };

/** A session's state as a JSON value. Made by `encodeState` and read by `decodeState`. */
export interface StateJson extends Omit<
  SessionState,
  'turn' | 'queue' | 'permissions' | 'toolCalls' | 'spoken'
> {
  readonly format: typeof STATE_FORMAT;
  readonly turn:
    | Extract<TurnState, { kind: 'idle' }>
    | (Omit<RunningTurn, 'content'> & { readonly content: JsonText });
  readonly queue: readonly (Omit<QueuedPrompt, 'content'> & { readonly content: JsonText })[];
  readonly permissions: readonly (Omit<PendingPermission, 'action'> & {
    readonly action: ActionJson;
  })[];
  readonly toolCalls: readonly (Omit<ToolCallState, 'rawInput'> & {
    readonly rawInput?: JsonText;
  })[];
  readonly spoken: { readonly before: SpokenIdsJson; readonly now: SpokenIdsJson };
}
