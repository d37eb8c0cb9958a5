import {
  isRpcError,
  memberText,
  RawJson,
  rawObject,
  type NewSessionResponse,
} from '@signalbox/acp';
import type { SessionChoices } from './agent-link.ts';

/** Calls a method about the agent's session, within the limit of its start. @returns the exact answer. */
export type ChangeSetting = (
  method: 'session/set_mode' | 'session/set_config_option',
  params: object,
) => Promise<RawJson>;

/**
 * Sets the mode and the options that were chosen before, where the agent's session has others now (B42).
 * An answer counts whatever it says, as it does when a client changes them: a session must not be lost
 * because of it.
 *
 * @returns updates that tell what was set. What the agent refuses stays as the agent has it.
 */
export async function restoreChoices(
  change: ChangeSetting,
  { modes, configOptions }: Partial<NewSessionResponse>,
  { modeId, options }: SessionChoices,
): Promise<RawJson[]> {
  const updates: RawJson[] = [];
  const isOffered = modes?.availableModes.some(({ id }) => id === modeId) === true;
  if (modeId !== undefined && isOffered && modes?.currentModeId !== modeId) {
    await unlessRefused(async () => {
      await change('session/set_mode', { modeId });
      updates.push(rawObject({ sessionUpdate: 'current_mode_update', currentModeId: modeId }));
    });
  }
  for (const { id: configId, value } of options) {
    const offered = configOptions?.find(({ id }) => id === configId);
    if (offered === undefined || offered.currentValue === value) continue;
    await unlessRefused(async () => {
      const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
      const answer = await change('session/set_config_option', { configId, value, ...type });
      const told = memberText(answer.text, 'configOptions');
      if (told === undefined) return;
      const update = { sessionUpdate: 'config_option_update', configOptions: new RawJson(told) };
      updates.push(rawObject(update));
    });
  }
  return updates;
}

async function unlessRefused(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!isRpcError(error)) throw error;
  }
}
