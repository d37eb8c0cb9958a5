import { END_TURN, type Scenario } from '../scenario.ts';
import type { ScriptedAgent } from '../scripted-agent.ts';

const LOGIN = { id: 'kit-login', name: 'Log in' };

/** What clients do with versions, capabilities and logins. */
export const LIFECYCLE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'a version that the client does not support',
    ids: ['R-INI-09'],
    mayFail: true,
    initialize: { protocolVersion: 9999 },
    play: () => Promise.resolve(END_TURN),
  },
  {
    name: 'an agent that announces everything',
    ids: ['R-INI-12', 'R-PRM-02'],
    initialize: {
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: {
          list: {},
          delete: {},
          resume: {},
          close: {},
          additionalDirectories: {},
        },
      },
    },
    async before(agent, method, id) {
      if (method !== 'session/list') return false;
      await agent.send({ id, result: { sessions: [] } });
      return true;
    },
    play(agent) {
      agent.pass('R-INI-12', 'the client prompts an agent with all capabilities');
      return Promise.resolve(END_TURN);
    },
  },
  {
    name: 'a command of the agent',
    ids: ['R-CMD-04'],
    prompt: '/kit-command some  words',
    async play(agent) {
      const isSame = agent.promptText === '/kit-command some  words';
      const text = 'a command arrives as the text of the prompt';
      if (isSame) agent.pass('R-CMD-04', text, agent.promptText);
      else agent.warn('R-CMD-04', `not so: ${text}`, agent.promptText);
      await agent.ping();
      return END_TURN;
    },
  },
  {
    name: 'a session that needs a login',
    ids: ['R-AUT-06', 'R-AUT-03'],
    initialize: {
      authMethods: [LOGIN, { id: 'kit-terminal', name: 'In a terminal', type: 'terminal' }],
    },
    before: needsLogin(),
    play(agent) {
      agent.pass('R-AUT-06', 'the client logs in and tries again');
      return Promise.resolve(END_TURN);
    },
  },
];

/** Refuses sessions until the client has logged in. */
function needsLogin(): NonNullable<Scenario['before']> {
  const loggedIn = new WeakSet<ScriptedAgent>();
  return async (agent, method, id) => {
    if (method === 'authenticate') loggedIn.add(agent);
    if (method !== 'session/new' || loggedIn.has(agent)) return false;
    await agent.send({ id, error: { code: -32000, message: 'Authentication required' } });
    return true;
  };
}
