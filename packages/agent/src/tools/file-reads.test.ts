import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';
import { createScratch } from '../testing/scratch.ts';
import { listTool } from './list.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { thinkTool } from './think.ts';

describe('read', () => {
  test('gives the exact text', async () => {
    await using scratch = await createScratch({ f: '\uFEFFa\r\n\tb' });
    expect((await runTool(readTool, { path: 'f' }, scratch.path)).text).toBe('\uFEFFa\r\n\tb');
  });

  test('gives some of the lines', async () => {
    await using scratch = await createScratch({ f: 'a\nb\nc\nd\n' });
    const outcome = await runTool(readTool, { path: 'f', line: 2, limit: 2 }, scratch.path);
    expect(outcome.text).toBe('b\nc\n');
  });

  test('cuts a long text off and says so', async () => {
    await using scratch = await createScratch({ f: 'x'.repeat(300_000) });
    const outcome = await runTool(readTool, { path: 'f' }, scratch.path);
    expect(outcome.text.length).toBeLessThan(270_000);
    expect(outcome.output).toMatchObject({ isTruncated: true });
  });

  test('refuses what is no text file in the workspace, without waiting for a pipe', async () => {
    await using outside = await createScratch({ secret: 'x' });
    await using scratch = await createScratch({ 'd/f': 'x', binary: Buffer.from([0xff, 0xfe]) });
    await symlink(join(outside.path, 'secret'), join(scratch.path, 'link'));
    execFileSync('mkfifo', [join(scratch.path, 'pipe')]);
    for (const path of ['none', 'd', 'binary', 'link', 'pipe', '/etc/passwd']) {
      expect((await runTool(readTool, { path }, scratch.path)).isError, path).toBe(true);
    }
  });
});

describe('list', () => {
  test('lists a directory in order, and all below it without what is not the work', async () => {
    await using scratch = await createScratch({
      'b.js': '',
      'a/c.js': '',
      '.git/config': '',
      'node_modules/x/index.js': '',
    });
    const flat = await runTool(listTool, {}, scratch.path);
    expect(flat.text.split('\n')).toEqual(['.git/', 'a/', 'b.js', 'node_modules/']);
    const deep = await runTool(listTool, { recursive: true }, scratch.path);
    expect(deep.text.split('\n')).toEqual(['a/', 'a/c.js', 'b.js']);
  });

  test('refuses a file and a directory outside', async () => {
    await using scratch = await createScratch({ f: '' });
    for (const path of ['f', '..', 'none']) {
      expect((await runTool(listTool, { path }, scratch.path)).isError, path).toBe(true);
    }
  });
});

describe('search', () => {
  test('finds literal text and regular expressions by line', async () => {
    await using scratch = await createScratch({ 'a.js': 'one\ntwo(1)\n', 'd/b.js': 'two(2)' });
    const literal = await runTool(searchTool, { text: 'two(' }, scratch.path);
    expect(literal.text.split('\n')).toEqual(['a.js:2: two(1)', 'd/b.js:1: two(2)']);
    expect(literal.locations).toContainEqual({ path: join(scratch.path, 'a.js'), line: 2 });
    const pattern = await runTool(searchTool, { text: 'two\\(\\d', regex: true }, scratch.path);
    expect(pattern.text).toBe(literal.text);
  });

  test('skips repositories, dependencies and binary files', async () => {
    await using scratch = await createScratch({
      '.git/a': 'needle',
      'node_modules/a': 'needle',
      binary: Buffer.from('needle\0'),
    });
    expect((await runTool(searchTool, { text: 'needle' }, scratch.path)).text).toBe('No match');
  });

  test('bounds what it gives', async () => {
    await using scratch = await createScratch({ f: 'x\n'.repeat(1000) });
    const outcome = await runTool(searchTool, { text: 'x' }, scratch.path);
    expect(outcome.output).toMatchObject({ isTruncated: true });
    expect((outcome.output?.['matches'] as unknown[]).length).toBe(200);
  });

  test('gives up on a regular expression that would never end', async () => {
    await using scratch = await createScratch({ f: `${'a'.repeat(40)}!` });
    const outcome = await runTool(searchTool, { text: '^(a+)+$', regex: true }, scratch.path);
    expect(outcome).toMatchObject({ isError: true, text: 'the regular expression takes too long' });
  });

  test('refuses a broken regular expression and an empty text', async () => {
    await using scratch = await createScratch();
    for (const text of ['(', '']) {
      expect((await runTool(searchTool, { text, regex: true }, scratch.path)).isError).toBe(true);
    }
  });
});

test('think gives the thought back and does nothing else', async () => {
  await using scratch = await createScratch();
  const outcome = await runTool(thinkTool, { thought: 'hm' }, scratch.path);
  expect(outcome).toEqual({ isError: false, text: 'hm', output: { thought: 'hm' } });
});
