import { stringAt } from '../../json/json.ts';
import { NotReached, type ProbeRun, type Ready } from './probe-run.ts';

/** Starts a turn that takes long, and waits for its first update. @throws NotReached */
export async function startLong(probe: ProbeRun, { client, sessionId }: Ready): Promise<number> {
  const from = client.link.received.length;
  const id = await probe.startPrompt({ client, sessionId }, probe.prompts.long);
  const first = await client.link.next(
    (each) =>
      each.idText === String(id) ||
      (each.method === 'session/update' && isWork(each.params, sessionId)),
    { timeoutMs: probe.bench.timeouts.turnMs, from, what: 'first update of the turn' },
  );
  if (first.kind === 'response') throw new NotReached('the turn was over too soon');
  return id;
}

/** Whether the params are an update that belongs to a turn of the session. */
export function isWork(params: unknown, sessionId: string): boolean {
  const kind = stringAt(params, 'update', 'sessionUpdate') ?? '';
  return stringAt(params, 'sessionId') === sessionId && /_chunk$|^tool_call|^plan$/.test(kind);
}
