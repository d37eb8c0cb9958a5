import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCommand } from './to-command.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
  for (const name of ['My Tool', 'bin', 'cwd/sub'])
    mkdirSync(join(folder, name), { recursive: true });
  const programs = ['My Tool/run', 'bin/tool', 'bin/odd name', 'cwd/sub/script'];
  for (const name of programs) {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, 'bin/data'), 'no program');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('what a terminal executes', () => {
  const cases: [string, string[] | undefined, boolean][] = [
    ['echo a b', undefined, true],
    ['echo a b', [], true],
    ['ls | wc -l', [], true],
    ['nothing-of-that-name', [], true],
    ['sub', [], true],
    ['./sub', [], true],
    ['data', [], true],
    ['tool; ls', [], true],
    ['tool', [], false],
    ['odd name', [], false],
    ['FOLDER/My Tool/run', [], false],
    ['FOLDER/My Tool/run now', [], true],
    ['../My Tool/run', [], false],
    ['sub/script', [], false],
    // It is there, so the error is about it, and not about a shell that cannot find half of it.
    ['FOLDER/bin/data', [], false],
    ['nothing-of-that-name', ['a'], false],
    ['echo a', ['b'], false],
  ];
  test.each(cases)('for %j with %j: by the shell is %j', (asked, args, isShellLine) => {
    const command = asked.replace('FOLDER', folder);
    const environment = { PATH: `/usr/bin:${folder}/bin:/bin` };
    const result = toCommand({ command, ...(args && { args }) }, environment, join(folder, 'cwd'));
    const argv = isShellLine ? ['/bin/sh', '-c', command] : [command, ...(args ?? [])];
    expect(result).toEqual({ argv, isShellLine });
  });

  test('is found without a PATH where the system looks', () => {
    expect(toCommand({ command: 'ls' }, {}, folder).isShellLine).toBe(false);
    expect(toCommand({ command: 'tool' }, { PATH: '' }, join(folder, 'bin')).isShellLine).toBe(
      false,
    );
  });
});
