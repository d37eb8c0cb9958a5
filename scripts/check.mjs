// `npm test`: every check there is, in one command. `npm test -- <name> …` runs some of them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root } from './root.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

const bin = (name) => join(root, 'node_modules', ...name.split('/'));

/** In the order in which they run: what is quick and often wrong comes first. */
const CHECKS = {
  build: () => build(),
  format: () => run(bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'),
  generated: () => run(join(root, 'scripts/generate.mjs'), '--check'),
  layers: () =>
    run(bin('dependency-cruiser/bin/dependency-cruiser.mjs'), 'packages', 'apps', 'bench'),
  types: () =>
    run(bin('typescript/bin/tsc'), '-p', 'tsconfig.tests.json') &&
    run(bin('typescript/bin/tsc'), '-p', 'tests/browser/tsconfig.json'),
  lint: () => run(bin('eslint/bin/eslint.js'), '--max-warnings=0', '.'),
  tests: () => {
    // What cannot be installed is said now, and the tests that need it fail.
    ensureSystemPackages();
    return run(bin('vitest/vitest.mjs'), 'run');
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  process.stderr.write(`Unknown check: ${unknown.join(', ')}. There are ${Object.keys(CHECKS)}.\n`);
  process.exit(2);
}

const failed = [];
for (const [name, check] of Object.entries(CHECKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = performance.now();
  const isGood = check();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (!isGood) failed.push(name);
  if (!isGood && name === 'build') break;
}
const count = wanted.length || Object.keys(CHECKS).length;
process.stdout.write(`checks: ${count - failed.length} passed, ${failed.length} failed\n`);
process.exit(failed.length === 0 ? 0 : 1);

function run(program, ...args) {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return status === 0;
}
