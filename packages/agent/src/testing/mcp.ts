import { fileURLToPath } from 'node:url';
import type { EnvVariable, McpServerStdio } from '@signalbox/acp';

const PROGRAM = fileURLToPath(new URL('./mcp-server.mjs', import.meta.url));

/**
 * How the server behaves: `good`; `noisy` prints what is no message; `toolless` has no tools; `stubborn`
 * does not end when asked to; `hang` never answers; `exit` ends at once.
 */
export type McpServerMode = 'good' | 'noisy' | 'toolless' | 'stubborn' | 'hang' | 'exit';

/** An MCP server of the tests. Further arguments are only seen in its command line. */
export function mcpServer(
  mode: McpServerMode,
  name: string = mode,
  args: readonly string[] = [],
  env: EnvVariable[] = [],
): McpServerStdio {
  return { name, command: process.execPath, args: [PROGRAM, mode, ...args], env };
}
