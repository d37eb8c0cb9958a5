import { stringAt } from '../json/json.ts';
import type { Call, Update, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** One `session/prompt` and what belongs to it. */
export interface Turn {
  readonly call: Call;
  readonly sessionId: string;
  /** The place of the response; infinite while there is none. */
  readonly end: number;
  /** Undefined when the turn has no answer or ended with an error. */
  readonly stopReason: string | undefined;
  /** Every `session/cancel` for the session while the turn ran. */
  readonly cancels: readonly WireMessage[];
  /** The updates of the session while the turn ran. */
  readonly updates: readonly Update[];
}

/** The turns of a trace, in the order of their prompts. */
export function turnsOf(view: View): readonly Turn[] {
  return view.calls.flatMap((call) => {
    const sessionId = stringAt(call.params, 'sessionId');
    if (call.method !== 'session/prompt' || call.caller !== 'client') return [];
    if (sessionId === undefined) return [];
    const end = call.response?.index ?? Infinity;
    const isWithin = ({ index }: WireMessage) => index > call.request.index && index < end;
    return [
      {
        call,
        sessionId,
        end,
        stopReason: stringAt(call.response?.result, 'stopReason'),
        cancels: view.messages.filter(
          (message) =>
            message.sender === 'client' &&
            message.method === 'session/cancel' &&
            message.kind === 'notification' &&
            stringAt(message.params, 'sessionId') === sessionId &&
            isWithin(message),
        ),
        updates: view.updates.filter(
          (update) => update.sessionId === sessionId && isWithin(update.message),
        ),
      },
    ];
  });
}

/** Whether a turn of this session is running at this place. */
export function isInTurn(turns: readonly Turn[], sessionId: string, index: number): boolean {
  return turns.some(
    (turn) => turn.sessionId === sessionId && turn.call.request.index < index && index < turn.end,
  );
}

/** The `session/load` calls of a session within which this place lies: a replay, not live updates. */
export function isInReplay(view: View, sessionId: string, index: number): boolean {
  return view.calls.some(
    ({ method, params, request, response }) =>
      (method === 'session/load' || method === 'session/fork') &&
      (method === 'session/fork' || stringAt(params, 'sessionId') === sessionId) &&
      request.index < index &&
      index < (response?.index ?? Infinity),
  );
}
