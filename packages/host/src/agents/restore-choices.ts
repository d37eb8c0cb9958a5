import {
  isRpcError,
  RawJson,
  type ClientConnection,
  type NewSessionResponse,
} from '@signalbox/acp';
import type { SessionChoices } from './agent-link.ts';

/**
 * Sets the mode and the options that were chosen before, where the agent's session has others now (B42).
 *
 * @returns updates that tell what was set. What the agent refuses stays as the agent has it.
 */
export async function restoreChoices(
  connection: ClientConnection,
  sessionId: string,
  { modes, configOptions }: Partial<NewSessionResponse>,
  { modeId, options }: SessionChoices,
): Promise<RawJson[]> {
  const updates: RawJson[] = [];
  const isOffered = modes?.availableModes.some(({ id }) => id === modeId) === true;
  if (modeId !== undefined && isOffered && modes?.currentModeId !== modeId) {
    await unlessRefused(async () => {
      await connection.request('session/set_mode', { sessionId, modeId });
      updates.push(toUpdate({ sessionUpdate: 'current_mode_update', currentModeId: modeId }));
    });
  }
  for (const { id: configId, value } of options) {
    const offered = configOptions?.find(({ id }) => id === configId);
    if (offered === undefined || offered.currentValue === value) continue;
    await unlessRefused(async () => {
      const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
      const params = new RawJson(JSON.stringify({ sessionId, configId, value, ...type }));
      const answer = await connection.request('session/set_config_option', params);
      updates.push(toUpdate({ sessionUpdate: 'config_option_update', ...answer }));
    });
  }
  return updates;
}

function toUpdate(update: object): RawJson {
  return new RawJson(JSON.stringify(update), update);
}

async function unlessRefused(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!isRpcError(error)) throw error;
  }
}
