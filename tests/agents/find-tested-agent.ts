import { join } from 'node:path';
import { KNOWN_AGENTS, type AgentEntry, type KnownAgent } from '@signalbox/host';
import type { Place } from './place.ts';
import type { TestedAgent } from './tested-agent.ts';

/** What the catalogue says of it; undefined for an agent that is not there. */
export function findKnown({ name, catalogueName = name }: TestedAgent): KnownAgent | undefined {
  return KNOWN_AGENTS.find((known) => known.name === catalogueName);
}

/** Whether the catalogue says that it has this quirk. */
export function isKnownFor(
  agent: TestedAgent,
  quirk: KnownAgent['quirks'][number]['name'],
): boolean {
  return findKnown(agent)?.quirks.some(({ name }) => name === quirk) ?? false;
}

/**
 * The entry with which the host starts an agent: that of the catalogue, so that what the catalogue says is
 * what is proven, or else the program of the installation.
 */
export function toEntry(agent: TestedAgent, installFolder: string, place: Place): AgentEntry {
  const known = findKnown(agent);
  if (known === undefined) {
    const program = join(installFolder, agent.program ?? '');
    return { name: agent.name, command: [process.execPath, program] };
  }
  return {
    name: known.name,
    command: known.command,
    passEnv: Object.keys(place.environment).filter((name) => isNamed(name, known.passEnv)),
    quirks: known.quirks.map(({ name }) => name),
  };
}

/** Whether one of the patterns names it; a trailing `*` stands for any ending. */
function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
