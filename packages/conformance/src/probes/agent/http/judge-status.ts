import { quoteExchange, type AnsweredExchange } from '../../../wire/http-exchange.ts';
import type { ProbeRun } from '../probe-run.ts';

/** What an answer is judged by. */
export interface StatusRule {
  /** The requirement. */
  readonly id: string;
  /** The statuses that meet it. */
  readonly allowed: readonly number[];
  /** What was asked, for the text of a finding. */
  readonly what: string;
}

/** Judges an answer by its status. */
export function judgeStatus(
  probe: ProbeRun,
  exchange: AnsweredExchange,
  { id, allowed, what }: StatusRule,
): void {
  const { status } = exchange.answer;
  const wanted = allowed.includes(status) ? '' : ` instead of ${allowed.join(' or ')}`;
  const seen = `${what} is answered with ${status}${wanted}`;
  probe.found(id, wanted === '', seen, quoteExchange(exchange));
}
