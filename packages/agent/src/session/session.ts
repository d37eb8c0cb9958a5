import {
  ErrorCode,
  RpcError,
  type ContentBlock,
  type PromptResponse,
  type SessionModeState,
  type StopReason,
} from '@signalbox/acp';
import type { LoopLimits } from '../loop/limits.ts';
import { runTurn } from '../loop/run-turn.ts';
import { isModelFailure, type Model, type ModelMessage, type UserMessage } from '../model/model.ts';
import { ALL_TOOLS } from '../tools/all-tools.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ClientLink } from './client-link.ts';
import { COMMANDS, helpText, parseCommand, type Command } from './commands.ts';
import { FIRST_MODE, isModeId, toModeState, type ModeId } from './modes.ts';
import { PermissionGate } from './permission-gate.ts';
import { SessionToolbox } from './session-toolbox.ts';
import { Speech } from './speech.ts';
import { toUserMessage } from './user-message.ts';

/** What a session is made of. */
export interface SessionOptions {
  readonly workspace: Workspace;
  readonly client: ClientLink;
  readonly model: Model;
  readonly limits: LoopLimits;
  /** Its MCP servers, which end with it. */
  readonly mcp: McpServers;
}

/** One conversation: its context, its mode, and at most one turn at a time. */
export class Session {
  readonly #options: SessionOptions;
  readonly #toolbox: SessionToolbox;
  readonly #speech: Speech;
  readonly #context: ModelMessage[] = [];
  #mode: ModeId = FIRST_MODE;
  #contextTokens = 0;
  #turn: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#speech = new Speech(options.client);
    this.#toolbox = new SessionToolbox({
      tools: [...ALL_TOOLS, ...options.mcp.tools],
      workspace: options.workspace,
      client: options.client,
      permissions: new PermissionGate(options.client),
      mode: () => this.#mode,
    });
  }

  get modes(): SessionModeState {
    return toModeState(this.#mode);
  }

  /** Tells the client what it can type, and what is amiss. To be called when it knows the session. */
  async announce(): Promise<void> {
    const { client, mcp } = this.#options;
    await client.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...COMMANDS],
    });
    if (!client.takesNotices) return;
    for (const { serverName, reason } of mcp.problems) {
      const title = `The tools of the MCP server "${serverName}" are not available`;
      const description = `The server could not be started: ${reason}`;
      await client.update({ sessionUpdate: 'notice', severity: 'warning', title, description });
    }
  }

  /** @throws RpcError -32602 for a mode that does not exist. */
  async setMode(modeId: string): Promise<void> {
    if (!isModeId(modeId)) {
      throw new RpcError(ErrorCode.InvalidParams, `there is no mode "${modeId}"`);
    }
    if (modeId === this.#mode) return;
    this.#mode = modeId;
    await this.#options.client.update({
      sessionUpdate: 'current_mode_update',
      currentModeId: modeId,
    });
  }

  /**
   * Runs a turn to its end. The turn can be cancelled from the moment this is called.
   *
   * @throws RpcError if a turn is running, the prompt cannot be taken, or the model failed.
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.#turn !== undefined) {
      throw new RpcError(ErrorCode.InvalidRequest, 'a turn is running in this session');
    }
    const message = toUserMessage(blocks);
    const abort = new AbortController();
    const turn = this.#takeTurn(message, AbortSignal.any([signal, abort.signal]));
    this.#turn = { abort, ended: turn };
    try {
      return { stopReason: await turn };
    } catch (error) {
      if (!isModelFailure(error)) throw error;
      const text = `The model failed: ${error.message}`;
      throw new RpcError(ErrorCode.InternalError, text, undefined, { cause: error });
    } finally {
      this.#turn = undefined;
    }
  }

  /** Cancels the turn; without one there is nothing to cancel (R-CAN-09). */
  cancel(): void {
    this.#turn?.abort.abort();
  }

  /** Cancels the turn, ends the MCP servers, and waits until nothing of them is left. */
  async close(): Promise<void> {
    this.cancel();
    await Promise.all([this.#turn?.ended.catch(() => undefined), this.#options.mcp.close()]);
  }

  async #takeTurn(message: UserMessage, signal: AbortSignal): Promise<StopReason> {
    this.#speech.beginTurn();
    const command = parseCommand(message.text);
    if (command !== undefined) {
      await this.#speech.say({ kind: 'text', text: await this.#answer(command), answer: 0 });
      return signal.aborted ? 'cancelled' : 'end_turn';
    }
    const { model, limits } = this.#options;
    const { stopReason, contextTokens } = await runTurn(this.#context, message, {
      model,
      limits,
      signal,
      tools: this.#toolbox,
      emit: (event) => this.#speech.say(event),
    });
    this.#contextTokens = contextTokens ?? this.#contextTokens;
    if (model.contextTokensMax !== undefined) {
      await this.#options.client.update({
        sessionUpdate: 'usage_update',
        used: this.#contextTokens,
        size: model.contextTokensMax,
      });
    }
    return stopReason;
  }

  async #answer(command: Command): Promise<string> {
    if (command.name === 'help') return helpText(this.#options.model.help);
    if (!isModeId(command.argument)) {
      return `There is no mode "${command.argument}". The modes are ask, auto and plan.`;
    }
    await this.setMode(command.argument);
    return `The mode is now ${command.argument}.`;
  }
}
