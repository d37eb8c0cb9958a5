import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { at, isPresent } from '../../../json/json.ts';
import { END_TURN, type Scenario } from '../scenario.ts';
import type { ClientAnswer, ScriptedAgent } from '../scripted-agent.ts';

const FORM_IDS = ['R-ELI-07', 'R-ELI-08', 'R-ELI-23', 'R-ELI-24', 'R-ELI-25'];

/** Questions to the client's user. */
export const ELICITATION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'elicitation that was not announced',
    ids: ['R-ELI-03', 'R-ELI-16', ...FORM_IDS],
    blame: ['R-ELI-03'],
    isHostile: true,
    async play(agent) {
      const hasForm = isPresent(agent.capabilities, 'elicitation', 'form');
      const hasUrl = isPresent(agent.capabilities, 'elicitation', 'url');
      if (!hasForm) judgeRefusal(agent, await form(agent, { name: { type: 'string' } }), hasUrl);
      if (!hasUrl) judgeRefusal(agent, await url(agent), hasForm);
      for (const id of hasForm ? [] : FORM_IDS)
        agent.notApplicable(id, 'elicitation.form is not offered');
      await agent.notify('elicitation/complete', { elicitationId: 'never-sent' });
      const alive = await agent.ping();
      agent.pass('R-ELI-16', 'a completion of nothing is ignored', alive.text);
      return END_TURN;
    },
  },
  {
    name: 'forms of every sort',
    ids: FORM_IDS,
    isHostile: true,
    blame: ['R-ELI-07'],
    async play(agent) {
      if (!isPresent(agent.capabilities, 'elicitation', 'form')) return END_TURN;
      const plain = await form(agent, {
        name: { type: 'string', default: 'kit' },
        age: { type: 'integer', default: 1 },
      });
      const action = at(plain.result, 'action');
      const isAction = action === 'accept' || action === 'decline' || action === 'cancel';
      agent.judge('R-ELI-07', isAction, 'the answer is accept, decline or cancel', plain.text);
      const odd = await form(agent, { colour: { type: '_color' } });
      agent.pass('R-ELI-23', 'a property of unknown type is answered', odd.text);
      const format = await form(agent, {
        colour: { type: 'string', format: 'color', default: 'red' },
      });
      agent.judge(
        'R-ELI-25',
        format.code !== -32602,
        'an unknown format is no reason to refuse',
        format.text,
      );
      const slow = await form(agent, {
        text: { type: 'string', pattern: '(a+)+$', default: `${'a'.repeat(40)}!` },
      });
      agent.pass('R-ELI-24', 'a costly pattern does not freeze the client', slow.text);
      return END_TURN;
    },
  },
  {
    name: 'a page that the user is asked to open',
    ids: ['R-ELI-18', 'R-ELI-07'],
    blame: ['R-ELI-07'],
    async play(agent) {
      if (!isPresent(agent.capabilities, 'elicitation', 'url')) {
        for (const id of ['R-ELI-18', 'R-ELI-07'])
          agent.notApplicable(id, 'elicitation.url is not offered');
        return END_TURN;
      }
      const visits: string[] = [];
      const server = createServer((request, response) => {
        visits.push(request.url ?? '');
        response.end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const answer = await url(agent, `http://127.0.0.1:${port}/`);
      // What the user accepts is opened afterwards, from which this cannot be told apart.
      const isConsent = at(answer.result, 'action') === 'accept';
      const text = 'the page is not fetched before the user agrees';
      if (!isConsent || visits.length === 0) {
        agent.judge('R-ELI-18', visits.length === 0, text, answer.text, ...visits);
      }
      agent.judge('R-ELI-07', !answer.isError, 'the question is answered', answer.text);
      server.close();
      return END_TURN;
    },
  },
];

function form(agent: ScriptedAgent, properties: object): Promise<ClientAnswer> {
  return agent.request('elicitation/create', {
    sessionId: agent.sessionId,
    mode: 'form',
    message: 'A question of the kit',
    requestedSchema: { type: 'object', properties },
  });
}

function url(agent: ScriptedAgent, page = 'http://127.0.0.1:9/'): Promise<ClientAnswer> {
  return agent.request('elicitation/create', {
    sessionId: agent.sessionId,
    mode: 'url',
    message: 'A page of the kit',
    elicitationId: 'kit-elicitation',
    url: page,
  });
}

/** A client that has no mode at all may as well not know the method. */
function judgeRefusal(agent: ScriptedAgent, answer: ClientAnswer, hasOtherMode: boolean): void {
  const isOk = answer.code === -32602 || (!hasOtherMode && answer.code === -32601);
  const text = 'a mode that was not announced is refused with -32602';
  agent.judge('R-ELI-03', isOk, text, answer.text);
}
