import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { blocksOf } from './documents.ts';

/** Within the repository, so that its packages are found. */
const FOLDER = fileURLToPath(new URL('../../.cache/library-guide/', import.meta.url));

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

it('the program of the library guide prints what its comments say', async () => {
  mkdirSync(FOLDER, { recursive: true });
  const files = blocksOf('ts').filter(({ name }) => name.startsWith('docs/guides/library.md'));
  for (const { text, fileName = '' } of files) writeFileSync(join(FOLDER, fileName), text);
  // The program starts `node`, which has to be the one that runs this.
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['client.ts'], {
    cwd: FOLDER,
    env: { ...process.env, PATH: path },
  });
  const promised = files.flatMap(({ text }) =>
    [...text.matchAll(/; \/\/ (.*), (end_turn)$/gm)].flatMap(([, said, end]) => [said, end]),
  );
  expect(promised).toHaveLength(6);
  expect(stdout).toBe(`${promised.join('\n')}\n`);
  expect(stderr).toBe('');
});
