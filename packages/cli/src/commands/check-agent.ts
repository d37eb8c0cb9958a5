import {
  checkAgent,
  StartError,
  type AgentUnderTest,
  type CheckAgentOptions,
  type Prompts,
  type Report,
  type Timeouts,
} from '@signalbox/conformance';
import { toEnvironment } from './agent-options.ts';
import { endOnSignals } from './check/interrupted.ts';
import { toEndpoint, type EndpointOptions } from './check/endpoint.ts';
import { finishCheck, toCommonOptions, toCount, type CheckOptions } from './check.ts';
import { UsageError } from '../usage-error.ts';

/** Options of `signalbox check agent`. The names of prompts are those of the kit. */
export interface CheckAgentCommandOptions extends CheckOptions, EndpointOptions {
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
  /** Seconds for a sign of life on an idle stream. */
  readonly idleTimeout?: string;
}

/**
 * `signalbox check agent -- <command...>` and `signalbox check agent --url <url>`: proves that an agent
 * conforms to the protocol.
 *
 * @throws UsageError when neither a program nor an endpoint is named, or both, or the program cannot be started.
 * @returns 0 when no rule was broken, else 1.
 */
export async function checkAgentCommand(
  command: readonly string[],
  options: CheckAgentCommandOptions,
): Promise<0 | 1> {
  const checkOptions: CheckAgentOptions = {
    ...toCommonOptions(options),
    ...toTarget(command, options),
    env: toEnvironment(options.env ?? []),
    prompts: toPrompts(options),
    timeouts: toTimeouts(options),
    mayLogOut: options.mayLogOut === true,
    ...(options.authenticate === undefined ? {} : { authenticate: options.authenticate }),
  };
  endOnSignals();
  return finishCheck(await check(checkOptions), options);
}

async function check(options: CheckAgentOptions): Promise<Report> {
  try {
    return await checkAgent(options);
  } catch (error) {
    if (error instanceof StartError) throw new UsageError(error.message);
    throw error;
  }
}

/** The agent: a program, or an endpoint. */
function toTarget(command: readonly string[], options: CheckAgentCommandOptions): AgentUnderTest {
  const endpoint = toEndpoint(options);
  if (endpoint === undefined) {
    if (command.length > 0) return { command };
    throw new UsageError('Name the agent: -- <command...>, or --url <url> of its endpoint');
  }
  if (command.length === 0 && options.env === undefined) return { endpoint };
  throw new UsageError('With --url there is no program to start, and no --env for it');
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
    idleMs: toMs(options.idleTimeout, '--idle-timeout'),
  });
}

/** The members that are given; what is absent has a default of the kit. */
function defined<T>(members: { readonly [Name in keyof T]?: T[Name] | undefined }): Partial<T> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}
