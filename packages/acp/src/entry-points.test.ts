import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));

describe('the core entry point', () => {
  it('can be bundled for a browser: it needs nothing of Node and one small package', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [`${SOURCES}index.ts`],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    expect(outputFiles).toHaveLength(1);
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.length).toBeGreaterThan(20);
    const packages = inputs.filter((input) => input.includes('node_modules'));
    expect(packages.filter((input) => !input.includes('/eventsource-parser/'))).toEqual([]);
  });
});

describe('the sources', () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const shipped = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

  it('take only types from the official SDK', () => {
    expect(shipped.length).toBeGreaterThan(20);
    const offenders = shipped.filter((name) =>
      importsOf(name).some(
        (line) => line.includes('@agentclientprotocol/sdk') && !/^(import|export) type /.test(line),
      ),
    );
    expect(offenders).toEqual([]);
  });

  it('use Node only in the stdio transport', () => {
    const users = shipped.filter((name) => importsOf(name).some((line) => line.includes("'node:")));
    expect(users.filter((name) => !name.startsWith('transport'))).toEqual([]);
  });
});

/** The import and re-export statements of a source file, each on one line. */
function importsOf(name: string): string[] {
  const text = readFileSync(SOURCES + name, 'utf8');
  const statements = text.match(/^(?:import|export)\s[^;]*?from\s+'[^']+'/gm) ?? [];
  return statements.map((statement) => statement.replaceAll(/\s+/g, ' '));
}
