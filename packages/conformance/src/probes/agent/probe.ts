import type { PlayedOver } from '../played-over.ts';
import type { ProbeRun } from './probe-run.ts';

/** A deterministic experiment with an agent. */
export interface AgentProbe {
  readonly name: string;
  /** The requirements that it can judge. Those it says nothing of count as not exercised. */
  readonly ids: readonly string[];
  /** The requirements that are broken when the agent ends or goes silent during the probe. */
  readonly blame?: readonly string[];
  /** Whether the kit breaks the protocol here, which the agent's answers have to be seen in light of. */
  readonly isHostile?: boolean;
  /** The transports over which it is made; absent: all. */
  readonly over?: PlayedOver;
  /** Whether it only waits, so that it can be made beside all others. */
  readonly isIdle?: true;
  /** Why the probe does not apply to an agent that announced this; undefined when it does. */
  readonly missing?: (agentCapabilities: unknown) => string | undefined;
  readonly run: (probe: ProbeRun) => Promise<void>;
}
