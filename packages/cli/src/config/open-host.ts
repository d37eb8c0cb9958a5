import { join } from 'node:path';
import type { Journal } from '@signalbox/core';
import { Host, openSqliteJournal, type HostOptions } from '@signalbox/host';
import { VERSION } from '../version.ts';
import { dataFolder, type Config } from './config.ts';
import { findAgent } from './find-agent.ts';

/** The file that holds everything: logs, lists, leases. */
export function journalFile(config: Config): string {
  return join(dataFolder(config), 'journal.db');
}

/** Opens the journal that the configuration names. */
export function openJournal(config: Config): Promise<Journal> {
  return openSqliteJournal({
    file: journalFile(config),
    ...(config.durability === undefined ? {} : { durability: config.durability }),
  });
}

/**
 * Opens the host that commands work with. This is where adapters are chosen.
 *
 * @param agentEnv variables for the agent that the command line names.
 */
export async function openHost(
  config: Config,
  agentEnv: Readonly<Record<string, string>> = {},
): Promise<Host> {
  return Host.open({
    ...hostOptions(config),
    journal: await openJournal(config),
    findAgent: (name) => findAgent(config, name, agentEnv),
  });
}

/** What the configuration says of a host. */
export function hostOptions(config: Config): Pick<HostOptions, 'clientInfo' | 'settings'> {
  const { permissions, permissionTimeoutMs, cancelGraceMs, settleMs, settleMaxMs, turnIdleMs } =
    config;
  const { hibernateAfterMs, endUnusedAfterMs, unusedAgentsMax } = config;
  return {
    clientInfo: { name: 'signalbox', version: VERSION },
    settings: {
      ...(permissions === undefined ? {} : { policyLevel: permissions }),
      ...(permissionTimeoutMs === undefined ? {} : { permissionTimeoutMs }),
      ...(cancelGraceMs === undefined ? {} : { cancelGraceMs }),
      ...(settleMs === undefined ? {} : { settleMs }),
      ...(settleMaxMs === undefined ? {} : { settleMaxMs }),
      ...(turnIdleMs === undefined ? {} : { turnIdleMs }),
      ...(hibernateAfterMs === undefined ? {} : { hibernateAfterMs }),
      ...(endUnusedAfterMs === undefined ? {} : { endUnusedAfterMs }),
      ...(unusedAgentsMax === undefined ? {} : { unusedAgentsMax }),
    },
  };
}
