import { createHash } from 'node:crypto';

/** The digest by which a string that goes by reference is checked: `sha256:` and its hexadecimal digits. */
export function contentDigest(content: string | Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
