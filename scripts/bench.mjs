// `npm run bench` builds what is not built and runs the benchmarks on the built packages.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

if (!build()) process.exit(1);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'bench/run.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
