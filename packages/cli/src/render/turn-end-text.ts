import type { StopReason } from '@signalbox/acp';
import { toPrintable, type TurnEnd } from '@signalbox/core';
import type { Style } from './style.ts';

const STOPPED: Readonly<Record<StopReason, string>> = {
  end_turn: 'The agent has finished',
  max_tokens: 'Stopped at the token limit',
  max_turn_requests: 'Stopped at the limit of model requests for one turn',
  refusal: 'The agent refused to go on',
  cancelled: 'Cancelled',
};

/** How a turn ended, for people: the reason's name stands in brackets. */
export function turnEndText(end: TurnEnd, style: Style): string {
  if (end.kind === 'failed') {
    return `${style.bad('Failed')} [${end.failure}]: ${toPrintable(end.message)}`;
  }
  const forced = end.forced === true ? ', after its processes had to be ended' : '';
  const text = `${STOPPED[end.stopReason]}${forced}`;
  const mark = end.stopReason === 'end_turn' ? style.good : style.warning;
  return `${mark(text)} [${end.stopReason}]`;
}
