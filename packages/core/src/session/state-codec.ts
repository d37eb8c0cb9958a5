import type { Action } from '../policy/action.ts';
import { readAs } from '../shape/read-as.ts';
import { readState } from './read-state.ts';
import type { SpokenIds } from './spoken-ids.ts';
import type { SessionState } from './state.ts';
import { STATE_FORMAT, type ActionJson, type SpokenIdsJson, type StateJson } from './state-json.ts';

/**
 * A session's state as a JSON value, from which {@link decodeState} makes one that further events give the
 * same from. Members that are undefined are not there once it is text.
 */
export function encodeState(state: SessionState): StateJson {
  const { turn, queue, permissions, toolCalls, spoken, ...rest } = state;
  return {
    format: STATE_FORMAT,
    ...rest,
    turn: turn.kind === 'idle' ? turn : { ...turn, content: turn.content.text },
    queue: queue.map((prompt) => ({ ...prompt, content: prompt.content.text })),
    permissions: [...permissions.values()].map((permission) => ({
      ...permission,
      action: encodeInput(permission.action),
    })),
    toolCalls: [...toolCalls.values()].map(encodeInput),
    spoken: { before: encodeIds(spoken.before), now: encodeIds(spoken.now) },
  };
}

/**
 * Makes a state of what {@link encodeState} wrote.
 *
 * @throws CoreError `state_malformed` for anything else, also for one of another format; then the log has to
 *   be folded from its start.
 */
export function decodeState(value: unknown): SessionState {
  const {
    format: _,
    permissions,
    toolCalls,
    ...rest
  } = readAs(value, readState, {
    code: 'state_malformed',
    what: `a session's state of the format ${STATE_FORMAT}`,
  });
  return {
    ...rest,
    permissions: new Map(permissions.map((one) => [one.permissionId, one])),
    toolCalls: new Map(toolCalls.map((one) => [one.toolCallId, one])),
  };
}

/** The same with the arguments as their exact text. */
function encodeInput<T extends Pick<Action, 'rawInput'>>(
  given: T,
): Omit<T, 'rawInput'> & Pick<ActionJson, 'rawInput'> {
  const { rawInput, ...rest } = given;
  return rawInput === undefined ? rest : { ...rest, rawInput: rawInput.text };
}

function encodeIds({ toolCalls, messages }: SpokenIds): SpokenIdsJson {
  return { toolCalls: [...toolCalls], messages: [...messages] };
}
