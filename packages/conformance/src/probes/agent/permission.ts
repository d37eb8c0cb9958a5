import { join } from 'node:path';
import { at, listAt } from '../../json/json.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import {
  CANCELLED,
  choose,
  HOLD,
  Refusal,
  selected,
  type Answering,
} from '../../kit-client/responder.ts';
import type { WireMessage } from '../../passive/wire-message.ts';
import { timed, TIMED_OUT } from '../../process/timed.ts';
import { cancelledEnd, judgeEnd } from './cancel.ts';
import { exists } from './steered.ts';
import type { AgentProbe } from './probe.ts';
import { NotReached, type ProbeRun, type Ready } from './probe-run.ts';

const TARGET = 'permission-probe.txt';

/** Every answer that is no approval. */
const REFUSALS: readonly [string, Answering][] = [
  ['a reject option', choose('reject')],
  ['"cancelled"', () => CANCELLED],
  ['an option that was not offered', () => selected('kit-no-option')],
  ['an unknown outcome', () => ({ outcome: { outcome: 'kit-unknown', optionId: 'allow' } })],
  [
    'an error',
    () => {
      throw new Refusal(-31999, 'kit: this fails on purpose');
    },
  ],
];

/** What agents do with answers to their permission requests. */
export const PERMISSION_PROBES: readonly AgentProbe[] = [
  {
    name: 'permission that is given',
    ids: ['R-PER-01', 'R-PER-09'],
    async run(probe) {
      const ready = await probe.ready();
      ready.client.responder = {
        ...ready.client.responder,
        'session/request_permission': (params, request) => {
          const kinds = listAt(params, 'options').map((option) => at(option, 'kind'));
          const kind = kinds.includes('allow_always') ? 'allow_always' : 'allow';
          return choose(kind)(params, request);
        },
      };
      const answer = await probe.prompt(ready, probe.prompts.permission);
      const [asked] = questions(ready);
      if (asked === undefined) return notAsked(probe, ['R-PER-01', 'R-PER-09']);
      probe.pass('R-PER-01', 'permission is asked', asked, answer.message);
      const kinds = listAt(asked.params, 'options').map((option) => at(option, 'kind'));
      if (!kinds.includes('allow_always')) return;
      await probe.prompt(ready, probe.prompts.permission);
      const again = questions(ready)[1];
      // For what "always" holds is left open, so asking again may have a reason.
      if (again === undefined) probe.pass('R-PER-09', '"always" is remembered', asked);
      else probe.warn('R-PER-09', 'the same is asked again after "always"', asked, again);
    },
  },
  {
    name: 'permission that is not given',
    ids: ['R-PER-07', 'R-PER-08', 'R-ERR-03'],
    isHostile: true,
    async run(probe) {
      for (const [what, answering] of REFUSALS) {
        const ready = await probe.ready();
        ready.client.responder = {
          ...ready.client.responder,
          'session/request_permission': answering,
        };
        const answer = await probe.prompt(ready, probe.prompts.permission);
        const [asked] = questions(ready);
        if (asked === undefined) return notAsked(probe, ['R-PER-07', 'R-PER-08', 'R-ERR-03']);
        const isDone = await exists(join(ready.cwd, TARGET));
        probe.judge('R-PER-07', !isDone, `after ${what} nothing is done`, asked, answer.message);
        probe.pass('R-PER-08', `the turn ends after ${what}`, answer.message);
        if (what === 'an error') {
          probe.pass('R-ERR-03', 'an unknown error code concerns its request only', answer.message);
        }
      }
    },
  },
  {
    name: 'cancelling while permission is asked',
    ids: ['R-CAN-05', 'R-CAN-06', 'R-CAN-14', 'R-ERR-06', 'R-CAN-04', 'R-PER-07'],
    async run(probe) {
      const { ready, id, asked } = await holdQuestion(probe);
      const started = performance.now();
      await ready.client.notify('session/cancel', { sessionId: ready.sessionId });
      await ready.client.answer(asked, CANCELLED);
      const answer = await cancelledEnd(probe, ready, id);
      if (answer === undefined) return;
      judgeEnd(probe, answer, performance.now() - started, true);
      const isDone = await exists(join(ready.cwd, TARGET));
      probe.judge('R-PER-07', !isDone, 'after a cancel nothing is done', answer.message);
      noteCascade(probe, ready, asked);
    },
  },
  {
    name: '-32800 as answer to a permission request',
    ids: ['R-PER-13'],
    isHostile: true,
    async run(probe) {
      const { ready, id, asked } = await holdQuestion(probe);
      await ready.client.notify('session/cancel', { sessionId: ready.sessionId });
      await ready.client.refuse(asked, -32800, 'Request cancelled');
      const answer = await cancelledEnd(probe, ready, id);
      if (answer === undefined) return;
      probe.judge('R-PER-13', !answer.isError, '-32800 counts as not approved', answer.message);
    },
  },
  {
    name: 'one id in both directions',
    ids: ['R-FRM-15', 'R-FRM-26'],
    async run(probe) {
      const { ready, id, asked } = await holdQuestion(probe);
      const { client } = ready;
      const same: unknown = JSON.parse(asked.idText ?? '0');
      const answer = await timed(client.ping(same), probe.bench.timeouts.answerMs);
      if (answer === TIMED_OUT) {
        probe.fail(
          'R-FRM-15',
          'a request with the id of an open one of the agent has no answer',
          asked,
        );
        return;
      }
      probe.pass('R-FRM-26', 'requests are answered while permission is awaited', answer.message);
      await client.answer(asked, choose('reject')(asked.params, asked));
      const end = await endOrNothing(probe, ready, id);
      const isOk = end !== undefined;
      probe.judge('R-FRM-15', isOk, 'one id can be open in both directions', asked, answer.message);
    },
  },
];

function questions({ client }: Ready): readonly WireMessage[] {
  return client.requests.filter(({ method }) => method === 'session/request_permission');
}

function notAsked(probe: ProbeRun, ids: readonly string[]): void {
  for (const id of ids) probe.notExercised(id, 'the agent asked for no permission');
}

/** A turn that waits for an answer to its permission request. @throws NotReached */
async function holdQuestion(
  probe: ProbeRun,
): Promise<{ ready: Ready; id: number; asked: WireMessage }> {
  const ready = await probe.ready();
  const { client } = ready;
  client.responder = { ...client.responder, 'session/request_permission': () => HOLD };
  const id = await probe.startPrompt(ready, probe.prompts.permission);
  const first = await client.link.next(
    (each) => each.method === 'session/request_permission' || each.idText === String(id),
    { timeoutMs: probe.bench.timeouts.turnMs, what: 'permission request' },
  );
  if (first.kind === 'response') throw new NotReached('the agent asked for no permission');
  return { ready, id, asked: first };
}

async function endOrNothing(
  probe: ProbeRun,
  { client }: Ready,
  id: number,
): Promise<Answer | undefined> {
  return probe.endOfTurn(client, id).catch((error: unknown) => {
    if (error instanceof NotReached) return undefined;
    throw error;
  });
}

/** Cancelling the own question is allowed; then it names the question's id. */
function noteCascade(probe: ProbeRun, { client }: Ready, asked: WireMessage): void {
  const cascade = client.link.received.find(({ method }) => method === '$/cancel_request');
  if (cascade === undefined) return;
  const isOwn = JSON.stringify(at(cascade.params, 'requestId')) === asked.idText;
  probe.judge('R-CAN-14', isOwn, 'the agent cancels its own open question', cascade);
}
