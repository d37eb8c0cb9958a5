// Bundles the page. It is made of the sources, so it can be built before and after the packages.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { root } from './root.mjs';

const workbench = join(root, 'apps/workbench');

/** Where `signalbox serve` finds it: it is shipped with the command. */
export const pageFolder = join(root, 'packages/cli/page');

/** Browsers that the page is made for: those that know `light-dark()` and `dvh`. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/**
 * Writes index.html, page.js and style.css. Fails when something that is for Node only would get in.
 *
 * @param {string} folder
 * @returns {string[]} the sources of which something is in the bundle.
 */
export function buildPage(folder = pageFolder) {
  const { version } = JSON.parse(readFileSync(join(workbench, 'package.json'), 'utf8'));
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: {
      page: join(workbench, 'src/main.ts'),
      style: join(workbench, 'src/style.css'),
    },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    conditions: ['@signalbox/source'],
    define: { PAGE_VERSION: JSON.stringify(version) },
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(workbench, 'src/index.html'), join(folder, 'index.html'));
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildPage();
