import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configFile, loadConfig } from '../config/config.ts';
import { journalFile } from '../config/open-host.ts';

/** `signalbox config`: where things are, and whether the configuration is right. */
export function showConfig(): void {
  const file = configFile();
  const config = loadConfig(file);
  const schema = fileURLToPath(new URL('../../config.schema.json', import.meta.url));
  process.stdout.write(
    `configuration  ${file}${existsSync(file) ? '' : '  (does not exist; defaults apply)'}\n` +
      `its schema     ${schema}\n` +
      `sessions       ${journalFile(config)}\n` +
      `${JSON.stringify(config, null, 2)}\n`,
  );
}
