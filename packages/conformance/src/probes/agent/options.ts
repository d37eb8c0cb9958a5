import type { Timeouts } from '../../kit-client/kit-client.ts';
import type { RemoteEndpoint } from '../../remote/endpoint.ts';

/** What the kit says to an agent to bring it into a situation. */
export interface Prompts {
  /** Makes the agent say something and end. */
  readonly text: string;
  /** Makes the agent work for some seconds, with updates. */
  readonly long: string;
  /** Makes the agent read the file `marker.txt` in the session's directory. */
  readonly tool: string;
  /** Makes the agent create `permission-probe.txt`, and ask before. */
  readonly permission: string;
  /** Makes the agent report a plan. */
  readonly plan: string;
  /** Tells the agent the word `heliotrope`. */
  readonly remember: string;
  /** Asks for the word. */
  readonly recall: string;
  /** Makes the agent read the file that stands for `{path}`, outside the session's directory. */
  readonly outside?: string;
  /** Makes the turn fail. */
  readonly failing?: string;
  /** Runs a command that the agent advertised, for example `/help`. */
  readonly command?: string;
  /** Makes the agent ask the user something by elicitation. */
  readonly elicitation?: string;
}

/** The prompts for an agent that follows instructions in English. */
export const DEFAULT_PROMPTS: Prompts = {
  text: 'Say hello in one short sentence. Use no tools.',
  long: 'Count from 1 to 300 in words, one number a line. Use no tools.',
  tool: 'Read the file marker.txt in the working directory and repeat what it says.',
  permission: 'Create the file permission-probe.txt in the working directory with the text "ok".',
  plan: 'Make a plan of three steps for tidying this directory. Do not carry it out.',
  remember: 'Remember this word: heliotrope. Answer only "ok".',
  recall: 'Which word did I ask you to remember? Answer with the word alone.',
};

/** Long enough for agents that start slowly and think. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  startMs: 30_000,
  answerMs: 15_000,
  turnMs: 90_000,
  exitMs: 5_000,
  promptMs: 5_000,
  idleMs: 35_000,
};

/** How an agent is checked. */
export type CheckAgentOptions = AgentCheckOptions & AgentUnderTest;

/** An agent that the kit starts, or one behind an endpoint. */
export type AgentUnderTest =
  | {
      /** The agent's program and its arguments. */
      readonly command: readonly string[];
      readonly endpoint?: undefined;
    }
  | {
      /** Where the agent is reached. It has to see the same files as the kit: sessions get folders here. */
      readonly endpoint: RemoteEndpoint;
      readonly command?: undefined;
    };

/** What does not depend on how the agent is reached. */
export interface AgentCheckOptions {
  /** Where the program is started; sessions get directories of their own. */
  readonly cwd?: string;
  /** Added to the environment of the kit. */
  readonly env?: Readonly<Record<string, string>>;
  readonly prompts?: Partial<Prompts>;
  readonly timeouts?: Partial<Timeouts>;
  /** Names of probes or ids of requirements to which the check is limited. */
  readonly only?: readonly string[];
  /** How many connections there are at a time. Default 1, which disturbs nothing. */
  readonly concurrency?: number;
  /** A login method to use before sessions are opened, for agents that need one. */
  readonly authenticate?: string;
  /** Allows the kit to log out, which may end the user's own login. Default false. */
  readonly mayLogOut?: boolean;
  /** Where every recorded connection is written to, one file each. */
  readonly traceDirectory?: string;
  /** Requirements that are known to be broken, with the reason. */
  readonly knownFailures?: readonly KnownFailure[];
  /** Counts inferred requirements and recommendations like rules. */
  readonly isStrict?: boolean;
  /** Told of each probe as it ends. */
  readonly onProgress?: (name: string, done: number, total: number) => void;
}

/** A requirement that is known to be broken. */
export interface KnownFailure {
  readonly id: string;
  readonly reason: string;
}
