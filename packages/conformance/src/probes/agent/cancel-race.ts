import { stringAt } from '../../json/json.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import { timed, TIMED_OUT } from '../../process/timed.ts';
import { startLong } from './long-turn.ts';
import type { ProbeRun } from './probe-run.ts';

/** How many more turns are cancelled; one may have ended by itself at that moment. */
const TRIALS = 2;
/** A turn that nobody cancels has to go on for so much longer than the cancelled ones, in ms. */
const MARGIN_MS = 1500;

/**
 * Judges an agent whose cancelled turn ended soon, but not as cancelled. It may have ended by itself just
 * then. Whether it did shows when more turns are cancelled and one is not: if that one goes on where the
 * others had ended, it was the cancel that ended them. Each turn has a connection of its own.
 *
 * @param first the end of the turn that was cancelled first.
 * @throws NotReached
 */
export async function judgeRace(probe: ProbeRun, first: Answer): Promise<void> {
  if (first.isError) return;
  let longestMs = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const { answer, ms } = await cancelTurn(probe);
    if (answer.isError || stringAt(answer.result, 'stopReason') === 'cancelled') return;
    longestMs = Math.max(longestMs, ms);
  }
  if (!(await goesOn(probe, 2 * longestMs + MARGIN_MS))) return;
  const reason = stringAt(first.result, 'stopReason') ?? 'nothing';
  const text = `each turn that is cancelled ends as ${reason}, and one that is not goes on`;
  probe.fail('R-CAN-05', text, first.message);
}

/** Cancels a turn at its first update; `ms` is what it lasted from there. */
async function cancelTurn(probe: ProbeRun): Promise<{ answer: Answer; ms: number }> {
  const ready = await probe.ready();
  const id = await startLong(probe, ready);
  const startedAt = performance.now();
  await ready.client.notify('session/cancel', { sessionId: ready.sessionId });
  const answer = await probe.endOfTurn(ready.client, id);
  return { answer, ms: performance.now() - startedAt };
}

/** Whether a turn that is not cancelled goes on for so long after its first update. */
async function goesOn(probe: ProbeRun, ms: number): Promise<boolean> {
  const ready = await probe.ready();
  const id = await startLong(probe, ready);
  const answer = await timed(probe.endOfTurn(ready.client, id), ms);
  if (answer !== TIMED_OUT) return false;
  await ready.client.notify('session/cancel', { sessionId: ready.sessionId });
  await probe.endOfTurn(ready.client, id);
  return true;
}
