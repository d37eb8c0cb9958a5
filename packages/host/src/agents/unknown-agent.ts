import { HostError } from '../host-error.ts';
import type { AgentLink } from './agent-link.ts';

/** There is no agent of this name here. */
export function agentUnknown(name: string): HostError {
  return new HostError('agent_unknown', `There is no agent named "${name}"`, {
    hint: 'See "signalbox agents", or give a command line.',
  });
}

/**
 * The agent of a session whose agent is not known here, such as one that was given as a command line elsewhere or
 * was taken out of the configuration. It never starts, and says why.
 */
export function createUnknownLink(name: string): AgentLink {
  return { start: () => Promise.reject(agentUnknown(name)) };
}
