import type { PermissionOption, RawJson, ToolCallUpdate } from '@signalbox/acp';
import type { PolicyLevel } from '../policy/decide.ts';
import type { Actor, AgentExit, EventOf } from './event.ts';
import type { PermissionId, PromptId, TurnId } from './ids.ts';

/** What the agent answered to a prompt. */
export type PromptAnswer =
  | { readonly kind: 'result'; readonly stopReason: unknown }
  | { readonly kind: 'error'; readonly code: number; readonly message: string };

/** What arrives at a session. Ids and times come with it, because `step` makes none itself. */
export type SessionInput = { readonly at: number } & (
  | {
      readonly kind: 'prompt';
      readonly promptId: PromptId;
      readonly turnId: TurnId;
      readonly content: RawJson;
      readonly by: Actor;
      /** What to do when a turn is running. */
      readonly whenBusy: 'queue' | 'refuse';
    }
  | {
      readonly kind: 'cancel';
      readonly by: Actor;
      /** The turn that is meant; undefined: whichever runs. Another turn is never cancelled. */
      readonly turnId?: TurnId;
    }
  /** The sender of one prompt has given it up; other prompts are not touched while it waits. */
  | { readonly kind: 'withdraw_prompt'; readonly promptId: PromptId; readonly by: Actor }
  | { readonly kind: 'agent_started'; readonly started: EventOf<'agent.started'>['data'] }
  | {
      readonly kind: 'agent_start_failed';
      readonly message: string;
      readonly authRequired: boolean;
      readonly nextTurnId: TurnId;
    }
  | {
      readonly kind: 'agent_exited';
      readonly exit: AgentExit;
      readonly isExpected: boolean;
      /** The last turn whose prompt this process was sent. */
      readonly promptedTurnId?: TurnId;
      readonly nextTurnId: TurnId;
    }
  | {
      readonly kind: 'update';
      readonly update: RawJson;
      readonly problem?: string;
      /** Set where the host wrote the update. */
      readonly by?: Actor;
    }
  /** Something that the host did for the agent. */
  | { readonly kind: 'fact'; readonly fact: HostFact }
  | {
      readonly kind: 'permission_requested';
      readonly permissionId: PermissionId;
      readonly toolCall: ToolCallUpdate;
      readonly toolCallRaw: RawJson;
      readonly options: readonly PermissionOption[];
      readonly optionsRaw: RawJson;
    }
  | {
      readonly kind: 'permission_answered';
      readonly permissionId: PermissionId;
      /** The option that was chosen; undefined: denied without choosing one. */
      readonly optionId?: string;
      readonly by: Actor;
      /** Names this answer, so that its sender can be told what became of it. */
      readonly answerId: string;
    }
  | {
      readonly kind: 'prompt_answered';
      readonly turnId: TurnId;
      readonly answer: PromptAnswer;
      readonly nextTurnId: TurnId;
    }
  /** The agent does not want the answer any more (R-CRQ-02). */
  | { readonly kind: 'permission_taken_back'; readonly permissionId: PermissionId }
  | { readonly kind: 'permission_deadline'; readonly permissionId: PermissionId }
  | { readonly kind: 'cancel_grace_ended'; readonly turnId: TurnId }
  | { readonly kind: 'turn_idle'; readonly turnId: TurnId }
  | { readonly kind: 'settle_deadline'; readonly nextTurnId: TurnId }
  /** First input after the log was opened: nothing of what ran before is attached any more. */
  | { readonly kind: 'recover' }
);

/** The input of one kind. */
export type InputOf<K extends SessionInput['kind']> = Extract<SessionInput, { kind: K }>;

/** What the host records of its services to the agent. */
export type HostFact = {
  [T in 'file.accessed' | 'terminal.started' | 'terminal.exited']: {
    readonly type: T;
    readonly data: EventOf<T>['data'];
  };
}['file.accessed' | 'terminal.started' | 'terminal.exited'];

/** The settings of a session that decisions depend on. Durations are ms. */
export interface SessionSettings {
  readonly policyLevel: PolicyLevel;
  /** How long a permission request waits for an answer before it is denied. */
  readonly permissionTimeoutMs: number;
  /** How long a cancelled turn may take to end before the agent's process is ended. */
  readonly cancelGraceMs: number;
  /**
   * How long the agent must have been quiet behind a turn that was cancelled or failed before the next
   * prompt goes to it. 0: not at all.
   */
  readonly settleMs: number;
  /** How long a prompt waits for that before the agent's process is ended and started again. */
  readonly settleMaxMs: number;
  /** Prompts that may wait for a running turn. */
  readonly queueLengthMax: number;
}
