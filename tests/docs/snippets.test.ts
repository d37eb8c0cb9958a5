import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { blocksOf } from './documents.ts';

const FOLDER = fileURLToPath(new URL('../../.cache/snippets/', import.meta.url));

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('the TypeScript in the documents', () => {
  it('compiles against the built packages, strictly', () => {
    mkdirSync(FOLDER, { recursive: true });
    const files = blocksOf('ts').map(({ text, fileName }, index) => {
      const file = join(FOLDER, fileName ?? `snippet-${index}.ts`);
      writeFileSync(file, text);
      return file;
    });
    expect(files.length).toBeGreaterThan(0);
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'],
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(problems).toEqual([]);
  });
});
