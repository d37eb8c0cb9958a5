import type { SessionMode, SessionModeState } from '@signalbox/acp';
import type { ToolEffect } from '../tools/tool.ts';

/** How much a session may do without asking. */
export type ModeId = 'ask' | 'auto' | 'plan';

/** The mode of a new session. */
export const FIRST_MODE: ModeId = 'ask';

const MODES: readonly (SessionMode & { readonly id: ModeId })[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before it changes a file or runs a command.' },
  { id: 'auto', name: 'Auto', description: 'Changes files and runs commands without asking.' },
  { id: 'plan', name: 'Plan', description: 'Only reads: changes and commands are refused.' },
];

/** Whether a mode of this id exists. */
export function isModeId(id: string): id is ModeId {
  return MODES.some((mode) => mode.id === id);
}

/** The modes as a client is told about them. */
export function toModeState(current: ModeId): SessionModeState {
  return { currentModeId: current, availableModes: MODES.map((mode) => ({ ...mode })) };
}

/** What is done about a tool of this effect in a mode. */
export function judge(mode: ModeId, effect: ToolEffect): 'run' | 'ask' | 'refuse' {
  if (effect === 'none' || mode === 'auto') return 'run';
  return mode === 'plan' ? 'refuse' : 'ask';
}
