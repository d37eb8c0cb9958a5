import { posix } from 'node:path';

/** The text of files by their paths below the working directory. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '/index.js', '/index.ts'];

/** The files of the project that a file imports. */
export function importsOf(path: string, text: string, files: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const [, specifier = ''] of text.matchAll(IMPORT)) {
    const target = posix.join(posix.dirname(path), specifier);
    const file = candidates(target).find((candidate) => files.has(candidate));
    if (file !== undefined && !found.includes(file)) found.push(file);
  }
  return found;
}

/** Whether a file holds tests rather than what is tested. */
export function isTestFile(path: string): boolean {
  return /(^|\/)(tests?|__tests__)\/|[.\-_](test|spec)\.[cm]?[jt]sx?$/.test(path);
}

/** A TypeScript project may import its files by the names that they will have when compiled. */
function candidates(target: string): string[] {
  const source = target.replace(/\.([cm]?)js$/, '.$1ts');
  return [...ENDINGS.map((ending) => target + ending), source];
}
