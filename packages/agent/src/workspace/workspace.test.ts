import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScratch } from '../testing/scratch.ts';
import { openWorkspace } from '../testing/run-tool.ts';
import { Workspace } from './workspace.ts';

test('refuses directories that are relative, missing or no directories', async () => {
  await using scratch = await createScratch({ file: 'x' });
  for (const path of ['', '.', join(scratch.path, 'none'), join(scratch.path, 'file')]) {
    expect(await Workspace.open(path), path).toHaveProperty('refused');
    expect(await Workspace.open(scratch.path, [path]), path).toHaveProperty('refused');
  }
});

test('allows what is inside, also what does not exist yet', async () => {
  await using scratch = await createScratch({ 'a/b.txt': 'x' });
  const workspace = await openWorkspace(scratch.path);
  for (const path of ['a/b.txt', './a/../a/b.txt', 'new/deep/file', '.', scratch.path]) {
    expect(await workspace.guard(path), path).toBe(
      join(scratch.path, path.replace(scratch.path, '')),
    );
  }
});

test('refuses what is outside, also a sibling whose name begins the same', async () => {
  await using scratch = await createScratch({ 'root/a': 'x', 'root-2/a': 'x' });
  const workspace = await openWorkspace(join(scratch.path, 'root'));
  for (const path of ['..', '../root-2/a', '/etc/passwd', 'a/../../root-2/new', 'zero\0byte']) {
    expect(await workspace.guard(path), path).toHaveProperty('refused');
  }
});

test('refuses links that lead outside, at any level, and links that lead nowhere', async () => {
  await using outside = await createScratch({ secret: 'x' });
  await using scratch = await createScratch({ 'dir/a': 'x' });
  await symlink(outside.path, join(scratch.path, 'dir/out'));
  await symlink(join(outside.path, 'secret'), join(scratch.path, 'secret'));
  await symlink(join(outside.path, 'later'), join(scratch.path, 'dangling'));
  await symlink('dir', join(scratch.path, 'alias'));
  const workspace = await openWorkspace(scratch.path);
  for (const path of ['dir/out/secret', 'dir/out/new/file', 'secret', 'dangling', 'alias/out/x']) {
    expect(await workspace.guard(path), path).toHaveProperty('refused');
  }
  expect(await workspace.guard('alias/a')).toBe(join(scratch.path, 'dir/a'));
});

test('allows additional directories, but starts relative paths at its first one', async () => {
  await using other = await createScratch({ a: 'x' });
  await using scratch = await createScratch();
  const workspace = await openWorkspace(scratch.path, [other.path]);
  expect(await workspace.guard(join(other.path, 'a'))).toBe(join(other.path, 'a'));
  expect(await workspace.guard('a')).toBe(join(scratch.path, 'a'));
});

test('works in a directory that is reached by a link', async () => {
  await using scratch = await createScratch({ 'real/a': 'x' });
  await symlink('real', join(scratch.path, 'link'));
  const workspace = await openWorkspace(join(scratch.path, 'link'));
  expect(await workspace.guard('a')).toBe(join(scratch.path, 'real/a'));
  expect(workspace.shown(join(scratch.path, 'real/a'))).toBe('a');
});
