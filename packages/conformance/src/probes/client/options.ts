import type { TransportKind } from '../../transport-kind.ts';
import type { KnownFailure } from '../agent/options.ts';

/** How long the kit waits for the client under test, in ms. */
export interface ClientTimeouts {
  /** For the whole run of one scenario. */
  readonly scenarioMs: number;
  /** For the answer to a request of the scripted agent. */
  readonly answerMs: number;
  /** For the client to end after its turn; a client that stays is stopped then. */
  readonly endMs: number;
}

/** Long enough for clients that start slowly. */
export const DEFAULT_CLIENT_TIMEOUTS: ClientTimeouts = {
  scenarioMs: 60_000,
  answerMs: 10_000,
  endMs: 5_000,
};

/** How a client is checked. */
export interface CheckClientOptions {
  /**
   * The client's program and its arguments, with placeholders: `{agent}` is the command line of the
   * agent that it has to start, and `{prompt}` the prompt that it has to send. An argument that is
   * `{agent...}` alone becomes one argument for each part of the command line. Over a network `{url}` is
   * the address of the agent instead, and `{transport}`, which need not be there, `websocket` or `http`.
   */
  readonly command: readonly string[];
  /** How the client has to reach its agent. Default stdio: it starts it. */
  readonly transport?: TransportKind;
  /** Added to the environment of the kit. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeouts?: Partial<ClientTimeouts>;
  /** Where the program of the scripted agent is, for bundles that have moved it. */
  readonly agentProgram?: string;
  /** Names of scenarios or ids of requirements to which the check is limited. */
  readonly only?: readonly string[];
  /** How many clients run at a time. Default 1. */
  readonly concurrency?: number;
  /** The signal by which a user of this client cancels a turn, for example SIGINT. */
  readonly cancelSignal?: NodeJS.Signals;
  /** Where every recorded connection is written to, one file each. */
  readonly traceDirectory?: string;
  /** Requirements that are known to be broken, with the reason. */
  readonly knownFailures?: readonly KnownFailure[];
  /** Counts inferred requirements and recommendations like rules. */
  readonly isStrict?: boolean;
  /** Told of each scenario as it ends. */
  readonly onProgress?: (name: string, done: number, total: number) => void;
}
