import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../kit-client/kit-client.ts';
import { AFTERMATH_MS } from '../../passive/turn-checks.ts';
import { isWork, startLong } from './long-turn.ts';
import type { AgentProbe } from './probe.ts';
import type { ProbeRun, Ready } from './probe-run.ts';

/** What comes behind the end of a turn. */
export const SILENCE_PROBES: readonly AgentProbe[] = [
  {
    name: 'the silence behind a turn',
    ids: ['R-PRM-09'],
    async run(probe) {
      const ready = await probe.ready();
      const answer = await probe.prompt(ready, probe.prompts.text);
      await judgeSilence(probe, ready, answer, 'R-PRM-09');
    },
  },
  {
    name: 'the silence behind a cancelled turn',
    ids: ['R-CAN-07'],
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId } = ready;
      const id = await startLong(probe, ready);
      await client.notify('session/cancel', { sessionId });
      await judgeSilence(probe, ready, await probe.endOfTurn(client, id), 'R-CAN-07');
    },
  },
];

/** Stays connected for as long as what comes would belong to the turn that has just ended. */
async function judgeSilence(
  probe: ProbeRun,
  { client, sessionId }: Ready,
  { message, isError }: Answer,
  id: string,
): Promise<void> {
  if (isError) return;
  await sleep(AFTERMATH_MS);
  await client.ping();
  const late = client.link.received.find(
    (each) =>
      each.index > message.index &&
      each.t - message.t <= AFTERMATH_MS &&
      each.method === 'session/update' &&
      isWork(each.params, sessionId),
  );
  probe.judge(id, late === undefined, 'no update of a turn comes behind its end', message, late);
}
