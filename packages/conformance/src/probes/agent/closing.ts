import { isPresent, stringAt } from '../../json/json.ts';
import { timed, TIMED_OUT } from '../../process/timed.ts';
import { startLong } from './long-turn.ts';
import { STDIO } from '../played-over.ts';
import type { AgentProbe } from './probe.ts';
import type { ProbeRun } from './probe-run.ts';

/** Closing during a turn, and ending the connection. */
export const CLOSING_PROBES: readonly AgentProbe[] = [
  {
    name: 'closing a session during a turn',
    ids: ['R-CLS-02'],
    missing: (agent) =>
      isPresent(agent, 'sessionCapabilities', 'close') ? undefined : 'sessionCapabilities.close',
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId } = ready;
      const id = await startLong(probe, ready);
      const close = await client.request('session/close', { sessionId });
      if (close.isError) return;
      const answer = await timed(probe.endOfTurn(client, id), probe.bench.timeouts.answerMs);
      if (answer === TIMED_OUT) {
        probe.fail('R-CLS-02', 'the prompt is not answered after session/close', close.message);
        return;
      }
      const reason = stringAt(answer.result, 'stopReason');
      const isOk =
        !answer.isError && (reason === 'cancelled' || answer.message.index < close.message.index);
      const outcome = answer.isError ? `error ${answer.code}` : reason;
      probe.found(
        'R-CLS-02',
        isOk,
        `the prompt ends with ${outcome}`,
        answer.message,
        close.message,
      );
    },
  },
  {
    name: 'the end of input when idle',
    ids: ['R-FRM-09', 'R-FRM-06'],
    over: STDIO,
    async run(probe) {
      const { client } = await probe.ready();
      await judgeExit(probe, client);
      if (client.link.child.stderrBytes > 0) probe.pass('R-FRM-06', 'the agent logs to stderr');
    },
  },
  {
    name: 'the end of input during a turn',
    ids: ['R-FRM-09'],
    over: STDIO,
    async run(probe) {
      const ready = await probe.ready();
      await startLong(probe, ready);
      await judgeExit(probe, ready.client);
    },
  },
];

async function judgeExit(probe: ProbeRun, client: ProbeRun['clients'][number]): Promise<void> {
  const hasEnded = await client.end();
  const { exitMs } = client.timeouts;
  if (!hasEnded) {
    probe.fail('R-FRM-09', `the agent still runs ${exitMs} ms after the end of its input`);
    return;
  }
  probe.pass('R-FRM-09', `the agent exits: ${client.condition()}`);
  // Processes that are ending too get a moment; what is there after it will stay.
  const deadline = performance.now() + exitMs;
  let left = client.link.child.leftovers();
  while (left.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    left = client.link.child.leftovers();
  }
  const text = `processes are left behind: ${left.join(', ')}`;
  if (left.length > 0) probe.fail('R-FRM-09', text);
}

const POLL_MS = 50;
