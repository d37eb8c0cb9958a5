import { constants } from 'node:os';
import { checkClient } from '@signalbox/conformance';
import { UsageError } from '../usage-error.ts';
import { toEnvironment } from './agent-options.ts';
import { endOnSignals } from './check/interrupted.ts';
import { toRemote } from './check/endpoint.ts';
import { finishCheck, toCommonOptions, type CheckOptions } from './check.ts';

/** Options of `signalbox check client`. */
export interface CheckClientCommandOptions extends CheckOptions {
  /** The signal by which a user of this client cancels a turn. */
  readonly cancelSignal?: string;
  readonly env?: readonly string[];
  /** How the client reaches its agent. */
  readonly transport?: string;
}

/**
 * `signalbox check client -- <command with {agent} and {prompt}>`: proves that a client conforms to the
 * protocol. Over a network `{url}` stands for the agent.
 *
 * @throws UsageError when the command has no place for the agent or the prompt.
 * @returns 0 when no rule was broken, else 1.
 */
export async function checkClientCommand(
  command: readonly string[],
  options: CheckClientCommandOptions,
): Promise<0 | 1> {
  const { transport = 'stdio' } = options;
  const kind = transport === 'stdio' ? transport : toRemote(transport);
  const places = kind === 'stdio' ? ['{agent}', '{agent...}'] : ['{url}'];
  if (!command.some((part) => places.some((place) => part.includes(place)))) {
    throw new UsageError(
      kind === 'stdio'
        ? 'The command has to say with {agent} where the command line of the agent stands'
        : 'The command has to say with {url} where the address of the agent stands',
    );
  }
  if (!command.some((part) => part.includes('{prompt}'))) {
    throw new UsageError('The command has to say with {prompt} where the prompt stands');
  }
  const cancelSignal = toSignal(options.cancelSignal);
  endOnSignals();
  const report = await checkClient({
    ...toCommonOptions(options),
    command,
    transport: kind,
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
