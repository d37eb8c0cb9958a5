// Runs before everything else, on any Node from 18 and before anything is installed. It makes sure that
// node_modules is what the lock file says; from then on npm scripts run on the Node that is pinned there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.signalbox-installed');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

if (!isInstalled()) install();

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
}

function install() {
  process.stderr.write('Installing what is missing (npm ci) …\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('npm ci failed, so nothing can be built. Its output above says why.\n');
    process.exit(1);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted);
}
