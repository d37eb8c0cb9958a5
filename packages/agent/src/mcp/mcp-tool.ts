import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { failed, textContent, type Tool, type ToolOutcome } from '../tools/tool.ts';
import { toOutcome } from './call-outcome.ts';
import type { McpConnection } from './connection.ts';

const PREVIEW_LENGTH_MAX = 4000;

/** Where a tool comes from, and what it is called here. */
export interface McpToolOrigin {
  /** The name by which the model calls it. */
  readonly name: string;
  /** The server's name as the client gave it, for the user. */
  readonly serverName: string;
  readonly connection: Pick<McpConnection, 'call'>;
}

/**
 * A tool of an MCP server as a tool of the session. The server checks the input. What the tool does
 * nobody here knows, and hints of the server are not to be trusted, so it counts as a command.
 */
export function createMcpTool(tool: McpTool, origin: McpToolOrigin): Tool {
  const { name, serverName, connection } = origin;
  const title = tool.title ?? tool.annotations?.title ?? tool.name;
  return {
    name,
    title,
    description: tool.description ?? title,
    kind: 'other',
    effect: 'command',
    inputSchema: tool.inputSchema,
    prepare: (input) => {
      if (!isObject(input)) return Promise.resolve({ refused: 'the input must be an object' });
      const call = `${tool.name} of the MCP server ${serverName}\n${JSON.stringify(input, null, 2)}`;
      return Promise.resolve({
        title,
        locations: [],
        preview: [textContent(call.slice(0, PREVIEW_LENGTH_MAX))],
        run: async (signal): Promise<ToolOutcome> => {
          try {
            return toOutcome(await connection.call(tool.name, input, signal));
          } catch (error) {
            if (signal.aborted) return failed('Ended because the turn was cancelled');
            return failed(`${name} failed: ${(error as Error).message}`);
          }
        },
      });
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
