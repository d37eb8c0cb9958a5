import { fileURLToPath } from 'node:url';

/**
 * The path of a program of this package that other programs are told to start. It runs from the sources
 * where this file does, which Node can since it strips types, and from the build otherwise.
 */
export function programPath(name: 'agent-program' | 'mcp-server-program'): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../${name}.${extension}`, import.meta.url));
}
