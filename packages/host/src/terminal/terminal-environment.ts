import { createHash } from 'node:crypto';
import { ErrorCode, RpcError, type EnvVariable } from '@signalbox/acp';
import { SESSION_MARK } from '../agents/environment.ts';

/** Marks every process that a terminal started, so that none is left over. */
export const TERMINAL_MARK = 'SIGNALBOX_TERMINAL';

/** A variable that an agent set, for policy and log: its value may be a secret. */
export interface EnvironmentFact {
  readonly name: string;
  /** Sha-256 of the value, in hexadecimal. */
  readonly valueDigest: string;
}

/** Whose process it is. */
export interface Marks {
  readonly sessionId: string;
  readonly terminalId: string;
}

/**
 * The environment of a command: the agent's own, then what the agent asked for, later ones winning
 * (B121), then the marks, which nothing overrides.
 *
 * @throws RpcError -32602 for a name or value that no environment can hold.
 */
export function toTerminalEnvironment(
  agentEnvironment: Readonly<Record<string, string>>,
  env: readonly EnvVariable[],
  { sessionId, terminalId }: Marks,
): Record<string, string> {
  const asked = env.map(({ name, value }): [string, string] => {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      const message = `The environment variable "${name.replaceAll('\0', '\\0')}" cannot be set`;
      throw new RpcError(ErrorCode.InvalidParams, message, { param: 'env' });
    }
    return [name, value];
  });
  const marks = { [SESSION_MARK]: sessionId, [TERMINAL_MARK]: terminalId };
  return { ...agentEnvironment, ...Object.fromEntries(asked), ...marks };
}

/** What the agent asked for, by name, without values. Of doubles the last counts. */
export function toEnvironmentFacts(env: readonly EnvVariable[]): EnvironmentFact[] {
  const last = new Map(env.map(({ name, value }) => [name, value]));
  return [...last]
    .map(([name, value]) => ({
      name,
      valueDigest: createHash('sha256').update(value).digest('hex'),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
