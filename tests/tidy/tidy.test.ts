import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Files that git knows or would take. */
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trimEnd()
  .split('\n')
  .filter((file) => !file.startsWith('tests/tidy/'));

const SOURCES = FILES.filter((file) => /\.(ts|mjs|js|md|json|yml)$/.test(file));

/** Places, as `file:line`, of sources where a line matches. */
function placesOf(pattern: RegExp, files = SOURCES): string[] {
  return files.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(join(ROOT, file), 'utf8');
    } catch {
      return [];
    }
    return text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : []));
  });
}

describe('the repository', () => {
  it('has no file whose name says nothing', () => {
    const named = FILES.filter((file) =>
      /^(utils?|helpers?|misc|common|manager)\.\w+$/.test(basename(file)),
    );
    expect(named).toEqual([]);
  });

  it('names no download address in its lock file', () => {
    expect(placesOf(/"resolved": "https?:/, ['package-lock.json'])).toEqual([]);
  });

  it('has no left-over marks', () => {
    expect(placesOf(/\b(FIXME|XXX)\b|\bdescribe\.only\b|\bit\.only\b|\btest\.only\b/)).toEqual([]);
  });

  it('names faults by numbers that docs/reference/faults.md has', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/faults.md'), 'utf8');
    const known = new Set([...page.matchAll(/^\| (B\d+) /gm)].map(([, id]) => id));
    const unknown = SOURCES.flatMap((file) => {
      const named = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
      return [...named.matchAll(/\bB\d{2,3}\b/g)].flatMap(([id]) =>
        known.has(id) ? [] : `${file}: ${id}`,
      );
    });
    expect(unknown).toEqual([]);
  });

  it('skips no test', () => {
    const tests = FILES.filter((file) => file.endsWith('.test.ts'));
    expect(placesOf(/\b(it|test|describe)\.(skip|todo)\b/, tests)).toEqual([]);
  });

  it('sleeps in no test', () => {
    const tests = FILES.filter((file) => file.endsWith('.test.ts'));
    expect(placesOf(/setTimeout\(\s*(resolve|r|done)\s*,|timers\/promises/, tests)).toEqual([]);
  });

  it('links its documents to files that exist', () => {
    const broken = FILES.filter((file) => file.endsWith('.md')).flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8').replace(/```[\s\S]*?```/g, '');
      return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map(([, target = '']) => join(file, '..', target))
        .filter(
          (target) => !FILES.some((known) => known === target || known.startsWith(`${target}/`)),
        )
        .map((target) => `${file} → ${target}`);
    });
    expect(broken).toEqual([]);
  });
});
