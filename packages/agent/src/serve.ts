import type { Readable, Writable } from 'node:stream';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { Agent, type AgentOptions } from './agent.ts';

/** What {@link serveAgent} needs. */
export interface ServeOptions extends AgentOptions {
  /** Where the client's lines come from, such as `process.stdin`. */
  readonly input: Readable;
  /** Where the agent's lines go, such as `process.stdout`; nothing else may write to it. */
  readonly output: Writable;
  /** Aborting it ends the connection, as SIGTERM should. */
  readonly signal?: AbortSignal;
}

/**
 * Serves one client over a pair of streams. Resolves when the connection has ended, by either side, and
 * nothing that ran for it is left: turns are cancelled, commands and what they started are killed.
 */
export async function serveAgent(options: ServeOptions): Promise<void> {
  const { input, output, signal, ...agentOptions } = options;
  const agent = new Agent(createStdioTransport(input, output), agentOptions);
  const onAbort = (): void => void agent.close();
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  await agent.closed;
  signal?.removeEventListener('abort', onAbort);
}
