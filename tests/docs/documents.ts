import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a document. */
export interface Block {
  /** The document's path, and the number of the block in it. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  /** What the first line calls it, if it is a file that others import. */
  readonly fileName: string | undefined;
}

/** All fenced blocks of one language in the documents for users. */
export function blocksOf(language: string): Block[] {
  const files = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })].sort();
  return files.flatMap((file) => {
    const text = readFileSync(`${ROOT}${file}`, 'utf8');
    return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
      .map(([, found = '', body = ''], index) => ({
        name: `${file} block ${index + 1}`,
        language: found,
        text: body,
        fileName: /^\/\/ ([\w-]+\.ts)\n/.exec(body)?.[1],
      }))
      .filter((block) => block.language === language);
  });
}
