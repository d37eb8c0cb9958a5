import type { TurnId } from '@signalbox/core';
import type { Clock } from '@signalbox/acp';
import type { Deadlines } from './deadlines.ts';

/** What an {@link IdleWatch} looks at, and whom it tells. */
export interface IdleWatchParts {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly turnIdleMs: number;
  /** When the agent last did something, as `Clock.elapsed` says it. */
  lastActivityAt(): number;
  /** Whether the agent waits for a person, which is not doing nothing. */
  isWaiting(): boolean;
  onIdle(turnId: TurnId): void;
}

const TURN_IDLE = 'turn_idle';

/** Notices a turn in which the agent does nothing. */
export class IdleWatch {
  readonly #parts: IdleWatchParts;

  constructor(parts: IdleWatchParts) {
    this.#parts = parts;
  }

  /** Watches this turn from now on, until {@link stop}. */
  start(turnId: TurnId): void {
    const { clock, deadlines, turnIdleMs } = this.#parts;
    const look = (): void => {
      const elapsed = clock.elapsed();
      const idleSince = this.#parts.isWaiting() ? elapsed : this.#parts.lastActivityAt();
      const leftMs = idleSince + turnIdleMs - elapsed;
      const isIdle = leftMs <= 0;
      // What is told may turn out not to apply, so the watch goes on until the turn has ended.
      deadlines.set(TURN_IDLE, isIdle ? turnIdleMs : leftMs, look);
      if (isIdle) this.#parts.onIdle(turnId);
    };
    deadlines.set(TURN_IDLE, turnIdleMs, look);
  }

  stop(): void {
    this.#parts.deadlines.clear(TURN_IDLE);
  }
}
