import type { Clock } from '@signalbox/acp';
import type { Effect, Refusal, SessionInput, SessionState, TurnEnd, TurnId } from '@signalbox/core';
import { HostError } from '../host-error.ts';
import type { AgentSeat } from './agent-seat.ts';
import type { Deadlines } from './deadlines.ts';
import { IdleWatch } from './idle-watch.ts';
import { newTurnId } from './new-id.ts';
import type { Waiters } from './waiters.ts';

/** How a prompt ended, and the place in the log where that is written. */
export interface PromptOutcome {
  readonly end: TurnEnd;
  readonly seq: number;
}

/** What the effects of a session act upon. */
export interface EffectParts {
  readonly seat: AgentSeat;
  readonly deadlines: Deadlines;
  readonly prompts: Waiters<PromptOutcome>;
  readonly answers: Waiters<Refusal | undefined>;
  readonly clock: Clock;
  readonly turnIdleMs: number;
  state(): SessionState;
  /** Whether a person is being asked something by the agent. */
  isAsking(): boolean;
  post(input: SessionInput): void;
  /** The turn was cancelled; what runs for it is to end. */
  onCancelled(turnId: TurnId): void;
  /** The state changed in a way that lists of sessions show. */
  onChanged(state: SessionState): void;
}

const CANCEL_GRACE = 'cancel_grace';
const SETTLE = 'settle';

/** Does what a session has decided, after it is committed. */
export class SessionEffects {
  readonly #parts: EffectParts;
  readonly #idleWatch: IdleWatch;

  constructor(parts: EffectParts) {
    this.#parts = parts;
    const { clock, deadlines, seat, turnIdleMs } = parts;
    this.#idleWatch = new IdleWatch({
      clock,
      deadlines,
      turnIdleMs,
      lastActivityAt: () => seat.lastActivityAt,
      isWaiting: () => parts.state().permissions.size > 0 || parts.isAsking(),
      onIdle: (turnId) => parts.post({ kind: 'turn_idle', turnId, at: clock.now() }),
    });
  }

  /** @param seq the place in the log up to which the effect's step was committed. */
  run(effect: Effect, seq: number): void {
    const { seat, deadlines, prompts, answers } = this.#parts;
    switch (effect.kind) {
      case 'start_agent':
        seat.start();
        this.#changed();
        return;
      case 'send_prompt':
        seat.prompt(effect.turnId, effect.content);
        this.#idleWatch.start(effect.turnId);
        this.#changed();
        return;
      case 'send_cancel': {
        seat.cancel();
        const { turn } = this.#parts.state();
        if (turn.kind === 'running') this.#parts.onCancelled(turn.turnId);
        return;
      }
      case 'end_agent':
        void seat.end();
        return;
      case 'answer_permission':
        seat.answerPermission(effect.permissionId, effect.outcome);
        return;
      case 'set_permission_deadline':
      case 'set_cancel_grace':
        this.#setDeadline(effect);
        return;
      case 'set_settle_deadline':
        this.#setSettleDeadline(effect.at);
        return;
      case 'clear_permission_deadline':
        deadlines.clear(effect.permissionId);
        return;
      case 'settle_prompt':
        this.#settlePrompt(effect, seq);
        return;
      case 'repeat_outcome':
        prompts.settle(effect.promptId, { end: effect.end, seq });
        return;
      case 'refuse_prompt':
        prompts.fail(effect.promptId, toRefusal(effect.refusal));
        return;
      case 'settle_answer':
        answers.settle(effect.answerId, effect.refusal);
    }
  }

  #settlePrompt(effect: Extract<Effect, { kind: 'settle_prompt' }>, seq: number): void {
    const { deadlines, prompts } = this.#parts;
    const { lastTurn, settling } = this.#parts.state();
    // A prompt that was dropped has no turn; one that runs meanwhile goes on, and so do its deadlines.
    if (lastTurn?.promptId === effect.promptId) {
      deadlines.clear(CANCEL_GRACE);
      this.#idleWatch.stop();
    }
    if (settling?.hold === undefined) deadlines.clear(SETTLE);
    this.#changed();
    prompts.settle(effect.promptId, { end: effect.end, seq });
  }

  #setDeadline(
    effect: Extract<Effect, { kind: 'set_permission_deadline' | 'set_cancel_grace' }>,
  ): void {
    const parts = this.#parts;
    const { clock, deadlines } = parts;
    if (effect.kind === 'set_cancel_grace') {
      const { turnId } = effect;
      deadlines.set(CANCEL_GRACE, effect.at - clock.now(), () =>
        parts.post({ kind: 'cancel_grace_ended', turnId, at: clock.now() }),
      );
    } else {
      const { permissionId } = effect;
      deadlines.set(permissionId, effect.at - clock.now(), () =>
        parts.post({ kind: 'permission_deadline', permissionId, at: clock.now() }),
      );
    }
  }

  #setSettleDeadline(at: number): void {
    const parts = this.#parts;
    const { clock, deadlines } = parts;
    const look = (): void =>
      parts.post({ kind: 'settle_deadline', nextTurnId: newTurnId(), at: clock.now() });
    // What the agent has written by now is read first, also by a host that was busy with something else.
    deadlines.set(SETTLE, at - clock.now(), () => setImmediate(look));
  }

  #changed(): void {
    this.#parts.onChanged(this.#parts.state());
  }
}

function toRefusal(refusal: Refusal): HostError {
  const message = refusal === 'busy' ? 'a turn is running' : 'too many prompts wait';
  return new HostError('session_busy', message);
}
