import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RpcError } from '@signalbox/acp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveRoots } from './roots.ts';
import { Workspace } from './workspace.ts';

let base = '';
let root = '';
const children = new Set<ReturnType<typeof spawn>>();

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-races-')));
  root = join(base, 'app');
  mkdirSync(root);
});
afterEach(() => {
  // Only after a failed test is one of them still there.
  for (const child of children) child.kill('SIGKILL');
  rmSync(base, { recursive: true });
});

/** Runs a script in a process of its own, which ends with the test. */
function run(script: string, args: readonly string[]): ReturnType<typeof spawn> {
  const options = ['--conditions=@signalbox/source', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, [...options, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Puts a link to the outside in the place of a directory or file, and back, as fast as it can. */
const SWAPPER = `
  import { existsSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
  const [root, name, outside] = process.argv.slice(1);
  const [dir, aside, link] = [name, 'aside', 'link'].map((name) => root + '/' + name);
  symlinkSync(outside, link);
  console.log('swapping');
  const end = performance.now() + 50_000;
  while (performance.now() < end) {
    try {
      renameSync(dir, aside);
      renameSync(link, dir);
      renameSync(dir, link);
      renameSync(aside, dir);
      // A write may have put a file in the place of the link.
      if (!lstatSync(link).isSymbolicLink()) repair();
    } catch {
      repair();
    }
  }
  // A write has made the name while it was away, and may still be at it.
  function repair() {
    try {
      if (existsSync(aside)) {
        rmSync(dir, { recursive: true, force: true });
        renameSync(aside, dir);
      }
      rmSync(link, { recursive: true, force: true });
      symlinkSync(outside, link);
    } catch {
      repair();
    }
  }
`;

describe('a name that is swapped for a link while it is used', () => {
  const cases = [
    { name: 'dir', target: '' },
    { name: 'f', target: '/f' },
  ];
  const options = { timeout: 60_000 };
  test.each(cases)(
    'never lets an access of $name get outside',
    options,
    async ({ name, target }) => {
      const outside = join(base, 'outside');
      mkdirSync(outside);
      mkdirSync(join(root, 'dir'));
      for (const folder of [outside, join(root, 'dir')]) writeFileSync(join(folder, 'f'), folder);
      writeFileSync(join(root, 'f'), root);
      const swapper = run(SWAPPER, [root, name, outside + target]);
      if (swapper.stdout === null) throw new Error('The swapper has no output');
      await once(swapper.stdout, 'data');
      const workspace = new Workspace(await resolveRoots(root));
      const outcomes = new Map<unknown, number>();
      const count = (what: unknown): unknown => outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
      // That some of each kind have come up shows that it is a race.
      const isRace = (): boolean =>
        ['written', 'read', 'outside'].every((outcome) => outcomes.has(outcome));
      for (let round = 0; round < 1000 || !isRace(); round++) {
        const known = target === '' ? join(root, 'dir/f') : join(root, 'f');
        const isNew = target === '' && round % 3 === 0;
        const path = isNew ? join(root, `dir/new-${round}/f`) : known;
        const content = `${root} ${round}`;
        const write = workspace.writeTextFile({ path, content });
        await write.then(
          () => count('written'),
          (error: unknown) => count(reasonOf(error)),
        );
        await workspace.readTextFile({ path: known }).then(
          (read) => {
            expect(read.content.startsWith(root)).toBe(true);
            count('read');
          },
          (error: unknown) => count(reasonOf(error)),
        );
      }
      swapper.kill('SIGKILL');
      expect(readdirSync(outside)).toEqual(['f']);
      expect(readFileSync(join(outside, 'f'), 'utf8')).toBe(outside);
      // Only these are fair answers.
      for (const reason of outcomes.keys()) {
        expect(['written', 'read', 'outside', 'missing', 'changed', 'conflict']).toContain(reason);
      }
    },
  );
});

function reasonOf(error: unknown): unknown {
  if (!(error instanceof RpcError)) throw error;
  return (error.data as { reason?: unknown }).reason;
}

/** Writes 20 MiB of one letter over 20 MiB of another, for ever. */
const WRITER = `
  const [source, root] = process.argv.slice(1);
  const { resolveRoots } = await import(source + '/roots.ts');
  const { Workspace } = await import(source + '/workspace.ts');
  const workspace = new Workspace(await resolveRoots(root));
  for (let round = 0; ; round++) {
    const content = 'ab'[round % 2].repeat(20 * 1024 * 1024);
    await workspace.writeTextFile({ path: root + '/f', content });
    console.log('written');
  }
`;

describe('a writer that is killed', () => {
  test('leaves the old or the new content', { timeout: 120_000 }, async () => {
    const source = new URL('.', import.meta.url).pathname.replace(/\/$/, '');
    const path = join(root, 'f');
    const size = 20 * 1024 * 1024;
    for (let round = 0; round < 8; round++) {
      const child = run(WRITER, [source, root]);
      if (child.stdout === null) throw new Error('The writer has no output');
      await once(child.stdout, 'data');
      // The temporary file has just been made or grown when the directory reports it.
      const watcher = watch(root);
      for (let event = 0; event <= round; event++) await once(watcher, 'change');
      watcher.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
      const content = readFileSync(path);
      expect(content.length).toBe(size);
      expect(content.every((byte) => byte === content[0])).toBe(true);
    }
    const workspace = new Workspace(await resolveRoots(root));
    await workspace.writeTextFile({ path: join(root, 'g'), content: '' });
    expect(readdirSync(root).sort()).toEqual(['f', 'g']);
    expect(existsSync(path)).toBe(true);
  });
});
