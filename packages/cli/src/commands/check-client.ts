import { constants } from 'node:os';
import { checkClient } from '@signalbox/conformance';
import { UsageError } from '../usage-error.ts';
import { toEnvironment } from './agent-options.ts';
import { finishCheck, toCommonOptions, type CheckOptions } from './check.ts';

/** Options of `signalbox check client`. */
export interface CheckClientCommandOptions extends CheckOptions {
  /** The signal by which a user of this client cancels a turn. */
  readonly cancelSignal?: string;
  readonly env?: readonly string[];
}

/**
 * `signalbox check client -- <command with {agent} and {prompt}>`: proves that a client conforms to the
 * protocol.
 *
 * @returns 0 when no rule was broken, else 1.
 */
export async function checkClientCommand(
  command: readonly string[],
  options: CheckClientCommandOptions,
): Promise<0 | 1> {
  if (!command.some((part) => part.includes('{agent}') || part === '{agent...}')) {
    throw new UsageError(
      'The command has to say with {agent} where the command line of the agent stands',
    );
  }
  if (!command.some((part) => part.includes('{prompt}'))) {
    throw new UsageError('The command has to say with {prompt} where the prompt stands');
  }
  const cancelSignal = toSignal(options.cancelSignal);
  const report = await checkClient({
    ...toCommonOptions(options),
    command,
    env: toEnvironment(options.env ?? []),
    ...(cancelSignal === undefined ? {} : { cancelSignal }),
  });
  return finishCheck(report, options);
}

function toSignal(named: string | undefined): NodeJS.Signals | undefined {
  if (named === undefined) return undefined;
  if (Object.hasOwn(constants.signals, named)) return named as NodeJS.Signals;
  throw new UsageError(`--cancel-signal ${named}: there is no such signal; SIGINT is one`);
}
