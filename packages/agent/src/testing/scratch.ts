import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files to begin with, by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A directory of its own for one test; removed with the `using` that holds it. */
export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

/** Makes a directory with some files in it. */
export async function createScratch(files: Files = {}): Promise<Scratch> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-agent-')));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
