import type { InitializeResponse } from '@signalbox/acp';
import type { SessionState } from '@signalbox/core';
import type { RunningAgent } from '../agents/agent-link.ts';
import type { Clock } from '../clock/clock.ts';
import type { Deadlines } from './deadlines.ts';

/** What {@link Hibernation} looks at, and what it does. */
export interface HibernationParts {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly hibernateAfterMs: number;
  /** The agent, if it is ready. */
  agent(): RunningAgent | undefined;
  lastActivityAt(): number;
  state(): SessionState;
  endAgent(): void;
}

const HIBERNATE = 'hibernate';

/**
 * Ends the process of an agent that does nothing and can find its session again. The session stays as it
 * is: no process, no memory, and one start at the next prompt.
 */
export class Hibernation {
  readonly #parts: HibernationParts;

  constructor(parts: HibernationParts) {
    this.#parts = parts;
  }

  /** The agent is ready, or a turn has ended: from now on it may be idle. */
  watch(): void {
    const { clock, deadlines, hibernateAfterMs } = this.#parts;
    deadlines.set(HIBERNATE, clock.now() + hibernateAfterMs, () => this.#look());
  }

  #look(): void {
    const { clock, deadlines, hibernateAfterMs } = this.#parts;
    const agent = this.#parts.agent();
    // Without a process there is nothing to end; its next start begins the watch anew.
    if (agent === undefined || !canBeRestored(agent)) return;
    const { turn, permissions } = this.#parts.state();
    const isBusy = turn.kind === 'running' || permissions.size > 0;
    const idleSince = isBusy ? clock.now() : this.#parts.lastActivityAt();
    if (clock.now() - idleSince >= hibernateAfterMs) this.#parts.endAgent();
    else deadlines.set(HIBERNATE, idleSince + hibernateAfterMs, () => this.#look());
  }
}

function canBeRestored({ initialized }: RunningAgent): boolean {
  const { agentCapabilities } = initialized.value as Partial<InitializeResponse>;
  const canResume = agentCapabilities?.sessionCapabilities?.resume != null;
  return canResume || agentCapabilities?.loadSession === true;
}
