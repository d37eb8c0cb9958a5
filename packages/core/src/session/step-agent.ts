import { agentExitText } from './agent-exit-text.ts';
import type { SessionEvent, TurnEnd } from './event.ts';
import type { InputOf } from './input.ts';
import type { SessionState } from './state.ts';
import { NOTHING, type StepResult } from './step-result.ts';
import { finishTurn, thenNextTurn, withdrawPermissions } from './turn-end.ts';

/** The agent is ready: the turn that waited for it goes out, once. */
export function onAgentStarted(state: SessionState, input: InputOf<'agent_started'>): StepResult {
  if (state.agent.kind === 'running') return NOTHING;
  const started: SessionEvent = { type: 'agent.started', time: input.at, data: input.started };
  const { turn } = state;
  if (turn.kind !== 'running') return { events: [started], effects: [] };
  const { turnId, content } = turn;
  return {
    events: [{ ...started, turnId }],
    effects: [{ kind: 'send_prompt', turnId, content }],
  };
}

/** The agent could not be started: the turn fails with what the agent said, the session stays. */
export function onAgentStartFailed(
  state: SessionState,
  input: InputOf<'agent_start_failed'>,
): StepResult {
  const { turn } = state;
  if (turn.kind !== 'running' || state.agent.kind === 'running') return NOTHING;
  const failure = input.authRequired ? 'auth_required' : 'agent_start';
  const end: TurnEnd = { kind: 'failed', failure, message: input.message };
  const done = finishTurn(state, turn, input.at, end, 'agent_gone');
  return thenNextTurn(state, done, input.at, input.nextTurnId, false);
}

/** The agent's process is gone: everything that waited for it ends now, with one reason. */
export function onAgentExited(state: SessionState, input: InputOf<'agent_exited'>): StepResult {
  if (state.agent.kind !== 'running') return NOTHING;
  const { turn } = state;
  const exited: SessionEvent = {
    type: 'agent.exited',
    time: input.at,
    data: { ...input.exit, isExpected: input.isExpected },
  };
  if (turn.kind !== 'running') {
    const withdrawn = withdrawPermissions(state, input.at, 'agent_gone');
    const gone = { events: [exited, ...withdrawn.events], effects: withdrawn.effects };
    // Nothing speaks any more, so a prompt that waited for that needs to wait no longer.
    return thenNextTurn(state, gone, input.at, input.nextTurnId, false);
  }
  if (input.promptedTurnId !== turn.turnId && turn.cancel === undefined && !turn.hasStartedAgent) {
    // The prompt crossed the end of an idle agent and was never sent. A new one gets it, once.
    const withdrawn = withdrawPermissions(state, input.at, 'agent_gone');
    return {
      events: [{ ...exited, turnId: turn.turnId }, ...withdrawn.events],
      effects: [...withdrawn.effects, { kind: 'start_agent' }],
    };
  }
  const end = endByExit(turn.cancel?.by.kind, input);
  const done = finishTurn(state, turn, input.at, end, 'agent_gone');
  const all = {
    events: [{ ...exited, turnId: turn.turnId }, ...done.events],
    effects: done.effects,
  };
  return thenNextTurn(state, all, input.at, input.nextTurnId, false);
}

function endByExit(cancelledBy: string | undefined, input: InputOf<'agent_exited'>): TurnEnd {
  if (cancelledBy === 'deadline') {
    const message = 'the agent did nothing for too long and did not stop when told to';
    return { kind: 'failed', failure: 'turn_idle', message };
  }
  if (cancelledBy !== undefined) return { kind: 'stopped', stopReason: 'cancelled', forced: true };
  const { stderrTail } = input.exit;
  const tail = stderrTail.trim() === '' ? '' : `; its last words: ${stderrTail.trim()}`;
  const message = `the agent's process ${agentExitText(input.exit)} during the turn${tail}`;
  return { kind: 'failed', failure: 'agent_exited', message };
}

/**
 * After the log was opened: the processes that the log names are not ours any more, the turn that was
 * under way is recorded as interrupted, and queued prompts, which did not run, are dropped.
 */
export function onRecover(state: SessionState, input: InputOf<'recover'>): StepResult {
  const { turn } = state;
  const events = endProcesses(state, input.at);
  if (turn.kind !== 'running') {
    const withdrawn = withdrawPermissions(state, input.at, 'agent_gone');
    const dropped = dropQueued(state, input.at);
    return { events: [...events, ...withdrawn.events, ...dropped], effects: [] };
  }
  const message = 'the host ended while the turn was running; it is unknown how far the agent got';
  const end: TurnEnd = { kind: 'failed', failure: 'interrupted', message };
  const done = finishTurn(state, turn, input.at, end, 'agent_gone');
  // Nobody of that time waits any more, so there is nobody to answer.
  return { events: [...events, ...done.events, ...dropQueued(state, input.at)], effects: [] };
}

/** The ends of what the session had running. Nobody was there to see how they ended. */
function endProcesses({ agent, turn, runningTerminals }: SessionState, at: number): SessionEvent[] {
  const within = turn.kind === 'running' ? { turnId: turn.turnId } : {};
  const ends: SessionEvent[] = runningTerminals.map((terminalId) => {
    const unknown = { exitCode: null, signal: null, outputBytes: 0, output: '', truncated: false };
    const data = { terminalId, ...unknown, lost: true } as const;
    return { type: 'terminal.exited', time: at, ...within, data };
  });
  if (agent.kind === 'running') {
    const data = { code: null, signal: null, stderrTail: '', noiseCount: 0, isExpected: false };
    ends.push({ type: 'agent.exited', time: at, ...within, data });
  }
  return ends;
}

/** Whoever queued these is gone, and running them unattended later would be a surprise. */
function dropQueued(state: SessionState, at: number): SessionEvent[] {
  return state.queue.map(({ promptId }) => ({
    type: 'prompt.dropped',
    time: at,
    data: { promptId, by: { kind: 'host' } },
  }));
}
