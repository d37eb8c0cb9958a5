import type { McpServerStdio } from '@signalbox/acp';
import type { CallToolResult, Client, Tool as McpTool } from '@modelcontextprotocol/client';
import { AGENT_INFO } from '../capabilities.ts';
import { ServerProcess } from './server-process.ts';

/** How long a server may take from its start until its tools are known. */
export const START_MS_MAX = 10_000;
/** How long one call may take; a cancelled turn ends it earlier. */
const CALL_MS_MAX = 10 * 60_000;

/** What a server is started with, beyond what the client says of it. */
export interface ConnectOptions {
  readonly cwd: string;
  /** Default {@link START_MS_MAX}. */
  readonly startMsMax?: number;
  /** Aborting it gives the start up and ends the server. */
  readonly signal: AbortSignal;
}

/** One MCP server that runs and has said which tools it has. */
export class McpConnection {
  readonly tools: readonly McpTool[];
  readonly #client: Client;
  readonly #process: ServerProcess;

  constructor(client: Client, process: ServerProcess, tools: readonly McpTool[]) {
    this.#client = client;
    this.#process = process;
    this.tools = tools;
  }

  /** Is told, once, when the server ends, and how. */
  onEnd(told: (ending: string) => void): void {
    this.#client.onclose = () => told(this.#process.ending ?? 'it is gone');
  }

  /**
   * Calls a tool. Aborting the signal also tells the server.
   *
   * @throws when the server is gone, refuses the call, does not answer in time, or it was aborted.
   */
  async call(
    name: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const ending = this.#process.ending;
    if (ending !== undefined) throw new Error(`the MCP server has ended (${ending})`);
    const options = { signal, timeout: CALL_MS_MAX };
    return await this.#client.callTool({ name, arguments: input }, options);
  }

  /** Ends the server and everything that it started. */
  close(): Promise<void> {
    return this.#process.close();
  }
}

/**
 * Starts a server and asks for its tools. It gets the variables that the MCP package holds to be safe,
 * such as PATH and HOME, and those that the client gave, which win.
 *
 * @throws an error whose message says why the server cannot be used; nothing of it is left then.
 */
export async function connectMcpServer(
  server: McpServerStdio,
  { cwd, startMsMax = START_MS_MAX, signal }: ConnectOptions,
): Promise<McpConnection> {
  // Loaded only here, because most sessions have no servers and the package is slow to load.
  const [{ Client, ReadBuffer }, { getDefaultEnvironment }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ]);
  const given = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  const env = { ...getDefaultEnvironment(), ...given };
  const { command, args } = server;
  const process = new ServerProcess({ command, args, env, cwd }, new ReadBuffer());
  const client = new Client({ name: AGENT_INFO.name, version: AGENT_INFO.version });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), startMsMax);
  const starting = AbortSignal.any([signal, limit.signal]);
  try {
    starting.throwIfAborted();
    // The limit is the signal's; the package has one of its own for each request, which is not shorter.
    const options = { signal: starting, timeout: startMsMax + 1000 };
    await client.connect(process, options);
    return new McpConnection(client, process, await listTools(client, options));
  } catch (error) {
    // Looked at before the server is ended, which gives every server an ending.
    const ending = process.ending;
    await process.close();
    if (limit.signal.aborted) throw new Error(`it was not ready within ${startMsMax} ms`);
    if (ending !== undefined) throw new Error(`it ended before it was ready (${ending})`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function listTools(
  client: Client,
  options: { signal: AbortSignal; timeout: number },
): Promise<readonly McpTool[]> {
  // Asked without need, the package prints a line to stdout, which belongs to the protocol.
  if (client.getServerCapabilities()?.tools === undefined) return [];
  return (await client.listTools(undefined, options)).tools;
}
