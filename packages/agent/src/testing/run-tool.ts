import type { Tool, PreparedCall, ToolOutcome } from '../tools/tool.ts';
import { isRefusal, Workspace } from '../workspace/workspace.ts';

/** Opens a workspace that exists. */
export async function openWorkspace(cwd: string, others?: readonly string[]): Promise<Workspace> {
  const workspace = await Workspace.open(cwd, others);
  if (isRefusal(workspace)) throw new Error(workspace.refused);
  return workspace;
}

/** Prepares a call that is expected to be good. */
export async function prepare(tool: Tool, input: unknown, cwd: string): Promise<PreparedCall> {
  const prepared = await tool.prepare(input, await openWorkspace(cwd));
  if (isRefusal(prepared)) throw new Error(prepared.refused);
  return prepared;
}

/** Runs a tool; a refusal is an outcome too. */
export async function runTool(
  tool: Tool,
  input: unknown,
  cwd: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome> {
  const prepared = await tool.prepare(input, await openWorkspace(cwd));
  if (isRefusal(prepared)) return { isError: true, text: prepared.refused };
  return prepared.run(signal);
}
