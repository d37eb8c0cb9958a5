import type { InputOf, SessionSettings } from './input.ts';
import type { KnownPrompt } from './known-prompts.ts';
import { isSettled, mayGoOn } from './settling.ts';
import type { SessionState } from './state.ts';
import { NOTHING, type StepResult } from './step-result.ts';
import { thenHold } from './step-settle.ts';
import { finishTurn, thenNextTurn, toTurnEnd } from './turn-end.ts';

/** A prompt command: starts a turn, waits for one, is refused, or is known already (B154). */
export function onPrompt(
  state: SessionState,
  input: InputOf<'prompt'>,
  settings: SessionSettings,
): StepResult {
  const { promptId, turnId, content, by, at } = input;
  const known = state.knownPrompts.find((prompt) => prompt.promptId === promptId);
  if (known !== undefined) return onKnownPrompt(known);
  const queued: StepResult = {
    events: [{ type: 'prompt.queued', time: at, data: { promptId, content, by } }],
    effects: [],
  };
  if (state.turn.kind === 'running' || state.queue.length > 0) {
    if (input.whenBusy === 'refuse') {
      return { events: [], effects: [{ kind: 'refuse_prompt', promptId, refusal: 'busy' }] };
    }
    if (state.queue.length >= settings.queueLengthMax) {
      return { events: [], effects: [{ kind: 'refuse_prompt', promptId, refusal: 'queue_full' }] };
    }
    return queued;
  }
  if (state.settling !== undefined && !isSettled(state.settling, at, settings.settleMs)) {
    // No turn runs, so this is no reason to refuse: the wait is short, and the prompt is the next one.
    return thenHold(queued, promptId, { ...state.settling, at }, settings);
  }
  return {
    events: [{ type: 'turn.started', time: at, turnId, data: { promptId, content, by } }],
    effects: [
      state.agent.kind === 'running'
        ? { kind: 'send_prompt', turnId, content }
        : { kind: 'start_agent' },
    ],
  };
}

/** The same prompt again, for example because its answer was lost: it does not run again. */
function onKnownPrompt({ promptId, end }: KnownPrompt): StepResult {
  if (end === undefined) return NOTHING;
  return { events: [], effects: [{ kind: 'repeat_outcome', promptId, end }] };
}

/** The agent's answer to a prompt ends the turn, unless something else has ended it before. */
export function onPromptAnswered(
  state: SessionState,
  input: InputOf<'prompt_answered'>,
  settings: SessionSettings,
): StepResult {
  const { turn } = state;
  if (turn.kind !== 'running' || turn.turnId !== input.turnId) return NOTHING;
  // Without an agent the prompt has not gone out yet, so this answers something else.
  if (state.agent.kind !== 'running') return NOTHING;
  const end = toTurnEnd(turn, input.answer);
  // An agent that ends its turn with a request of its own still open has given that request up.
  const done = finishTurn(state, turn, input.at, end, 'turn_ended');
  const [next] = state.queue;
  if (next !== undefined && settings.settleMs > 0 && mayGoOn(turn, end)) {
    const place = { turnId: turn.turnId, heardAt: input.at, at: input.at };
    return thenHold(done, next.promptId, place, settings);
  }
  return thenNextTurn(state, done, input.at, input.nextTurnId, true);
}
