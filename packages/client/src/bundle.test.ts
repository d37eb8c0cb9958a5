import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

/** What a page has to load for the whole library, minified and compressed. Most of it are the validators. */
const GZIP_BYTES_MAX = 64 * 1024;
/** The packages that may be in it beside our own. */
const PACKAGES = ['eventsource-parser'];

async function bundle() {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    conditions: ['@signalbox/source'],
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error('there is no bundle');
  return { output, inputs: Object.keys(metafile.inputs) };
}

describe('the library in a browser', () => {
  test('needs nothing of Node, and no package but the parser of event streams', async () => {
    const { output, inputs } = await bundle();
    expect(output.text).not.toMatch(/\bfrom ?["']node:|\brequire\(/);
    const packages = inputs.flatMap((input) => /node_modules\/([^/]+)/.exec(input)?.[1] ?? []);
    expect([...new Set(packages)].filter((name) => !PACKAGES.includes(name))).toEqual([]);
  });

  test(`has at most ${GZIP_BYTES_MAX / 1024} KiB`, async () => {
    const { output } = await bundle();
    const { length } = gzipSync(output.contents, { level: 9 });
    expect(length).toBeLessThan(GZIP_BYTES_MAX);
  });
});
