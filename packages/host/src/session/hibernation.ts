import type { Clock, InitializeResponse } from '@signalbox/acp';
import type { SessionState } from '@signalbox/core';
import type { RunningAgent } from '../agents/agent-link.ts';
import type { Deadlines } from './deadlines.ts';
import { isAtRest } from './is-at-rest.ts';

/** What {@link Hibernation} looks at, and what it does. */
export interface HibernationParts {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  /** Of an agent that can find its session again, in ms. */
  readonly hibernateAfterMs: number;
  /** Of one that cannot, while nobody has the session open, in ms. */
  readonly endUnusedAfterMs: number;
  /** The agent, if it is ready. */
  agent(): RunningAgent | undefined;
  /** When the agent last did something, as `Clock.elapsed` says it. */
  lastActivityAt(): number;
  /** When somebody last had the session open, as `Clock.elapsed` says it; while somebody has, now. */
  lastUsedAt(): number;
  state(): SessionState;
  endAgent(): void;
}

const HIBERNATE = 'hibernate';

/**
 * Ends the process of an agent that does nothing. The session stays as it is: no process, no memory, and
 * one start at the next prompt. An agent that would forget its session, and would have to be told what was
 * said, is left alone for longer, and for as long as somebody has the session open.
 */
export class Hibernation {
  readonly #parts: HibernationParts;

  constructor(parts: HibernationParts) {
    this.#parts = parts;
  }

  /** The agent is ready: from now on it may be idle. */
  watch(): void {
    const agent = this.#parts.agent();
    if (agent !== undefined) this.#lookIn(this.#limitOf(agent));
  }

  #look(): void {
    const { clock } = this.#parts;
    const agent = this.#parts.agent();
    // Without a process there is nothing to end; its next start begins the watch anew.
    if (agent === undefined) return;
    const leftMs = this.#idleSince(agent) + this.#limitOf(agent) - clock.elapsed();
    if (leftMs <= 0) this.#parts.endAgent();
    else this.#lookIn(leftMs);
  }

  #lookIn(ms: number): void {
    this.#parts.deadlines.set(HIBERNATE, ms, () => this.#look());
  }

  #limitOf(agent: RunningAgent): number {
    const { hibernateAfterMs, endUnusedAfterMs } = this.#parts;
    return canBeRestored(agent) ? hibernateAfterMs : endUnusedAfterMs;
  }

  #idleSince(agent: RunningAgent): number {
    const parts = this.#parts;
    if (!isAtRest(parts.state())) return parts.clock.elapsed();
    const activityAt = parts.lastActivityAt();
    return canBeRestored(agent) ? activityAt : Math.max(activityAt, parts.lastUsedAt());
  }
}

function canBeRestored({ initialized }: RunningAgent): boolean {
  const { agentCapabilities } = initialized.value as Partial<InitializeResponse>;
  const canResume = agentCapabilities?.sessionCapabilities?.resume != null;
  return canResume || agentCapabilities?.loadSession === true;
}
