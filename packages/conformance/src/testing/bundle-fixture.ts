import { join } from 'node:path';
import { build } from 'esbuild';
import { programPath } from '../process/program-path.ts';
import { fixture } from './fixture.ts';

/**
 * Bundles a fixture that uses this project's packages, from their sources, into one file that starts
 * quickly. It gives the path of that file.
 */
export function bundleFixture(name: string, directory: string): Promise<string> {
  return bundle(fixture(name), join(directory, name));
}

/** The same for the scripted agent. */
export function bundleAgentProgram(directory: string): Promise<string> {
  return bundle(programPath('agent-program'), join(directory, 'agent-program.mjs'));
}

const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

async function bundle(entry: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@signalbox/source'],
    // Some packages are not ES modules, and ask for what Node has built in.
    banner: { js: REQUIRE },
    logLevel: 'silent',
  });
  return outfile;
}
