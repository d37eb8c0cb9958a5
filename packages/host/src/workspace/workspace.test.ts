import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RpcError } from '@signalbox/acp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toDigest } from './digests.ts';
import { resolveRoots } from './roots.ts';
import { newTemporaryName } from './temporary-name.ts';
import { Workspace, type FileAccess, type WorkspaceOptions } from './workspace.ts';

let base = '';
let root = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-workspace-')));
  root = join(base, 'app');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true }));

async function createWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  return new Workspace(await resolveRoots(root), options);
}

function put(name: string, content: string | Buffer, mode?: number): string {
  const path = join(root, name);
  writeFileSync(path, content);
  if (mode !== undefined) chmodSync(path, mode);
  return path;
}

interface Failure {
  readonly code: number;
  readonly reason: unknown;
  readonly data: object;
  readonly message: string;
}

/** What a refused request was answered. */
async function failure(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RpcError)) throw new Error('It was not refused', { cause: error });
  const { reason, ...data } = (error.data ?? {}) as { reason?: unknown };
  return { code: error.code, reason, data, message: error.message };
}

describe('reading a file', () => {
  test('returns its text exactly, however lines end', async () => {
    const workspace = await createWorkspace();
    for (const text of [
      '',
      'a',
      'a\n',
      'a\r\nb',
      'a\rb\n\r\n',
      '\ufeffa\n',
      '\ufeff\ufeff',
      'a\0é😀',
    ]) {
      const path = put('f', text);
      expect(await workspace.readTextFile({ path })).toEqual({ content: text });
    }
  });

  test('shows what is on disk at that moment', async () => {
    const workspace = await createWorkspace();
    for (let round = 0; round < 100; round++) {
      const path = put('f', `round ${round}`);
      expect(await workspace.readTextFile({ path })).toEqual({ content: `round ${round}` });
    }
  });

  test('has no more than four files in memory, however many are asked for', async () => {
    const path = put('f', 'text');
    let entered = 0;
    let goOn: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let tellFour: (() => void) | undefined;
    const four = new Promise<void>((resolve) => (tellFour = resolve));
    const workspace = await createWorkspace({
      authorise: () => {
        if (++entered === 4) tellFour?.();
        return held;
      },
    });
    const reads = Array.from({ length: 20 }, () => workspace.readTextFile({ path }));
    await four;
    // Whatever else was on its way has arrived when this has.
    const other = await createWorkspace();
    for (let round = 0; round < 20; round++) await other.readTextFile({ path });
    expect(entered).toBe(4);
    goOn?.();
    expect(await Promise.all(reads)).toHaveLength(20);
  });

  test('takes line and limit, also null', async () => {
    const workspace = await createWorkspace();
    const path = put('f', 'a\nb\nc\n');
    const read = async (line: number | null, limit: number | null): Promise<string> =>
      (await workspace.readTextFile({ path, line, limit })).content;
    expect(await read(null, null)).toBe('a\nb\nc\n');
    expect(await read(2, 1)).toBe('b\n');
    expect(await read(9, null)).toBe('');
    expect(await failure(read(-1, null))).toMatchObject({ code: -32602, reason: 'params_invalid' });
    expect(await failure(read(1, 0.5))).toMatchObject({ code: -32602, reason: 'params_invalid' });
  });

  test('says with which code and reason it is refused', async () => {
    const workspace = await createWorkspace({ fileBytesMax: 10 });
    writeFileSync(join(base, 'outside'), 'secret');
    symlinkSync('../outside', join(root, 'out'));
    mkdirSync(join(root, 'dir'));
    put('latin', Buffer.from([0x61, 0xe9]));
    put('large', '12345678901');
    const cases: [string, number, string][] = [
      ['missing', -32002, 'missing'],
      ['dir', -32602, 'not_a_file'],
      ['out', -32602, 'outside'],
      ['../outside', -32602, 'outside'],
      ['latin', -32603, 'not_text'],
      ['large', -32603, 'too_large'],
    ];
    for (const [name, code, reason] of cases) {
      const path = `${root}/${name}`;
      const refused = await failure(workspace.readTextFile({ path }));
      expect(refused).toMatchObject({ code, reason, data: { path } });
    }
    const missing = await failure(workspace.readTextFile({ path: join(root, 'missing') }));
    expect(missing).toMatchObject({ data: { uri: pathToFileURL(join(root, 'missing')).href } });
    expect(await failure(workspace.readTextFile({ path: 'f' }))).toMatchObject({ code: -32602 });
    expect(await failure(workspace.readTextFile({ path: '' }))).toMatchObject({ code: -32602 });
  });

  test('refuses a huge sparse file without reading it', async () => {
    const workspace = await createWorkspace();
    truncateSync(put('sparse', ''), 2 ** 40);
    const refused = await failure(workspace.readTextFile({ path: join(root, 'sparse') }));
    expect(refused).toMatchObject({ reason: 'too_large' });
  });

  test('refuses pipes and devices at once, while other requests work', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync('/dev/zero', join(root, 'zero'));
    const path = put('f', 'text');
    const workspace = await createWorkspace();
    const odd = ['pipe', 'zero', '.'].map((name) => `${root}/${name}`);
    const [file, ...refused] = await Promise.all([
      workspace.readTextFile({ path }),
      ...odd.map((odd) => failure(workspace.readTextFile({ path: odd }))),
      ...odd.map((odd) => failure(workspace.writeTextFile({ path: odd, content: 'x' }))),
    ]);
    expect(file).toEqual({ content: 'text' });
    const reasons = refused.map((refusal) => 'reason' in refusal && refusal.reason);
    const three = ['not_a_file', 'outside', 'not_a_file'];
    expect(reasons).toEqual([...three, ...three]);
  });

  test('can answer a missing file with the empty text, but not one outside', async () => {
    const workspace = await createWorkspace({ missingFileReadsEmpty: true });
    const path = join(root, 'new');
    expect(await workspace.readTextFile({ path })).toEqual({ content: '' });
    expect(await workspace.writeTextFile({ path, content: 'made' })).toEqual({});
    expect(readFileSync(path, 'utf8')).toBe('made');
    const outside = await failure(workspace.readTextFile({ path: join(base, 'nothing') }));
    expect(outside).toMatchObject({ code: -32602, reason: 'outside' });
  });
});

describe('writing a file', () => {
  test('writes exactly the content, makes directories and leaves nothing else', async () => {
    const workspace = await createWorkspace();
    const path = join(root, 'new/deep/f');
    for (const content of ['long text\r\n', '', '\ufeffa\rb', 'short', '\ufeff\ufeff😀']) {
      expect(await workspace.writeTextFile({ path, content })).toEqual({});
      expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
    }
    expect(readdirSync(join(root, 'new/deep'))).toEqual(['f']);
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test('keeps the permissions and the owner', async () => {
    const workspace = await createWorkspace();
    for (const mode of [0o755, 0o600, 0o640]) {
      const path = put(`f${mode}`, 'old', mode);
      // Only the system's administrator may give the file away, so that the owner differs.
      if (process.getuid?.() === 0) chownSync(path, 12345, 54321);
      const before = statSync(path);
      await workspace.writeTextFile({ path, content: 'new' });
      const after = statSync(path);
      expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    }
  });

  test('goes to the target of a link within the roots and keeps the link', async () => {
    const workspace = await createWorkspace();
    put('target', 'old');
    symlinkSync('target', join(root, 'link'));
    symlinkSync('made', join(root, 'dangling'));
    await workspace.writeTextFile({ path: join(root, 'link'), content: 'new' });
    await workspace.writeTextFile({ path: join(root, 'dangling'), content: 'made' });
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(root, 'dangling')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, 'target'), 'utf8')).toBe('new');
    expect(readFileSync(join(root, 'made'), 'utf8')).toBe('made');
  });

  test('never reaches the other name of a file, outside', async () => {
    const workspace = await createWorkspace();
    writeFileSync(join(base, 'outside'), 'old');
    const path = join(root, 'hard');
    linkSync(join(base, 'outside'), path);
    await workspace.writeTextFile({ path, content: 'new' });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('old');
  });

  test('refuses a write-protected file and what cannot be written as UTF-8', async () => {
    const workspace = await createWorkspace();
    const path = put('f', 'old', 0o444);
    const refused = await failure(workspace.writeTextFile({ path, content: 'new' }));
    expect(refused).toMatchObject({ code: -32603, reason: 'no_access' });
    const broken = await failure(workspace.writeTextFile({ path, content: '\udc00' }));
    expect(broken).toMatchObject({ code: -32602, reason: 'params_invalid' });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('writes one file in the order of the requests', async () => {
    const workspace = await createWorkspace();
    const path = join(root, 'f');
    const contents = Array.from({ length: 20 }, (_, index) => `content ${index}`);
    await Promise.all(contents.map((content) => workspace.writeTextFile({ path, content })));
    expect(readFileSync(path, 'utf8')).toBe('content 19');
    expect(readdirSync(root)).toEqual(['f']);
  });

  test('removes what dead writers left, and nothing of running ones', async () => {
    const workspace = await createWorkspace();
    const own = newTemporaryName();
    // No process has this start time, so whoever had the pid has ended.
    const dead = own.replace(/-(\d+|x)-([0-9a-f]+)$/, '-1-$2');
    const foreign = own.replace(/write-[0-9a-f]{8}/, 'write-00000000');
    const oldForeign = foreign.replace(/[0-9a-f]{12}$/, '0123456789ab');
    for (const name of [own, dead, foreign, oldForeign, '.signalbox-write-mine']) put(name, 'x');
    utimesSync(join(root, oldForeign), 1, 1);
    await workspace.writeTextFile({ path: join(root, 'f'), content: '' });
    const left = ['f', own, foreign, '.signalbox-write-mine'];
    expect(readdirSync(root).sort()).toEqual(left.sort());
  });
});

describe('a file that changed since the session saw it', () => {
  test('is not overwritten until it is read again', async () => {
    const workspace = await createWorkspace();
    const path = put('f', 'one');
    await workspace.readTextFile({ path, line: 5 });
    put('f', 'theirs');
    for (const content of ['mine', 'mine again']) {
      expect(await failure(workspace.writeTextFile({ path, content }))).toMatchObject({
        code: -32603,
        reason: 'conflict',
        message: expect.stringMatching(
          /changed since you last read or wrote it; read it again/,
        ) as string,
        data: {
          path,
          seenDigest: toDigest(Buffer.from('one')),
          currentDigest: toDigest(Buffer.from('theirs')),
        },
      });
    }
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    await workspace.readTextFile({ path });
    await workspace.writeTextFile({ path, content: 'merged' });
    await workspace.writeTextFile({ path, content: 'merged again' });
    expect(readFileSync(path, 'utf8')).toBe('merged again');
  });

  test('is a conflict as well when it was removed, or made', async () => {
    const workspace = await createWorkspace();
    const path = put('f', 'one');
    await workspace.readTextFile({ path });
    unlinkSync(path);
    const write = { path, content: 'mine' };
    expect(await failure(workspace.writeTextFile(write))).toMatchObject({ reason: 'conflict' });
    expect(await failure(workspace.readTextFile({ path }))).toMatchObject({ reason: 'missing' });
    put('f', 'theirs');
    expect(await failure(workspace.writeTextFile(write))).toMatchObject({ reason: 'conflict' });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  test('may be overwritten when the session never saw it', async () => {
    const workspace = await createWorkspace();
    const path = put('f', 'theirs');
    await workspace.writeTextFile({ path, content: 'mine' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('is the same file by every path', async () => {
    const workspace = await createWorkspace();
    const path = put('f', 'one');
    symlinkSync('f', join(root, 'link'));
    await workspace.readTextFile({ path: join(root, 'link') });
    put('f', 'theirs');
    const refused = await failure(workspace.writeTextFile({ path, content: 'mine' }));
    expect(refused).toMatchObject({ reason: 'conflict' });
  });

  test('is not overwritten either when it changes while permission is asked', async () => {
    const path = put('f', 'one');
    const workspace = await createWorkspace({ authorise: () => void put('f', 'theirs') });
    const refused = await failure(workspace.writeTextFile({ path, content: 'mine' }));
    expect(refused).toMatchObject({ code: -32603, reason: 'conflict' });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(root)).toEqual(['f']);
  });
});

describe('an access', () => {
  test('is judged before and told after, with the same facts', async () => {
    const judged: FileAccess[] = [];
    const told: FileAccess[] = [];
    const workspace = await createWorkspace({
      authorise: (access) => void judged.push(access),
      onAccess: (access) => void told.push(access),
    });
    symlinkSync('f', join(root, 'link'));
    const path = join(root, 'link');
    await workspace.writeTextFile({ path, content: 'é' });
    await workspace.readTextFile({ path, limit: 0 });
    const digest = toDigest(Buffer.from('é'));
    const facts = { path, realPath: join(root, 'f'), bytes: 2, digestAfter: digest };
    expect(told).toEqual([
      { kind: 'write', ...facts, digestBefore: null },
      { kind: 'read', ...facts, digestBefore: digest },
    ]);
    expect(judged).toEqual(told);
  });

  test('does not happen when it is refused', async () => {
    const told: FileAccess[] = [];
    const workspace = await createWorkspace({
      authorise: () => Promise.reject(new RpcError(-32001, 'No')),
      onAccess: (access) => void told.push(access),
    });
    const path = put('f', 'old');
    expect(await failure(workspace.writeTextFile({ path, content: 'new' }))).toMatchObject({
      code: -32001,
    });
    expect(await failure(workspace.readTextFile({ path }))).toMatchObject({ code: -32001 });
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(told).toEqual([]);
  });
});
