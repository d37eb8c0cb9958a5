import { chunk } from '../scripted-agent.ts';
import { STDIO } from '../../played-over.ts';
import { END_TURN, NO_ANSWER, type Scenario } from '../scenario.ts';

const BURST = 200;

/** Turns that are fast, slow, early, late, broken. */
export const TURN_SCENARIOS: readonly Scenario[] = [
  {
    name: 'a plain turn',
    ids: ['R-FRM-08', 'R-CHK-03', 'R-INI-12'],
    shown: { id: 'R-CHK-03', texts: ['kit-mark-plain'] },
    async play(agent) {
      for (const part of ['kit-ma', 'rk-pl', 'ain']) await agent.say(part);
      agent.pass('R-FRM-08', 'the client started the agent');
      agent.pass('R-INI-12', 'the client prompts an agent without capabilities');
      return END_TURN;
    },
  },
  {
    name: 'a burst of chunks and the answer in one write',
    ids: ['R-FRM-27', 'R-FRM-02'],
    blame: ['R-FRM-02'],
    isHostile: false,
    shown: { id: 'R-FRM-27', texts: Array.from({ length: BURST }, (_, n) => `kit${1000 + n}`) },
    async play(agent) {
      const lines = Array.from({ length: BURST }, (_, n) =>
        update(agent.sessionId, `kit${1000 + n} `),
      );
      const answer = JSON.stringify({ jsonrpc: '2.0', id: agent.promptId, result: END_TURN });
      await agent.write([...lines, answer, ''].join('\n'));
      agent.pass('R-FRM-02', `${BURST + 1} messages in one write`);
      return NO_ANSWER;
    },
  },
  {
    name: 'updates before the session is known',
    ids: ['R-SES-12'],
    blame: ['R-SES-12'],
    isHostile: true,
    async before(agent, method) {
      if (method === 'session/new') {
        await agent.update(chunk('too early'), 'kit-session-1');
        await agent.update(chunk('of nobody'), 'kit-no-session');
      }
      return false;
    },
    async play(agent) {
      const alive = await agent.ping();
      agent.pass('R-SES-12', 'updates for unknown sessions are tolerated', alive.text);
      return END_TURN;
    },
  },
  {
    name: 'updates when no turn runs',
    ids: ['R-PRM-10', 'R-CAN-08'],
    blame: ['R-PRM-10'],
    play: async (agent) => {
      await agent.update({ sessionUpdate: 'tool_call', toolCallId: 'late', title: 'Late' });
      return END_TURN;
    },
    async after(agent) {
      await agent.update({ sessionUpdate: 'session_info_update', title: 'Late title' });
      await agent.update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'late',
        status: 'completed',
      });
      const alive = await agent.ping();
      agent.pass('R-PRM-10', 'updates outside of turns are accepted', alive.text);
      agent.pass('R-CAN-08', 'an update of a tool call after its turn is accepted', alive.text);
    },
  },
  {
    name: 'a flood of updates',
    ids: ['R-FRM-26'],
    blame: ['R-FRM-26'],
    async play(agent) {
      const text = `${Array.from({ length: 5000 }, (_, n) => update(agent.sessionId, `${n} `)).join('\n')}\n`;
      await agent.write(text);
      const alive = await agent.ping();
      agent.pass('R-FRM-26', 'requests are answered behind 5000 updates', alive.text);
      return END_TURN;
    },
  },
  {
    name: 'an error as answer to the prompt',
    ids: ['R-PRM-16', 'R-ERR-03'],
    endsBy: 'R-PRM-16',
    play: async (agent) => {
      await agent.say('before the error');
      return { error: { code: -31999, message: 'kit-mark-error: this fails on purpose' } };
    },
    async after(agent) {
      const alive = await agent.ping();
      for (const id of ['R-PRM-16', 'R-ERR-03']) {
        agent.pass(id, 'the connection goes on after an error', alive.text);
      }
    },
  },
  {
    name: 'a login error as answer to the prompt',
    ids: ['R-AUT-11'],
    endsBy: 'R-AUT-11',
    play: () => Promise.resolve({ error: { code: -32000, message: 'Authentication required' } }),
  },
  {
    name: 'an unknown stop reason',
    ids: ['R-PRM-16'],
    isHostile: true,
    endsBy: 'R-PRM-16',
    play: () => Promise.resolve({ stopReason: 'kit_pondering' }),
  },
  {
    name: 'an agent that dies in the middle of a line',
    ids: ['R-PRM-16'],
    over: STDIO,
    isHostile: true,
    endsBy: 'R-PRM-16',
    async play(agent) {
      await agent.say('last words');
      await agent.write('{"jsonrpc":"2.0","method":"session/upd');
      process.exit(1);
    },
  },
  {
    name: 'a refusal',
    ids: ['R-PRM-16'],
    endsBy: 'R-PRM-16',
    play: () => Promise.resolve({ stopReason: 'refusal' }),
  },
  {
    name: 'an agent that ignores the end of its input',
    ids: ['R-FRM-09'],
    over: STDIO,
    isHostile: true,
    ignoresEof: true,
    play: () => Promise.resolve(END_TURN),
  },
  {
    name: 'a turn that is cancelled',
    ids: ['R-CAN-01', 'R-CAN-03', 'R-PER-06', 'R-CAN-08'],
    isCancelled: true,
    mayFail: true,
    async play(agent) {
      await agent.update({
        sessionUpdate: 'tool_call',
        toolCallId: 'c1',
        title: 'Long work',
        status: 'in_progress',
      });
      const question = agent.request('session/request_permission', {
        sessionId: agent.sessionId,
        toolCall: { toolCallId: 'c1' },
        options: [{ optionId: 'n', name: 'No', kind: 'reject_once' }],
      });
      // Whoever answers at once has no open question when the cancel comes, which is fine.
      const answered = question.catch(() => undefined);
      if (!(await agent.waitForCancel())) {
        for (const id of ['R-CAN-01', 'R-CAN-03', 'R-PER-06', 'R-CAN-08']) {
          agent.notExercised(id, 'the client did not cancel');
        }
        return END_TURN;
      }
      agent.pass('R-CAN-01', 'the client cancels by a notification');
      const answer = await answered;
      if (answer === undefined) {
        agent.fail('R-CAN-03', 'an open permission request is not answered after the cancel');
      }
      await agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' });
      const alive = await agent.ping();
      agent.pass('R-CAN-08', 'updates after the cancel are accepted', alive.text);
      return { stopReason: 'cancelled' };
    },
  },
];

function update(sessionId: string, text: string): string {
  const params = { sessionId, update: chunk(text) };
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });
}
