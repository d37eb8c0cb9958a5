import { type Actor, toPrintableLine, type TurnEnd } from '@signalbox/core';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const DATE_AND_TIME = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
});

/** A time of today, or of another day; `time` and `now` in ms since 1970. */
export function timeText(time: number, now: number): string {
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return (isToday ? TIME : DATE_AND_TIME).format(time);
}

/** Who did something, in a few words. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'client':
      return toPrintableLine(actor.name);
    case 'policy':
      return `policy (${toPrintableLine(actor.rule)})`;
    case 'deadline':
      return 'the deadline';
    case 'agent':
      return 'the agent';
    case 'host':
      return 'the host';
  }
}

/** How a turn ended; each way has words of its own (B80). */
export function turnEndText(end: TurnEnd): string {
  if (end.kind === 'failed') {
    return `Failed (${end.failure.replaceAll('_', ' ')}): ${toPrintableLine(end.message)}`;
  }
  const forced = end.forced === true ? ', and the agent was ended because it went on' : '';
  return `${STOPPED[end.stopReason] ?? `Stopped: ${toPrintableLine(end.stopReason)}`}${forced}`;
}

const STOPPED: Readonly<Record<string, string>> = {
  end_turn: 'Done',
  max_tokens: 'Stopped at the limit of tokens',
  max_turn_requests: 'Stopped at the limit of requests in a turn',
  refusal: 'The agent refused to go on',
  cancelled: 'Cancelled',
};

/** An error as its user reads it. */
export function errorText(error: unknown): string {
  return toPrintableLine(error instanceof Error ? error.message : String(error));
}
