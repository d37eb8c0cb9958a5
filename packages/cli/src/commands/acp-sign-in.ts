import { spawn } from 'node:child_process';
import { toAgentEnvironment, type AgentEntry, type ServedAgent } from '@signalbox/host';
import { UsageError } from '../usage-error.ts';

/** An agent's sign-in that is a program in a terminal. */
interface TerminalMethod {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs an agent's own sign-in in this terminal: the agent's command with the arguments that it names
 * for that (R-AUT-12).
 *
 * @returns the exit code of the program; 0 means that somebody has signed in (R-AUT-13).
 */
export async function signIn(
  agent: ServedAgent,
  entry: AgentEntry,
  methodId: string,
): Promise<number> {
  const { authMethods } = await agent.describe();
  const method = authMethods.find(({ id }) => id === methodId);
  if (method === undefined || (method as { type?: string }).type !== 'terminal') {
    throw new UsageError(`The agent has no sign-in in a terminal that is called "${methodId}"`);
  }
  const { args = [], env = {} } = method as TerminalMethod;
  const [program = '', ...own] = entry.command;
  const child = spawn(program, [...own, ...args], {
    stdio: 'inherit',
    env: toAgentEnvironment(process.env, entry.passEnv ?? [], { ...entry.env, ...env }),
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
