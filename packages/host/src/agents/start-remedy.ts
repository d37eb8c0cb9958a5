import { HostError, isHostError } from '../host-error.ts';
import type { AgentEntry } from './agent-entry.ts';

/**
 * The failure of an agent's start, with what its user can do about it where that is known: get its program, or give
 * it what it needs. Any other failure is left as it is.
 */
export function withRemedy(error: unknown, entry: AgentEntry): unknown {
  if (!isHostError(error)) return error;
  const { code, message, cause, hint } = error;
  const remedy = remedyOf(error, entry);
  if (remedy === undefined) return error;
  // Where the program was looked for is the last thing to try.
  const all = hint === undefined ? remedy : `${remedy}\n${hint}`;
  return new HostError(code, message, { cause, hint: all });
}

function remedyOf({ code }: HostError, { install, needs }: AgentEntry): string | undefined {
  switch (code) {
    case 'agent_spawn_failed':
      return install;
    case 'agent_handshake_failed':
    case 'auth_required':
      return needs;
    default:
      return undefined;
  }
}
