import { ErrorCode, RpcError, type McpServer, type McpServerStdio } from '@signalbox/acp';
import type { Tool } from '../tools/tool.ts';
import { connectMcpServer, type ConnectOptions, type McpConnection } from './connection.ts';
import { createMcpTool } from './mcp-tool.ts';
import { claimName, serverLabel, toolName } from './tool-names.ts';

/** A server that could not be started. */
export interface McpProblem {
  readonly serverName: string;
  readonly reason: string;
}

/** The MCP servers of one session. */
export interface McpServers {
  /** The tools of all servers that started, in the order of the servers. */
  readonly tools: readonly Tool[];
  readonly problems: readonly McpProblem[];
  /** Ends the servers and everything that they started, within a bounded time. */
  close(): Promise<void>;
}

/** How the servers of a session are started. */
export interface OpenOptions extends ConnectOptions {
  readonly log: (line: string) => void;
}

/**
 * The servers of a request, all of which this agent must be able to use.
 *
 * @throws RpcError -32602 if one is reached otherwise than over stdio: leaving it out without a word
 *   would let the user wait for tools that never come (R-MCP-09).
 */
export function takeServers(servers: readonly McpServer[]): readonly McpServerStdio[] {
  return servers.map((server) => {
    if (isStdio(server)) return server;
    const message = `MCP server "${server.name}": this agent uses MCP servers over stdio only`;
    throw new RpcError(ErrorCode.InvalidParams, message);
  });
}

/**
 * Starts servers, all at the same time. One that does not start is a problem and does not keep the
 * others from being used (R-MCP-06).
 *
 * @throws RpcError -32800 when the signal was aborted; no server is left then.
 */
export async function openMcpServers(
  servers: readonly McpServerStdio[],
  options: OpenOptions,
): Promise<McpServers> {
  const started = await Promise.allSettled(
    servers.map((server) => connectMcpServer(server, options)),
  );
  const connections = started.flatMap((start) => {
    return start.status === 'fulfilled' ? [start.value] : [];
  });
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    await Promise.all(connections.map((connection) => connection.close()));
  };
  if (options.signal.aborted) {
    await close();
    throw new RpcError(ErrorCode.RequestCancelled, 'the session is not wanted any more');
  }
  const names = { labels: new Set<string>(), tools: new Set<string>() };
  const tools: Tool[] = [];
  const problems: McpProblem[] = [];
  for (const [index, { name }] of servers.entries()) {
    // Claimed for every server, so that a name does not depend on which others started.
    const label = claimName(serverLabel(name), names.labels);
    const start = started[index];
    if (start?.status === 'fulfilled') {
      tools.push(...toTools(start.value, name, label, names.tools));
      start.value.onEnd((ending) => {
        if (!isClosing) options.log(`MCP server "${name}" has ended (${ending})`);
      });
    } else {
      const problem = { serverName: name, reason: reasonText(start?.reason) };
      options.log(`MCP server "${name}" could not be started: ${problem.reason}`);
      problems.push(problem);
    }
  }
  return { tools, problems, close };
}

function toTools(
  connection: McpConnection,
  serverName: string,
  label: string,
  taken: Set<string>,
): Tool[] {
  return connection.tools.map((tool) => {
    const name = claimName(toolName(label, tool.name), taken);
    return createMcpTool(tool, { name, serverName, connection });
  });
}

/** Some clients send the type of stdio servers, although it has none in this version. */
function isStdio(server: McpServer): server is McpServerStdio {
  return !('type' in server) || (server.type as string) === 'stdio';
}

function reasonText(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
