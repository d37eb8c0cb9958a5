// `npm start` builds what is not built and runs the server; `npm start -- <arguments>` is
// `signalbox <arguments>` in the folder where npm was called.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';

if (!build()) process.exit(1);

const given = process.argv.slice(2);
const args = given.length === 0 ? ['serve'] : given;
const child = spawn(process.execPath, [join(root, 'packages/cli/bin/signalbox.js'), ...args], {
  cwd: process.env.INIT_CWD ?? root,
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to the whole group; the command decides what it means.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128 + 2);
});
