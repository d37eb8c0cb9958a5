import { chmod, lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepare, runTool } from '../testing/run-tool.ts';
import { createScratch } from '../testing/scratch.ts';
import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { moveTool } from './move.ts';
import { writeTool } from './write.ts';

describe('edit', () => {
  const CASES = [
    { name: 'keeps CRLF line ends', before: 'a\r\nb\r\n', after: 'a\r\nc\r\n', old: 'b', new: 'c' },
    {
      name: 'matches lines of a CRLF file and writes CRLF',
      before: 'a\r\nb\r\n',
      after: 'x\r\ny\r\n',
      old: 'a\nb\n',
      new: 'x\ny\n',
    },
    { name: 'keeps a byte order mark', before: '\uFEFFa', after: '\uFEFFb', old: 'a', new: 'b' },
    { name: 'adds no last newline', before: 'one\ntwo', after: 'one\n2', old: 'two', new: '2' },
    { name: 'keeps mixed line ends', before: 'a\r\nb\nc', after: 'a\r\nB\nc', old: 'b', new: 'B' },
    { name: 'can delete text', before: 'abc', after: 'ac', old: 'b', new: '' },
    { name: 'takes patterns literally', before: 'a.c', after: '$&', old: 'a.c', new: '$&' },
  ];
  test.each(CASES)('$name', async ({ before, after, old, new: newText }) => {
    await using scratch = await createScratch({ f: before });
    const outcome = await runTool(editTool, { path: 'f', oldText: old, newText }, scratch.path);
    expect(outcome).toMatchObject({
      isError: false,
      content: [{ type: 'diff', path: join(scratch.path, 'f'), oldText: before, newText: after }],
    });
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe(after);
  });

  const REFUSED = [
    { why: 'does not occur', input: { oldText: 'x', newText: 'y' } },
    { why: 'occurs 2 times', input: { oldText: 'a', newText: 'b' } },
    { why: 'is empty', input: { oldText: '', newText: 'b' } },
    { why: 'are the same', input: { oldText: 'a', newText: 'a' } },
    { why: 'lacks "newText"', input: { oldText: 'a' } },
    { why: 'must be a string', input: { oldText: 'a', newText: 5 } },
    { why: 'unknown member', input: { oldText: 'a', newText: 'b', all: true } },
  ];
  test.each(REFUSED)('changes nothing when it is refused: $why', async ({ why, input }) => {
    await using scratch = await createScratch({ f: 'a a' });
    const outcome = await runTool(editTool, { path: 'f', ...input }, scratch.path);
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain(why);
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe('a a');
  });

  test('replaces every occurrence when asked to', async () => {
    await using scratch = await createScratch({ f: 'a a' });
    await runTool(
      editTool,
      { path: 'f', oldText: 'a', newText: 'b', replaceAll: true },
      scratch.path,
    );
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe('b b');
  });

  test('keeps the mode of the file and leaves nothing beside it', async () => {
    await using scratch = await createScratch({ f: 'a' });
    await chmod(join(scratch.path, 'f'), 0o755);
    await runTool(editTool, { path: 'f', oldText: 'a', newText: 'b' }, scratch.path);
    expect((await stat(join(scratch.path, 'f'))).mode & 0o777).toBe(0o755);
    expect(await readdir(scratch.path)).toEqual(['f']);
  });

  test('does not overwrite what changed after the diff was shown', async () => {
    await using scratch = await createScratch({ f: 'a' });
    const input = { path: 'f', oldText: 'a', newText: 'b' };
    const prepared = await prepare(editTool, input, scratch.path);
    await writeFile(join(scratch.path, 'f'), 'a, and more');
    const outcome = await prepared.run(new AbortController().signal);
    expect(outcome).toMatchObject({ isError: true, text: 'f has been changed meanwhile' });
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe('a, and more');
  });

  test('refuses files that are not text', async () => {
    await using scratch = await createScratch({
      latin1: Buffer.from([0x61, 0xe4]),
      zero: Buffer.from([0x61, 0]),
    });
    for (const path of ['latin1', 'zero']) {
      const outcome = await runTool(editTool, { path, oldText: 'a', newText: 'b' }, scratch.path);
      expect(outcome.text).toContain('not a text file');
    }
  });

  test('refuses to follow a link out of the workspace', async () => {
    await using outside = await createScratch({ f: 'a' });
    await using scratch = await createScratch();
    await symlink(join(outside.path, 'f'), join(scratch.path, 'f'));
    const outcome = await runTool(
      editTool,
      { path: 'f', oldText: 'a', newText: 'b' },
      scratch.path,
    );
    expect(outcome.text).toContain('outside');
    expect(await readFile(join(outside.path, 'f'), 'utf8')).toBe('a');
  });
});

describe('write', () => {
  test('creates a file with its directories, and shows it as new', async () => {
    await using scratch = await createScratch();
    const path = join(scratch.path, 'a/b/f');
    const outcome = await runTool(writeTool, { path: 'a/b/f', text: 'x\r\n' }, scratch.path);
    expect(outcome.content).toEqual([{ type: 'diff', path, oldText: null, newText: 'x\r\n' }]);
    expect(await readFile(path, 'utf8')).toBe('x\r\n');
    expect(await readdir(join(scratch.path, 'a/b'))).toEqual(['f']);
  });

  test('replaces a file only when asked to', async () => {
    await using scratch = await createScratch({ f: 'old' });
    const input = { path: 'f', text: 'new' };
    expect((await runTool(writeTool, input, scratch.path)).text).toContain('exists already');
    const outcome = await runTool(writeTool, { ...input, overwrite: true }, scratch.path);
    expect(outcome.content).toMatchObject([{ oldText: 'old', newText: 'new' }]);
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe('new');
  });

  test('does not replace a file that appeared after it was prepared', async () => {
    await using scratch = await createScratch();
    const prepared = await prepare(writeTool, { path: 'f', text: 'ours' }, scratch.path);
    await writeFile(join(scratch.path, 'f'), 'theirs');
    expect((await prepared.run(new AbortController().signal)).text).toContain('exists already');
    expect(await readFile(join(scratch.path, 'f'), 'utf8')).toBe('theirs');
    expect(await readdir(scratch.path)).toEqual(['f']);
  });
});

describe('delete', () => {
  test('deletes a file and shows what is lost', async () => {
    await using scratch = await createScratch({ f: 'text' });
    const prepared = await prepare(deleteTool, { path: 'f' }, scratch.path);
    const path = join(scratch.path, 'f');
    expect(prepared.preview).toEqual([{ type: 'diff', path, oldText: 'text', newText: '' }]);
    expect((await prepared.run(new AbortController().signal)).isError).toBe(false);
    expect(await readdir(scratch.path)).toEqual([]);
  });

  test('deletes a link, not what it leads to', async () => {
    await using outside = await createScratch({ f: 'a' });
    await using scratch = await createScratch();
    await symlink(join(outside.path, 'f'), join(scratch.path, 'link'));
    expect((await runTool(deleteTool, { path: 'link' }, scratch.path)).isError).toBe(false);
    expect(await readFile(join(outside.path, 'f'), 'utf8')).toBe('a');
    await expect(lstat(join(scratch.path, 'link'))).rejects.toThrow('ENOENT');
  });

  test('refuses the workspace itself, what is missing and a full directory', async () => {
    await using scratch = await createScratch({ 'd/f': 'a' });
    for (const path of ['.', 'none', 'd', '..']) {
      expect((await runTool(deleteTool, { path }, scratch.path)).isError, path).toBe(true);
    }
    expect(await readdir(join(scratch.path, 'd'))).toEqual(['f']);
  });
});

describe('move', () => {
  test('moves a file into a directory that is made for it', async () => {
    await using scratch = await createScratch({ a: 'x' });
    const outcome = await runTool(moveTool, { from: 'a', to: 'd/b' }, scratch.path);
    expect(outcome.text).toBe('Moved a to d/b');
    expect(await readFile(join(scratch.path, 'd/b'), 'utf8')).toBe('x');
  });

  test('replaces nothing and leaves the workspace at neither end', async () => {
    await using outside = await createScratch({ secret: 'x' });
    await using scratch = await createScratch({ a: 'a', b: 'b' });
    await mkdir(join(scratch.path, 'd'));
    await symlink(outside.path, join(scratch.path, 'd/out'));
    const inputs = [
      { from: 'a', to: 'b' },
      { from: 'a', to: '../a' },
      { from: 'a', to: 'd/out/a' },
      { from: 'd/out/secret', to: 'c' },
      { from: 'none', to: 'c' },
      { from: '.', to: 'd/c' },
    ];
    for (const input of inputs) {
      const outcome = await runTool(moveTool, input, scratch.path);
      expect(outcome.isError, JSON.stringify(input)).toBe(true);
    }
    expect(await readFile(join(scratch.path, 'b'), 'utf8')).toBe('b');
    expect(await readdir(outside.path)).toEqual(['secret']);
  });
});
