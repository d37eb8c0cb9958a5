import { memberText, RawJson, rawObject } from '@signalbox/acp';
import type { Actor } from '@signalbox/core';
import type { AgentSeat } from './agent-seat.ts';

/** What {@link AgentCalls} needs of its session. */
export interface AgentCallsParts {
  readonly seat: Pick<AgentSeat, 'agent' | 'whenReady'>;
  /** Throws when nothing is taken from clients any more. */
  readonly assertUsable: () => void;
  /** Resolves when the agent has what was meant for it so far: a prompt is stored before it is sent (B47). */
  readonly whenPassedOn: () => Promise<void>;
  /** Tells all who follow the session. */
  readonly postUpdate: (update: RawJson, by: Actor) => void;
}

/** Calls to a session's agent beside its prompts, in the order in which clients made them. */
export class AgentCalls {
  readonly #parts: AgentCallsParts;

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
  }

  /**
   * Changes the agent's mode. All who follow the session see it as an update.
   *
   * @throws RpcError when the agent refuses; HostError when it cannot be started.
   */
  async setMode(modeId: string, by: Actor): Promise<void> {
    await this.request('session/set_mode', new RawJson(JSON.stringify({ modeId })));
    const update = { sessionUpdate: 'current_mode_update', currentModeId: modeId };
    this.#parts.postUpdate(rawObject(update), by);
  }

  /**
   * Changes a config option of the agent. All who follow the session see it as an update.
   *
   * @param params of `session/set_config_option`; the session id in it is replaced by the agent's own.
   * @returns the agent's exact answer.
   * @throws RpcError when the agent refuses; HostError when it cannot be started.
   */
  async setConfigOption(params: RawJson, by: Actor): Promise<RawJson> {
    const answer = await this.request('session/set_config_option', params);
    const options = memberText(answer.text, 'configOptions');
    if (options !== undefined) {
      const configOptions = new RawJson(options);
      const update = { sessionUpdate: 'config_option_update', configOptions };
      this.#parts.postUpdate(rawObject(update), by);
    }
    return answer;
  }

  /**
   * Calls any method of the agent about its session; it is started if none runs.
   *
   * @param params an object; a session id in it is replaced by the agent's own.
   * @returns the exact result.
   * @throws RpcError when the agent refuses; PeerError when it is gone; HostError when it cannot start.
   */
  async request(method: string, params: RawJson): Promise<RawJson> {
    const { seat, assertUsable, whenPassedOn } = this.#parts;
    assertUsable();
    const agent = seat.agent ?? (await seat.whenReady());
    await whenPassedOn();
    return agent.request(method, params);
  }

  /**
   * Tells the agent something about its session. Without a process there is nobody to tell.
   *
   * @param params an object; a session id in it is replaced by the agent's own.
   * @throws PeerError when it cannot be sent.
   */
  async notify(method: string, params: RawJson): Promise<void> {
    await this.#parts.whenPassedOn();
    this.#parts.seat.agent?.notify(method, params);
  }
}
