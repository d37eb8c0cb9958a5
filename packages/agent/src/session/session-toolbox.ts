import type { ToolCallUpdate } from '@signalbox/acp';
import type { Toolbox } from '../loop/toolbox.ts';
import type { ModelToolCall, ModelToolResult, ToolSpec } from '../model/model.ts';
import { parsePlan, PLAN_SPEC } from '../tools/plan.ts';
import { failed, textContent, type Tool, type ToolOutcome } from '../tools/tool.ts';
import { isRefusal, type Workspace } from '../workspace/workspace.ts';
import type { ClientLink } from './client-link.ts';
import { judge, type ModeId } from './modes.ts';
import type { Approval, PermissionGate } from './permission-gate.ts';
import { announcedTitle } from './announced-title.ts';

/** What a session's tools work with. */
export interface ToolboxOptions {
  readonly tools: readonly Tool[];
  readonly workspace: Workspace;
  readonly client: ClientLink;
  readonly permissions: PermissionGate;
  /** The session's mode at the moment; it may change during a turn. */
  readonly mode: () => ModeId;
}

/**
 * The tools of a session: each call is reported to the client from pending to its end, and is run only
 * if the mode or the client allows it.
 */
export class SessionToolbox implements Toolbox {
  readonly specs: readonly ToolSpec[];
  readonly #options: ToolboxOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Ids for the client. Those of models need not be unique over a session (R-TOOL-03). */
  readonly #reported = new Map<ModelToolCall, string>();
  #reportedCount = 0;

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
    const specs = options.tools.map(({ name, description, inputSchema }) => {
      return { name, description, inputSchema };
    });
    this.specs = [...specs, PLAN_SPEC];
  }

  announce(call: ModelToolCall): void | Promise<void> {
    if (call.name === PLAN_SPEC.name) return;
    this.#reportedCount += 1;
    const toolCallId = `tool-${this.#reportedCount}`;
    this.#reported.set(call, toolCallId);
    const tool = this.#tools.get(call.name);
    return this.#options.client.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: tool?.title ?? announcedTitle(call),
      name: call.name,
      kind: tool?.kind ?? 'other',
      status: 'pending',
      rawInput: call.input,
    });
  }

  async run(call: ModelToolCall, signal: AbortSignal): Promise<ModelToolResult> {
    const outcome =
      call.name === PLAN_SPEC.name ? await this.#showPlan(call) : await this.#perform(call, signal);
    await this.#close(call, outcome);
    const { isError, text, output } = outcome;
    const result = { callId: call.id, name: call.name, isError, text };
    return output === undefined ? result : { ...result, output };
  }

  drop(call: ModelToolCall, reason: string): Promise<void> {
    return this.#close(call, failed(`Not run: ${reason}`));
  }

  async #showPlan(call: ModelToolCall): Promise<ToolOutcome> {
    const entries = parsePlan(call.input);
    if (isRefusal(entries)) return failed(`plan: ${entries.refused}`);
    await this.#options.client.update({ sessionUpdate: 'plan', entries });
    return { isError: false, text: 'The plan is shown' };
  }

  async #perform(call: ModelToolCall, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      if (signal.aborted) return failed(NOT_APPROVED.cancelled);
      const tool = this.#tools.get(call.name);
      if (tool === undefined) return failed(`There is no tool "${call.name}"`);
      if (this.#judge(tool) === 'refuse') return failed(REFUSED_BY_MODE);
      const prepared = await tool.prepare(call.input, this.#options.workspace);
      if (isRefusal(prepared)) return failed(`${tool.name}: ${prepared.refused}`);
      const { title, locations, preview } = prepared;
      const shown = { title, locations: [...locations], content: [...preview] };
      const approval = await this.#approve(tool, { ...this.#id(call), ...shown }, call, signal);
      if (approval !== 'approved') return failed(NOT_APPROVED[approval]);
      // The mode may have been changed while somebody was asked.
      if (this.#judge(tool) === 'refuse') return failed(REFUSED_BY_MODE);
      await this.#update({ ...this.#id(call), ...shown, status: 'in_progress' });
      return await prepared.run(signal);
    } catch (error) {
      return failed(`${call.name} failed: ${(error as Error).message}`);
    }
  }

  #judge(tool: Tool): 'run' | 'ask' | 'refuse' {
    return judge(this.#options.mode(), tool.effect);
  }

  async #approve(
    tool: Tool,
    shown: ToolCallUpdate,
    call: ModelToolCall,
    signal: AbortSignal,
  ): Promise<Approval> {
    if (signal.aborted) return 'cancelled';
    if (this.#judge(tool) === 'run') return 'approved';
    const { kind, name } = tool;
    const toolCall = { ...shown, kind, name, status: 'pending', rawInput: call.input } as const;
    return this.#options.permissions.ask(name, toolCall, signal);
  }

  /** Reports how a call ended; what was never announced has nothing to end. */
  async #close(call: ModelToolCall, outcome: ToolOutcome): Promise<void> {
    if (!this.#reported.has(call)) return;
    const { content, output, locations } = outcome;
    await this.#update({
      ...this.#id(call),
      status: outcome.isError ? 'failed' : 'completed',
      content: content === undefined ? [textContent(outcome.text)] : [...content],
      rawOutput: output ?? { text: outcome.text },
      ...(locations === undefined ? {} : { locations: [...locations] }),
    });
    this.#reported.delete(call);
  }

  #id(call: ModelToolCall): { toolCallId: string } {
    return { toolCallId: this.#reported.get(call) ?? call.id };
  }

  async #update(update: ToolCallUpdate): Promise<void> {
    await this.#options.client.update({ sessionUpdate: 'tool_call_update', ...update });
  }
}

const REFUSED_BY_MODE = 'Refused: the session is in plan mode, which only reads';

const NOT_APPROVED: Readonly<Record<Exclude<Approval, 'approved'>, string>> = {
  rejected: 'Not run: the user rejected it',
  dismissed: 'Not run: the permission request was dismissed',
  cancelled: 'Not run: the turn was cancelled',
  unanswered: 'Not run: the permission request was not answered',
};
