import { at, stringAt, type JsonObject } from '../../../json/json.ts';
import { END_TURN, type Scenario } from '../scenario.ts';
import type { ClientAnswer, ScriptedAgent } from '../scripted-agent.ts';

interface Option {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

const ODD: readonly Option[] = [
  { optionId: '0', name: 'No', kind: 'reject_once' },
  { optionId: 'ja 😀', name: 'Yes', kind: 'allow_once' },
  { optionId: '', name: 'Yes, again', kind: 'allow_once' },
  { optionId: 'reject_once', name: 'Always', kind: 'allow_always' },
];
const ONLY_ALWAYS = ODD.filter(({ kind }) => kind === 'allow_always');
const ONLY_REJECT = ODD.filter(({ kind }) => kind === 'reject_once');

/** Permission requests with options of every sort. */
export const PERMISSION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'permission with unusual options',
    ids: ['R-PER-04', 'R-PER-05', 'R-PER-10', 'R-INI-14'],
    blame: ['R-INI-14'],
    async play(agent) {
      for (const options of [ODD, ONLY_ALWAYS, ONLY_REJECT]) {
        const answer = await ask(agent, 'odd', options);
        agent.judge(
          'R-INI-14',
          answer.code !== -32601,
          'permission requests are served',
          answer.text,
        );
        if (answer.isError) continue;
        judgeAnswer(agent, answer, options);
      }
      agent.pass('R-PER-10', 'a tool call that only the request names is accepted');
      return END_TURN;
    },
  },
  {
    name: 'permission without options',
    ids: ['R-PER-12'],
    blame: ['R-PER-12'],
    isHostile: true,
    async play(agent) {
      const answer = await ask(agent, 'none', []);
      const isChoice = stringAt(answer.result, 'outcome', 'outcome') === 'selected';
      agent.judge('R-PER-12', !isChoice, 'nothing is chosen where nothing is offered', answer.text);
      return END_TURN;
    },
  },
  {
    name: 'two permission requests at once',
    ids: ['R-PER-11'],
    blame: ['R-PER-11'],
    async play(agent) {
      const answers = await Promise.all([ask(agent, 'one', ODD), ask(agent, 'two', ODD)]);
      const areBoth = answers.every(({ isError }) => !isError);
      agent.judge(
        'R-PER-11',
        areBoth,
        'both of two requests are answered',
        ...answers.map(({ text }) => text),
      );
      return END_TURN;
    },
  },
  {
    name: 'a permission request that is cancelled',
    ids: ['R-CRQ-03', 'R-CRQ-02'],
    blame: ['R-CRQ-03'],
    async play(agent) {
      const answer = ask(agent, 'gone', ODD, '"cancel-me"');
      await agent.notify('$/cancel_request', { requestId: 'cancel-me' });
      const { text, isError, code } = await answer;
      const isForm = !isError || code === -32800;
      agent.judge('R-CRQ-03', isForm, 'a cancelled request has a result or -32800', text);
      agent.pass('R-CRQ-02', 'a cancelled request is answered', text);
      return END_TURN;
    },
  },
];

function ask(
  agent: ScriptedAgent,
  toolCallId: string,
  options: readonly Option[],
  idText?: string,
): Promise<ClientAnswer> {
  const toolCall: JsonObject = {
    toolCallId,
    title: 'Something risky',
    kind: 'edit',
    status: 'pending',
  };
  return agent.request(
    'session/request_permission',
    { sessionId: agent.sessionId, toolCall, options },
    idText === undefined ? {} : { idText },
  );
}

function judgeAnswer(agent: ScriptedAgent, answer: ClientAnswer, options: readonly Option[]): void {
  const outcome = stringAt(answer.result, 'outcome', 'outcome');
  const optionId = at(answer.result, 'outcome', 'optionId');
  const chosen = options.find((option) => option.optionId === optionId);
  const isOk = outcome === 'cancelled' || (outcome === 'selected' && chosen !== undefined);
  agent.judge('R-PER-04', isOk, 'the answer is an offered option or "cancelled"', answer.text);
  if (isOk) agent.pass('R-PER-05', `chosen: ${chosen?.kind ?? 'cancelled'}`, answer.text);
}
