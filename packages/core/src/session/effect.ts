import type { RawJson } from '@signalbox/acp';
import type { PermissionOutcome, TurnEnd } from './event.ts';
import type { PermissionId, PromptId, TurnId } from './ids.ts';

/** Why a command was not carried out. Nothing of it is in the log. */
export type Refusal =
  /** A turn is running, or a prompt waits for the next one, and the caller did not want to wait. */
  | 'busy'
  /** Too many prompts wait already. */
  | 'queue_full'
  /** The permission request is not waiting: answered, withdrawn, or never made. */
  | 'permission_not_pending'
  /** The permission request does not offer this option. */
  | 'option_not_offered';

/** Work to do after the events of the same step are committed, in order. */
export type Effect =
  /** Start the agent's process and session; its outcome comes back as an input. */
  | { readonly kind: 'start_agent' }
  | { readonly kind: 'send_prompt'; readonly turnId: TurnId; readonly content: RawJson }
  | { readonly kind: 'send_cancel' }
  | {
      readonly kind: 'answer_permission';
      readonly permissionId: PermissionId;
      readonly outcome: PermissionOutcome;
    }
  /** End the agent's process tree. */
  | { readonly kind: 'end_agent' }
  | {
      readonly kind: 'set_permission_deadline';
      readonly permissionId: PermissionId;
      readonly at: number;
    }
  | { readonly kind: 'clear_permission_deadline'; readonly permissionId: PermissionId }
  | { readonly kind: 'set_cancel_grace'; readonly turnId: TurnId; readonly at: number }
  /** Look then whether the agent has been quiet for long enough. One at a time. */
  | { readonly kind: 'set_settle_deadline'; readonly at: number }
  /** Tell whoever sent the prompt how its turn ended. */
  | { readonly kind: 'settle_prompt'; readonly promptId: PromptId; readonly end: TurnEnd }
  /** Tell whoever sends a prompt again how it ended the first time. */
  | { readonly kind: 'repeat_outcome'; readonly promptId: PromptId; readonly end: TurnEnd }
  /** Tell whoever sent the prompt that it will not run, or that it was not taken. */
  | { readonly kind: 'refuse_prompt'; readonly promptId: PromptId; readonly refusal: Refusal }
  /** Tell whoever answered a permission request what became of the answer. */
  | {
      readonly kind: 'settle_answer';
      readonly answerId: string;
      readonly refusal?: Refusal;
    };
