import { HTTP, REMOTE } from '../../played-over.ts';
import { END_TURN, type Scenario } from '../scenario.ts';

/** What clients do over a network, and over Streamable HTTP above all. Much of it shows in every scenario. */
export const HTTP_SCENARIOS: readonly Scenario[] = [
  {
    name: 'a server that offers the other transport only',
    ids: ['R-HTTP-02'],
    over: REMOTE,
    endpoint: { offersOther: true },
    mayFail: true,
    play(agent) {
      agent.pass('R-HTTP-02', 'the client prompts over the other transport as well');
      return Promise.resolve(END_TURN);
    },
  },
  {
    name: 'a turn over Streamable HTTP',
    ids: [
      'R-HTTP-22',
      'R-HTTP-04',
      'R-HTTP-07',
      'R-HTTP-10',
      'R-HTTP-12',
      'R-HTTP-21',
      'R-HTTP-24',
    ],
    over: HTTP,
    blame: ['R-HTTP-22'],
    async play(agent) {
      await agent.say('over HTTP');
      const { text } = await agent.request('session/request_permission', {
        sessionId: agent.sessionId,
        toolCall: { toolCallId: 'http', title: 'Something' },
        options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }],
      });
      agent.pass('R-HTTP-22', 'handshake, session, prompt and question go on as on stdio', text);
      return END_TURN;
    },
  },
  {
    name: 'an answer before the 202 of its request',
    ids: ['R-HTTP-16'],
    over: HTTP,
    blame: ['R-HTTP-16'],
    endpoint: { acceptsLate: 'session/new' },
    play(agent) {
      agent.pass('R-HTTP-16', 'an answer that came before the 202 of its request is matched');
      return Promise.resolve(END_TURN);
    },
  },
  {
    name: 'an answer on another stream',
    ids: ['R-HTTP-16'],
    over: HTTP,
    isHostile: true,
    endpoint: { answersElsewhere: true },
    endsBy: 'R-HTTP-16',
    play: () => Promise.resolve(END_TURN),
  },
  {
    name: 'a cancel of a prompt that is not accepted yet',
    ids: ['R-HTTP-18'],
    over: HTTP,
    isCancelled: true,
    mayFail: true,
    endpoint: { acceptsLate: 'session/prompt' },
    async play(agent) {
      await agent.say('working');
      if (await agent.waitForCancel()) return { stopReason: 'cancelled' };
      agent.notExercised('R-HTTP-18', 'the client did not cancel');
      return END_TURN;
    },
  },
];
