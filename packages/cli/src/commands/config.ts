import { existsSync } from 'node:fs';
import { configFile, loadConfig, SCHEMA_FILE } from '../config/config.ts';
import { journalFile } from '../config/open-host.ts';

/** `signalbox config`: where things are, and whether the configuration is right. */
export function showConfig(): void {
  const file = configFile();
  const config = loadConfig(file);
  process.stdout.write(
    `configuration  ${file}${existsSync(file) ? '' : '  (does not exist; defaults apply)'}\n` +
      `its schema     ${SCHEMA_FILE}\n` +
      `sessions       ${journalFile(config)}\n` +
      `${JSON.stringify(config, null, 2)}\n`,
  );
}
