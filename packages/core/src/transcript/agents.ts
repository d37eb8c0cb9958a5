import { validateResult, type MethodName, type NewSessionResponse } from '@signalbox/acp';
import type { EventOf, RestoredBy } from '../session/event.ts';
import { closeMessage, placeOf, push, type Draft } from './draft.ts';
import { interruptToolCalls } from './tool-calls.ts';

/** The request whose answer the log holds as `session`. */
const SESSION_METHOD: Readonly<Record<RestoredBy, MethodName>> = {
  new: 'session/new',
  load: 'session/load',
  resume: 'session/resume',
  transcript: 'session/new',
};

/** An agent is ready; its session may come with modes and options. */
export function foldAgentStarted(draft: Draft, seq: number, event: EventOf<'agent.started'>): void {
  const { restoredBy, session } = event.data;
  draft.isAgentRunning = true;
  closeMessage(draft);
  const place = placeOf('agent_started', { seq, event });
  push(draft, { ...place, kind: 'agent_started', restoredBy });
  const answer = session.value;
  if (validateResult(SESSION_METHOD[restoredBy], answer) !== undefined) return;
  const { modes, configOptions } = (answer ?? {}) as Partial<NewSessionResponse>;
  if (modes != null) {
    draft.modes = modes.availableModes;
    draft.currentModeId = modes.currentModeId;
  }
  if (configOptions != null) draft.configOptions = configOptions;
}

/** The agent's process is gone, and with it everything that it was doing. */
export function foldAgentExited(draft: Draft, seq: number, event: EventOf<'agent.exited'>): void {
  draft.isAgentRunning = false;
  closeMessage(draft);
  interruptToolCalls(draft, seq, 'agent_exited');
  push(draft, { ...placeOf('agent_exited', { seq, event }), kind: 'agent_exited', ...event.data });
}
