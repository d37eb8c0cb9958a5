import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { METHOD_TABLE } from './methods.gen.ts';
import { VALIDATORS } from './validators.gen.ts';

const GENERATOR = fileURLToPath(new URL('../../../../../scripts/generate.mjs', import.meta.url));

test('the committed sources are what the schema gives', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [GENERATOR, '--check']);
  expect(stderr).toBe('');
});

test('the validators import nothing', async () => {
  const source = await readFile(new URL('./validators.gen.ts', import.meta.url), 'utf8');
  expect(source).not.toMatch(/^import |\bimport\(|\brequire\(/m);
});

test.each(Object.entries(METHOD_TABLE))('%s has a validator for all it carries', (_, method) => {
  expect(VALIDATORS[method.params]).toBeTypeOf('function');
  expect('result' in method).toBe(method.kind === 'request');
  if ('result' in method) expect(VALIDATORS[method.result]).toBeTypeOf('function');
});
