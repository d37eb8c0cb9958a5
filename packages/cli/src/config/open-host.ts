import { join } from 'node:path';
import { Host, openSqliteJournal } from '@signalbox/host';
import { VERSION } from '../version.ts';
import { dataFolder, type Config } from './config.ts';
import { findAgent } from './find-agent.ts';

/** The file that holds everything: logs, lists, leases. */
export function journalFile(config: Config): string {
  return join(dataFolder(config), 'journal.db');
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
  const journal = await openSqliteJournal({
    file: journalFile(config),
    ...(config.durability === undefined ? {} : { durability: config.durability }),
  });
  const { permissionTimeoutMs, cancelGraceMs, turnIdleMs } = config;
  return Host.open({
    journal,
    clientInfo: { name: 'signalbox', version: VERSION },
    findAgent: (name) => findAgent(config, name, agentEnv),
    settings: {
      ...(permissionTimeoutMs === undefined ? {} : { permissionTimeoutMs }),
      ...(cancelGraceMs === undefined ? {} : { cancelGraceMs }),
      ...(turnIdleMs === undefined ? {} : { turnIdleMs }),
    },
  });
}
