// `npm run test:agents` builds what is not built and drives real agents through the built host; they are
// installed from npm. `-- --only codex,gemini --scenario text` runs some of it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

if (!build()) process.exit(1);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'tests/agents/run.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
