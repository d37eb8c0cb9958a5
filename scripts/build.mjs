// Builds all packages and the page when a source has changed since the last build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage, pageFolder } from './build-page.mjs';
import { root } from './root.mjs';

/** @returns {boolean} whether everything is built. What the compiler says goes to stderr. */
export function build() {
  const stampFile = join(root, 'node_modules', '.signalbox-built');
  const wanted = sourceStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted && isComplete())
    return true;
  process.stderr.write('Building …\n');
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const projects = sourceFolders().map((folder) => join(folder, 'tsconfig.json'));
  const { status } = spawnSync(process.execPath, [compiler, '-b', ...projects], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) return false;
  buildPage();
  writeFileSync(stampFile, wanted);
  return true;
}

function packageFolders() {
  const packages = join(root, 'packages');
  return readdirSync(packages)
    .map((name) => join(packages, name))
    .filter((folder) => existsSync(join(folder, 'tsconfig.json')));
}

/** Where there is something to compile: the packages, and the page. */
function sourceFolders() {
  return [...packageFolders(), join(root, 'apps/workbench')];
}

function isComplete() {
  const outputs = packageFolders().map((folder) => join(folder, 'dist'));
  const folders = [...outputs, join(root, '.cache/workbench'), pageFolder];
  return folders.every((folder) => existsSync(folder));
}

/** Changes with any source file: its path, size and time of change. */
function sourceStamp() {
  const parts = [];
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else {
        const { size, mtimeMs } = statSync(path);
        parts.push(`${path} ${size} ${mtimeMs}`);
      }
    }
  };
  for (const folder of sourceFolders()) visit(join(folder, 'src'));
  return parts.sort().join('\n');
}
