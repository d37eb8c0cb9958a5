import { stringAt } from '../../json/json.ts';
import { SilentError } from '../../kit-client/wait-errors.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import type { WireMessage } from '../../passive/wire-message.ts';
import { judgeRace } from './cancel-race.ts';
import { startLong } from './long-turn.ts';
import type { AgentProbe } from './probe.ts';
import { NotReached, promptParams, type ProbeRun, type Ready } from './probe-run.ts';

/** An end this soon after a cancel may have crossed it on the wire. */
const RACE_MS_MAX = 1000;

/** Cancelling turns and requests. */
export const CANCEL_PROBES: readonly AgentProbe[] = [
  {
    name: 'cancelling a running turn, twice',
    ids: ['R-CAN-04', 'R-CAN-05', 'R-CAN-06', 'R-CAN-12', 'R-ERR-06', 'R-INI-13'],
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId } = ready;
      const id = await startLong(probe, ready);
      const started = performance.now();
      await client.notify('session/cancel', { sessionId });
      await client.notify('session/cancel', { sessionId });
      const answer = await cancelledEnd(probe, ready, id);
      if (answer === undefined) return;
      probe.pass('R-INI-13', 'session/cancel works', answer.message);
      judgeEnd(probe, answer, performance.now() - started);
      if (!probe.hasJudged('R-CAN-05')) await judgeRace(probe, answer);
      const next = await nextEnd(probe, ready);
      if (next === undefined) return;
      const isNormal = !next.isError && stringAt(next.result, 'stopReason') !== 'cancelled';
      if (next.isError && next.code === -32603)
        probe.warn('R-CAN-12', 'the next turn fails', next.message);
      else probe.judge('R-CAN-12', isNormal, 'the next turn runs normally', next.message);
    },
  },
  {
    name: 'cancelling right behind the prompt',
    ids: ['R-CAN-11'],
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId } = ready;
      const id = client.newId();
      const params = promptParams(sessionId, probe.prompts.long);
      const prompt = JSON.stringify({ jsonrpc: '2.0', id, method: 'session/prompt', params });
      const cancel = JSON.stringify({
        jsonrpc: '2.0',
        method: 'session/cancel',
        params: { sessionId },
      });
      const started = performance.now();
      await client.link.write(`${prompt}\n${cancel}\n`);
      const answer = await probe.endOfTurn(client, id);
      const ms = performance.now() - started;
      const isCancelled = stringAt(answer.result, 'stopReason') === 'cancelled';
      if (answer.isError) return;
      const text = `a cancel right behind the prompt: the turn ends after ${Math.round(ms)} ms`;
      if (isCancelled || ms < client.timeouts.promptMs)
        probe.pass('R-CAN-11', text, answer.message);
      else probe.fail('R-CAN-11', `${text}, not cancelled`, answer.message);
    },
  },
  {
    name: 'cancelling when nothing runs',
    ids: ['R-CAN-09'],
    blame: ['R-CAN-09'],
    isHostile: true,
    async run(probe) {
      const ready = await probe.ready();
      await ready.client.notify('session/cancel', { sessionId: ready.sessionId });
      await ready.client.notify('session/cancel', { sessionId: 'kit-no-such-session' });
      await ready.client.ping();
      const answer = await probe.prompt(ready, probe.prompts.text);
      if (answer.isError) return;
      const isNormal = stringAt(answer.result, 'stopReason') !== 'cancelled';
      probe.judge(
        'R-CAN-09',
        isNormal,
        'a cancel without a turn does not touch the next one',
        answer.message,
      );
    },
  },
  {
    name: 'cancelling one of two sessions',
    ids: ['R-CAN-10', 'R-SES-09'],
    async run(probe) {
      const first = await probe.ready();
      const second = await probe.open(first.client);
      const [one, two] = [await startLong(probe, first), await startLong(probe, second)];
      await first.client.notify('session/cancel', { sessionId: first.sessionId });
      await probe.endOfTurn(first.client, one);
      // An end of the other turn that has the same cause comes before this answer.
      await first.client.ping();
      const other = first.client.link.received.find(
        ({ kind, idText }) => kind === 'response' && idText === String(two),
      );
      const isHit = stringAt(other?.result, 'stopReason') === 'cancelled';
      for (const id of ['R-CAN-10', 'R-SES-09']) {
        probe.judge(id, !isHit, 'the turn of the other session goes on', other);
      }
      await first.client.notify('session/cancel', { sessionId: second.sessionId });
      await probe.endOfTurn(first.client, two);
    },
  },
  {
    name: 'requests during a turn',
    ids: ['R-FRM-26'],
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId } = ready;
      const params = { cwd: await probe.directory(), mcpServers: [] };
      const id = await startLong(probe, ready);
      const end = () => client.link.received.find((each) => isResponseTo(each, id));
      const asked = client.link.trace.length;
      const answers = await Promise.all([
        client.ping(),
        client.request('session/new', params),
      ]).catch((error: unknown) => {
        if (end() !== undefined) throw new NotReached('the turn was over too soon');
        if (!(error instanceof SilentError)) throw error;
        probe.fail('R-FRM-26', `${error.message}, while a turn runs`, client.link.lastSent);
        return undefined;
      });
      if (answers === undefined) return;
      judgeServed(
        probe,
        answers.map(({ message }) => message),
        { asked: client.link.trace[asked]?.t ?? 0, end: end() },
      );
      await client.notify('session/cancel', { sessionId });
      await probe.endOfTurn(client, id);
    },
  },
  {
    name: '$/cancel_request of a prompt',
    ids: ['R-CRQ-03', 'R-CRQ-08', 'R-CRQ-02', 'R-CRQ-07'],
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId } = ready;
      const id = await startLong(probe, ready);
      await client.notify('$/cancel_request', { requestId: id });
      // Support is optional, so the ordinary cancel ends the turn where the other one is ignored.
      await client.ping();
      await client.notify('session/cancel', { sessionId });
      const answer = await probe.endOfTurn(client, id);
      const next = await probe.prompt(ready, probe.prompts.text);
      if (!next.isError) probe.pass('R-CRQ-07', 'the session is usable afterwards', next.message);
      const all = client.link.received.filter(
        (each) => each.kind === 'response' && each.idText === String(id),
      );
      const isOnce = all.length === 1;
      const isForm = answer.isError
        ? answer.code === -32800
        : stringAt(answer.result, 'stopReason') !== undefined;
      probe.judge('R-CRQ-03', isOnce, 'a cancelled request has one answer', ...all);
      const text = 'a cancelled prompt ends with a stop reason or -32800';
      probe.judge('R-CRQ-08', isForm, text, answer.message);
      probe.pass('R-CRQ-02', 'the request ends normally', answer.message);
    },
  },
];

function isResponseTo({ kind, idText }: WireMessage, id: number): boolean {
  return kind === 'response' && idText === String(id);
}

/** Whether requests were answered before the turn ended, if it went on long enough to tell. */
function judgeServed(
  probe: ProbeRun,
  answers: readonly WireMessage[],
  { asked, end }: { asked: number; end: WireMessage | undefined },
): void {
  const first = answers.toSorted((one, two) => one.index - two.index)[0];
  if (end === undefined || (first !== undefined && first.index < end.index)) {
    probe.pass('R-FRM-26', 'requests are answered while a turn runs', first);
    return;
  }
  const waitedMs = end.t - asked;
  if (waitedMs < RACE_MS_MAX) throw new NotReached('the turn was over too soon');
  const text = `requests waited ${waitedMs} ms and were answered only after the turn`;
  probe.fail('R-FRM-26', text, end, first);
}

/** The end of the turn behind a cancelled one; that it has none is a finding. */
async function nextEnd(probe: ProbeRun, ready: Ready): Promise<Answer | undefined> {
  try {
    return await probe.prompt(ready, probe.prompts.text);
  } catch (error) {
    if (!(error instanceof NotReached)) throw error;
    probe.warn('R-CAN-12', `the turn behind a cancelled one: ${error.message}`);
    return undefined;
  }
}

/** The answer to a cancelled prompt; a missing one is a finding. */
export async function cancelledEnd(
  probe: ProbeRun,
  { client }: Ready,
  id: number,
): Promise<Answer | undefined> {
  const { answerMs } = probe.bench.timeouts;
  try {
    return await client.answerTo(id, {
      timeoutMs: answerMs,
      what: 'answer to the cancelled prompt',
    });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SilentError') throw error;
    const cancel = `the prompt is not answered within ${answerMs} ms after session/cancel`;
    probe.fail('R-CAN-05', cancel, client.link.received.at(-1));
    return undefined;
  }
}

/**
 * What the end of a cancelled turn says.
 *
 * @param isHeld whether the turn could not end by itself, so that it did not end beside the cancel.
 */
export function judgeEnd(probe: ProbeRun, answer: Answer, ms: number, isHeld = false): void {
  const reason = stringAt(answer.result, 'stopReason');
  if (answer.isError) {
    const text = 'a cancelled turn is answered with an error';
    for (const id of ['R-CAN-06', 'R-ERR-06']) probe.fail(id, text, answer.message);
    return;
  }
  probe.pass('R-CAN-06', 'a cancelled turn is no error', answer.message);
  probe.pass('R-ERR-06', 'a cancelled turn is no error', answer.message);
  if (reason === 'cancelled') {
    probe.pass('R-CAN-05', 'a cancelled turn ends as cancelled', answer.message);
  } else if (isHeld || ms > RACE_MS_MAX) {
    const text = `the turn ends as ${reason} ${Math.round(ms)} ms after the cancel`;
    probe.fail('R-CAN-05', text, answer.message);
  }
  const isSoon = ms < probe.bench.timeouts.promptMs;
  probe.found(
    'R-CAN-04',
    isSoon,
    `the turn ends ${Math.round(ms)} ms after the cancel`,
    answer.message,
  );
}
