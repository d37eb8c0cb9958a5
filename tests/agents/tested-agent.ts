import type { ScenarioName } from './scenario-names.ts';

/** What an agent's prompts and settings are made with. */
export interface Wiring {
  /** Where the model server is. */
  readonly url: string;
  /** The folder to work in. */
  readonly work: string;
}

/** Makes the prompt that brings a tool call about. */
export type Script = (wiring: Wiring) => string;

/** An agent as the scenarios drive it. How it is started stands in the catalogue. */
export interface TestedAgent {
  /** What its results are called: its name in the catalogue, or a name of its own. */
  readonly name: string;
  /** Its name in the catalogue, when that is another one: for a second version of an agent. */
  readonly catalogueName?: string;
  /** What is installed: exact versions. */
  readonly packages: readonly `${string}@${string}`[];
  /** Where its program is, in the folder of the installation. Default `node_modules/.bin`. */
  readonly binFolder?: string;
  /** For agents that are not in the catalogue: the program in the folder of the installation. */
  readonly program?: string;
  /** Variables with which it finds the model server. The catalogue says which of them it gets. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Files in its home, by path. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
  /** A command that is run once before the scenarios, for agents whose settings only they can write. */
  readonly setUp?: (url: string) => readonly string[];
  /** A shell command that makes the file `ran.txt` in the folder, and needs leave. */
  readonly shell?: Script;
  /** An edit that makes `after` of `before` in `edit.txt`. */
  readonly edit?: Script;
  /** Makes the file `created.txt` with the text `created`. */
  readonly create?: Script;
  /** Makes a plan. */
  readonly plan?: Script;
  /** Scenarios that say nothing about this agent, and why. */
  readonly notApplicable?: Partial<Readonly<Record<ScenarioName, string>>>;
  /** It plays something fixed and asks no model. */
  readonly hasNoModel?: true;
}

/** The directive for one tool call. */
export function tool(name: string, args: Readonly<Record<string, unknown>>): string {
  return `[[tool:${name} ${JSON.stringify(args)}]]`;
}

/** The shell command of the scenarios. */
export const SHELL_COMMAND = 'echo ran > ran.txt; cat ran.txt';
