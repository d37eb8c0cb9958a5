import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KNOWN_AGENTS, type AgentEntry, type KnownAgent } from '@signalbox/host';
import { parseArgsStringToArgv } from 'string-argv';
import type { Config, ConfiguredAgent } from './config.ts';

/** The name of the agent that comes with Signalbox. */
export const BUILTIN_AGENT = 'builtin';

/** What to do when a command line cannot be started, which may have been meant as a name. */
const NO_NAME =
  'It is none of the names that "signalbox agents" shows, so it was taken as a command.';
/** What to do when a command of the user's own cannot be started. */
const OWN = 'Its command stands in your configuration; "signalbox config" shows where.';

/** An agent as `signalbox agents` shows it. What is not known of it is absent. */
export interface ListedAgent extends Partial<Omit<KnownAgent, 'install'>> {
  readonly name: string;
  readonly title: string;
  readonly source: 'built in' | 'configuration' | 'catalogue';
  readonly command: readonly string[];
  /** How to get it, when its program is not on PATH. */
  readonly install?: string;
}

/** Every agent that can be named, the user's own first. */
export function listAgents(config: Config): ListedAgent[] {
  const own = Object.entries(config.agents ?? {}).map(([name, agent]) => ({
    name,
    title: agent.title ?? '',
    source: 'configuration' as const,
    command: agent.command,
    quirks: findKnown(name)?.quirks ?? [],
  }));
  const builtin = {
    name: BUILTIN_AGENT,
    title: 'The agent that comes with Signalbox; needs no key and no network',
    source: 'built in' as const,
    command: ['signalbox', 'agent'],
  };
  const ownNames = new Set(own.map(({ name }) => name));
  const known = KNOWN_AGENTS.filter(({ name }) => !ownNames.has(name)).map((agent) => {
    const { install, ...rest } = agent;
    const isInstalled = isOnPath(agent.command[0] ?? '');
    return { ...rest, source: 'catalogue' as const, ...(isInstalled ? {} : { install }) };
  });
  return [...own, ...(ownNames.has(BUILTIN_AGENT) ? [] : [builtin]), ...known];
}

/**
 * Finds an agent: by a name as {@link findNamedAgent} does, or else as a command line, which is split like
 * a shell would but never given to one.
 */
export function findAgent(
  config: Config,
  named: string,
  passedEnv: Readonly<Record<string, string>> = {},
): AgentEntry | undefined {
  const entry = findNamedAgent(config, named, passedEnv);
  if (entry !== undefined) return entry;
  const command = parseArgsStringToArgv(named);
  if (command.length === 0) return undefined;
  return { name: named, command, env: passedEnv, install: NO_NAME };
}

/** Finds an agent by a name: of the configuration, `builtin`, or of the catalogue. */
export function findNamedAgent(
  config: Config,
  named: string,
  passedEnv: Readonly<Record<string, string>> = {},
): AgentEntry | undefined {
  const own = Object.hasOwn(config.agents ?? {}, named) ? config.agents?.[named] : undefined;
  if (own !== undefined) return { ...toEntry(named, own, passedEnv), install: OWN };
  if (named === BUILTIN_AGENT) {
    const program = fileURLToPath(new URL('../../bin/signalbox.js', import.meta.url));
    return { name: named, command: [process.execPath, program, 'agent'], env: passedEnv };
  }
  const known = findKnown(named);
  return known && { ...toEntry(named, known, passedEnv), install: `Get it with: ${known.install}` };
}

function findKnown(named: string): KnownAgent | undefined {
  return KNOWN_AGENTS.find(({ name }) => name === named);
}

/** An entry for the host. The quirks and needs of a known agent go with its name, whoever says how it is started. */
function toEntry(
  name: string,
  agent: ConfiguredAgent,
  passedEnv: Readonly<Record<string, string>>,
): AgentEntry {
  const { title, command, startTimeoutMs } = agent;
  const { quirks = [], needs } = findKnown(name) ?? {};
  return {
    name,
    command,
    env: { ...agent.env, ...passedEnv },
    passEnv: matchingNames(agent.passEnv ?? [], process.env),
    quirks: quirks.map((quirk) => quirk.name),
    ...(title === undefined ? {} : { title }),
    ...(needs === undefined ? {} : { needs: `It needs: ${needs}` }),
    ...(startTimeoutMs === undefined ? {} : { startTimeoutMs }),
  };
}

/** Names of `environment` that the patterns name. */
function matchingNames(patterns: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const openings = patterns.filter((pattern) => pattern.endsWith('*')).map((p) => p.slice(0, -1));
  return Object.keys(environment).filter(
    (name) => exact.has(name) || openings.some((opening) => name.startsWith(opening)),
  );
}

function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => folder !== '' && existsSync(join(folder, program)));
}
