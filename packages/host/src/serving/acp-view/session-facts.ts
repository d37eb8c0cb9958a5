import { memberText, RawJson, rawObject, validateResult, withMembers } from '@signalbox/acp';
import type { EventOf, RestoredBy } from '@signalbox/core';

/** The request whose answer `agent.started` holds as `session`. */
const METHOD: Readonly<Record<RestoredBy, string>> = {
  new: 'session/new',
  load: 'session/load',
  resume: 'session/resume',
  transcript: 'session/new',
};

/**
 * What an agent's answer says of a session, without the agent's own id for it, which stays private. All
 * other members keep their exact text; a member that is not what the protocol says is left out.
 */
export function toSessionFacts(answer: RawJson, restoredBy: RestoredBy = 'new'): RawJson {
  const value = answer.value as Record<string, unknown> | null;
  if (value === null || typeof value !== 'object') return new RawJson('{}');
  if (validateResult(METHOD[restoredBy], value) !== undefined) return new RawJson('{}');
  const left = rawObject(
    Object.fromEntries(
      Object.keys(value)
        .filter((key) => key !== 'sessionId' && value[key] != null)
        .map((key) => [key, new RawJson(memberText(answer.text, key) ?? 'null')]),
    ),
  );
  return left;
}

/** The modes and config options of a session as they stand, from what the agent last said of each. */
export class SessionChoicesView {
  #modes: RawJson | undefined;
  #currentModeId: string | undefined;
  #configOptions: RawJson | undefined;

  onAgentStarted({ data }: EventOf<'agent.started'>): void {
    const { text } = toSessionFacts(data.session, data.restoredBy);
    const modes = memberText(text, 'modes');
    const options = memberText(text, 'configOptions');
    if (modes !== undefined) {
      this.#modes = new RawJson(modes);
      this.#currentModeId = (this.#modes.value as { currentModeId: string }).currentModeId;
    }
    if (options !== undefined) this.#configOptions = new RawJson(options);
  }

  onMode(update: RawJson): void {
    this.#currentModeId = (update.value as { currentModeId: string }).currentModeId;
  }

  onConfigOptions(update: RawJson): void {
    const text = memberText(update.text, 'configOptions');
    if (text !== undefined) this.#configOptions = new RawJson(text);
  }

  /** What `session/load` and `session/resume` are answered with. */
  toResult(): RawJson {
    const currentModeId = this.#currentModeId;
    return rawObject({
      modes: this.#modes && withMembers(this.#modes, { currentModeId }),
      configOptions: this.#configOptions,
    });
  }

  /** The same as updates, for a client that knows the session already. */
  toUpdates(): RawJson[] {
    const updates: RawJson[] = [];
    const { currentModeId } = { currentModeId: this.#currentModeId };
    if (currentModeId !== undefined) {
      updates.push(rawObject({ sessionUpdate: 'current_mode_update', currentModeId }));
    }
    if (this.#configOptions !== undefined) {
      const configOptions = this.#configOptions;
      updates.push(rawObject({ sessionUpdate: 'config_option_update', configOptions }));
    }
    return updates;
  }
}
