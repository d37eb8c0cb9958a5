import {
  checkAgent,
  type CheckAgentOptions,
  type Prompts,
  type Timeouts,
} from '@signalbox/conformance';
import { toEnvironment } from './agent-options.ts';
import { finishCheck, toCommonOptions, toCount, type CheckOptions } from './check.ts';

/** Options of `signalbox check agent`. The names of prompts are those of the kit. */
export interface CheckAgentCommandOptions extends CheckOptions {
  readonly promptText?: string;
  readonly promptLong?: string;
  readonly promptTool?: string;
  readonly promptPermission?: string;
  readonly promptPlan?: string;
  readonly promptRemember?: string;
  readonly promptRecall?: string;
  readonly promptOutside?: string;
  readonly promptFailing?: string;
  readonly promptCommand?: string;
  readonly promptElicitation?: string;
  /** A login method to use before sessions are opened. */
  readonly authenticate?: string;
  readonly mayLogOut?: boolean;
  readonly env?: readonly string[];
  /** Seconds for the first answer, for answers that need no model, and for a turn. */
  readonly startTimeout?: string;
  readonly answerTimeout?: string;
  readonly turnTimeout?: string;
}

/**
 * `signalbox check agent -- <command...>`: proves that an agent conforms to the protocol.
 *
 * @returns 0 when no rule was broken, else 1.
 */
export async function checkAgentCommand(
  command: readonly string[],
  options: CheckAgentCommandOptions,
): Promise<0 | 1> {
  const checkOptions: CheckAgentOptions = {
    ...toCommonOptions(options),
    command,
    env: toEnvironment(options.env ?? []),
    prompts: toPrompts(options),
    timeouts: toTimeouts(options),
    mayLogOut: options.mayLogOut === true,
    ...(options.authenticate === undefined ? {} : { authenticate: options.authenticate }),
  };
  return finishCheck(await checkAgent(checkOptions), options);
}

function toPrompts(options: CheckAgentCommandOptions): Partial<Prompts> {
  return defined<Prompts>({
    text: options.promptText,
    long: options.promptLong,
    tool: options.promptTool,
    permission: options.promptPermission,
    plan: options.promptPlan,
    remember: options.promptRemember,
    recall: options.promptRecall,
    outside: options.promptOutside,
    failing: options.promptFailing,
    command: options.promptCommand,
    elicitation: options.promptElicitation,
  });
}

function toTimeouts(options: CheckAgentCommandOptions): Partial<Timeouts> {
  const toMs = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : 1000 * toCount(text, option);
  return defined<Timeouts>({
    startMs: toMs(options.startTimeout, '--start-timeout'),
    answerMs: toMs(options.answerTimeout, '--answer-timeout'),
    turnMs: toMs(options.turnTimeout, '--turn-timeout'),
  });
}

/** The members that are given; what is absent has a default of the kit. */
function defined<T>(members: { readonly [Name in keyof T]?: T[Name] | undefined }): Partial<T> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}
