import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guard, guardDirectory, isRefusal } from './guard.ts';
import { resolveRoots, type Roots } from './roots.ts';

let base = '';
let roots: Roots;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-guard-')));
  mkdirSync(join(base, 'app/sub/deep'), { recursive: true });
  mkdirSync(join(base, 'application'));
  mkdirSync(join(base, 'more'));
  for (const file of ['app/file', 'app/sub/file', 'application/secret', 'more/file']) {
    writeFileSync(join(base, file), file);
  }
  const links: Record<string, string> = {
    alias: 'app',
    'app/in': 'sub/file',
    'app/in-dir': 'sub',
    'app/absolute-in': join(base, 'app/sub/file'),
    'app/out': '../application/secret',
    'app/out-dir': '../application',
    'app/root': '/',
    'app/out-and-in': '../application/../app/file',
    'app/dangling-in': 'sub/new',
    'app/dangling-out': '../application/new',
    'app/loop': 'loop',
    'app/to-more': join(base, 'more'),
    'application/back': '../app',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(base, name));
  roots = await resolveRoots(join(base, 'app'), [join(base, 'more')]);
});
afterEach(() => rmSync(base, { recursive: true }));

/** The real path below the test's folder, or the reason of the refusal. */
async function judge(path: string, intent: 'read' | 'write'): Promise<string> {
  const result = await guard(roots, path, intent);
  return isRefusal(result) ? `! ${result.reason}` : result.realPath.slice(base.length + 1);
}

describe('the guard', () => {
  /** Path below the folder, then the verdict for reading and for writing. */
  const cases: [string, string, string][] = [
    ['app/file', 'app/file', 'app/file'],
    ['app//./sub/../file', 'app/file', 'app/file'],
    ['alias/file', 'app/file', 'app/file'],
    ['more/file', 'more/file', 'more/file'],
    ['app/new', '! missing', 'app/new'],
    ['app/new/deep/file', '! missing', 'app/new/deep/file'],
    ['app/in', 'app/sub/file', 'app/sub/file'],
    ['app/absolute-in', 'app/sub/file', 'app/sub/file'],
    ['app/in-dir/file', 'app/sub/file', 'app/sub/file'],
    ['app/in-dir/../file', 'app/file', 'app/file'],
    ['app/in-dir/new', '! missing', 'app/sub/new'],
    ['app/dangling-in', '! missing', 'app/sub/new'],
    ['app/to-more/file', 'more/file', 'more/file'],
    ['app/out-and-in', 'app/file', 'app/file'],
    ['application/back/file', 'app/file', 'app/file'],
    ['app/../app/file', 'app/file', 'app/file'],
    ['app', '! not_a_file', '! not_a_file'],
    ['app/', '! not_a_file', '! not_a_file'],
    ['app/sub', '! not_a_file', '! not_a_file'],
    ['app/file/', '! not_a_directory', '! not_a_directory'],
    ['app/file/x', '! not_a_directory', '! not_a_directory'],
    ['app/new/', '! missing', '! missing'],
    ['app/new/../file', '! missing', '! missing'],
    ['app/loop', '! link_loop', '! link_loop'],
    ['app/loop/x', '! link_loop', '! link_loop'],
    [`app/${'x'.repeat(300)}`, '! path_invalid', '! path_invalid'],
    ['app/../application/secret', '! outside', '! outside'],
    ['application/secret', '! outside', '! outside'],
    ['application/nothing', '! outside', '! outside'],
    ['application/secret/x', '! outside', '! outside'],
    ['appl', '! outside', '! outside'],
    ['nothing/at/all', '! outside', '! outside'],
    ['app/..', '! outside', '! outside'],
    ['app/sub/../../application/secret', '! outside', '! outside'],
    ['app/out', '! outside', '! outside'],
    ['app/out-dir/secret', '! outside', '! outside'],
    ['app/out-dir/new', '! outside', '! outside'],
    ['app/out-dir/nothing/new', '! outside', '! outside'],
    ['app/root/etc/passwd', '! outside', '! outside'],
    ['app/root/tmp/x', '! outside', '! outside'],
    ['app/root/proc/self/root/etc/passwd', '! outside', '! outside'],
    ['app/dangling-out', '! outside', '! outside'],
    ['app/dangling-out/x', '! outside', '! outside'],
  ];
  test.each(cases)('judges %s as %s for reading and %s for writing', async (path, read, write) => {
    expect(await judge(`${base}/${path}`, 'read')).toBe(read);
    expect(await judge(`${base}/${path}`, 'write')).toBe(write);
  });

  test.each(['', 'app/file', './app/file', '~/file', '/a\0b', '/\ud800', `/${'x/'.repeat(2100)}`])(
    'refuses %j, which is no absolute path',
    async (path) => {
      expect(await judge(path, 'read')).toBe('! path_invalid');
      expect(await judge(path, 'write')).toBe('! path_invalid');
    },
  );

  test('refuses pipes, sockets and devices', async () => {
    execFileSync('mkfifo', [join(base, 'app/pipe')]);
    symlinkSync('pipe', join(base, 'app/to-pipe'));
    for (const name of ['pipe', 'to-pipe']) {
      expect(await judge(join(base, 'app', name), 'read')).toBe('! not_a_file');
      expect(await judge(join(base, 'app', name), 'write')).toBe('! not_a_file');
    }
    roots = await resolveRoots('/dev');
    const zero = await guard(roots, '/dev/zero', 'read');
    expect(isRefusal(zero) && zero.reason).toBe('not_a_file');
  });

  test('accepts a file that has another name outside', async () => {
    linkSync(join(base, 'application/secret'), join(base, 'app/hard'));
    expect(await judge(join(base, 'app/hard'), 'read')).toBe('app/hard');
    expect(await judge(join(base, 'app/hard'), 'write')).toBe('app/hard');
  });

  test('refuses everything when the root has gone', async () => {
    rmSync(join(base, 'app'), { recursive: true });
    expect(await judge(join(base, 'app/file'), 'read')).toBe('! missing');
    expect(await judge(join(base, 'app/file'), 'write')).toBe('! missing');
    symlinkSync('application', join(base, 'app'));
    expect(await judge(join(base, 'app/secret'), 'read')).toBe('! outside');
    expect(await judge(join(base, 'app/new'), 'write')).toBe('! outside');
  });

  test('judges a directory to work in by where it leads', async () => {
    const judgeDirectory = async (path: string): Promise<string> => {
      const result = await guardDirectory(roots, path);
      return isRefusal(result) ? `! ${result.reason}` : result.realPath.slice(base.length + 1);
    };
    const verdicts = ['app', 'alias/in-dir/', 'app/file', 'app/new', 'app/root', 'app/out-dir'];
    expect(await Promise.all(verdicts.map((path) => judgeDirectory(join(base, path))))).toEqual([
      'app',
      'app/sub',
      '! not_a_directory',
      '! missing',
      '! outside',
      '! outside',
    ]);
    expect(await judgeDirectory('app')).toBe('! path_invalid');
  });

  test('agrees with the kernel on where any path leads', async () => {
    const name = fc.constantFrom(
      ...['app', 'alias', 'application', 'more', 'sub', 'deep', 'file', 'secret', 'new', 'in'],
      ...['in-dir', 'absolute-in', 'out', 'out-dir', 'root', 'out-and-in', 'dangling-in', 'back'],
      ...['dangling-out', 'loop', 'to-more', '..', '..', '.', '', 'etc', 'tmp'],
    );
    const isInside = (path: string): boolean => /^\/(app|more)(\/|$)/.test(path.slice(base.length));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('app/', 'app/', ''),
        fc.array(name),
        async (start, names) => {
          const path = `${base}/${start}${names.join('/')}`;
          const [read, write] = [
            await guard(roots, path, 'read'),
            await guard(roots, path, 'write'),
          ];
          let real: string | undefined;
          try {
            real = realpathSync.native(path);
          } catch {
            // It does not exist: it cannot be read, and may be made only within the roots.
            expect(isRefusal(read)).toBe(true);
            if (isRefusal(write)) return;
            expect(write.exists).toBe(false);
            expect(isInside(realpathSync.native(write.directory))).toBe(true);
            expect(write.realPath.startsWith(`${write.directory}/`)).toBe(true);
            return;
          }
          const isAllowed = real.startsWith(base) && isInside(real) && statSync(real).isFile();
          expect(isRefusal(read) ? undefined : read.realPath).toBe(isAllowed ? real : undefined);
          expect(isRefusal(write) ? undefined : write.realPath).toBe(isAllowed ? real : undefined);
          if (isRefusal(read) && !(real.startsWith(base) && isInside(real))) {
            expect(read.reason).toBe('outside');
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('the roots of a session', () => {
  test('are known by both spellings', async () => {
    const [root] = await resolveRoots(join(base, 'alias'));
    expect(root).toEqual({ path: join(base, 'alias'), realPath: join(base, 'app') });
    roots = [root];
    expect(await judge(join(base, 'alias/file'), 'read')).toBe('app/file');
    expect(await judge(join(base, 'app/file'), 'read')).toBe('app/file');
    expect(await judge(join(base, 'more/file'), 'read')).toBe('! outside');
  });

  test('are each taken once', async () => {
    const all = await resolveRoots(join(base, 'app'), [join(base, 'alias'), join(base, 'more')]);
    expect(all.map(({ path }) => path)).toEqual([join(base, 'app'), join(base, 'more')]);
  });

  test.each([
    ['', 'absolute'],
    ['app', 'absolute'],
    ['BASE/nothing', 'does not exist'],
    ['BASE/app/file', 'not a directory'],
    ['BASE/app/dangling-in', 'does not exist'],
  ])('must exist, unlike %j', async (path, why) => {
    const cwd = path.replace('BASE', base);
    const error = { code: 'cwd_invalid', message: expect.stringContaining(why) as string };
    await expect(resolveRoots(cwd)).rejects.toMatchObject(error);
    await expect(resolveRoots(base, [cwd])).rejects.toMatchObject(error);
  });

  test('may be the root of the file system', async () => {
    roots = await resolveRoots('/');
    const result = await guard(roots, join(base, 'app/file'), 'read');
    expect(isRefusal(result)).toBe(false);
  });
});
