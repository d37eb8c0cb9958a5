import { writeSliced } from '../../../process/write-sliced.ts';
import { STDIO } from '../../played-over.ts';
import { END_TURN, type Scenario } from '../scenario.ts';
import { chunk, type ScriptedAgent } from '../scripted-agent.ts';

const MIB = 1024 * 1024;
const IDS: readonly string[] = [
  '0',
  '-1',
  String(Number.MAX_SAFE_INTEGER),
  '""',
  '"1"',
  `"${'x'.repeat(200)}"`,
  '"0d6f3b1e-5b7a-4c56-9b0e-7d0f3f6a1c22"',
];
const ODD_TEXT = 'aß€😀\u2028\u2029';

/** Lines, ids and names that are unusual or wrong. */
export const LINE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'lines that are no messages',
    ids: ['R-FRM-17', 'R-FRM-18', 'R-FRM-19', 'R-ERR-05'],
    blame: ['R-FRM-17'],
    isHostile: true,
    async play(agent) {
      for (const line of ['npm notice: a banner', '{oops', '', '\u001b[2Ka spinner', '}{'])
        await agent.line(line);
      await alive(agent, ['R-FRM-17', 'R-ERR-05'], 'lines that are no JSON');
      for (const line of ['42', '"x"', 'null', '{}', '{"jsonrpc":"2.0","id":"half"}'])
        await agent.line(line);
      await agent.line('{"jsonrpc":"2.0","id":"stray","result":{}}');
      await agent.line(
        '{"jsonrpc":"2.0","id":"both","result":{},"error":{"code":1,"message":"x"}}',
      );
      await alive(agent, ['R-FRM-18'], 'JSON that is no message');
      await agent.line(
        `[${JSON.stringify({ jsonrpc: '2.0', id: 'batch', method: '_signalbox.check/ping' })}]`,
      );
      await alive(agent, ['R-FRM-19'], 'a batch');
      return END_TURN;
    },
  },
  {
    name: 'messages in slices of one byte',
    ids: ['R-FRM-01', 'R-FRM-02', 'R-FRM-03'],
    over: STDIO,
    blame: ['R-FRM-02'],
    async play(agent) {
      const idText = JSON.stringify(ODD_TEXT);
      const answer = agent.expect(idText, 'a sliced request');
      const line = `{"jsonrpc":"2.0","id":${idText},"method":"_signalbox.check/ping"}\n`;
      await writeSliced((bytes) => agent.write(bytes), line);
      const { text } = await answer;
      agent.pass('R-FRM-01', 'characters of all lengths come back unchanged', text);
      agent.pass('R-FRM-02', 'a message in many writes is read', text);
      agent.pass('R-FRM-03', 'separators within strings do not end a line', text);
      return END_TURN;
    },
  },
  {
    name: 'messages of 1 MiB and 8 MiB',
    ids: ['R-FRM-02', 'R-FRM-31'],
    blame: ['R-FRM-31'],
    async play(agent) {
      const small = await agent.request('_signalbox.check/large', { text: 'x'.repeat(MIB) });
      agent.pass('R-FRM-02', 'a message of 1 MiB is answered', small.text);
      const large = await agent.request('_signalbox.check/large', { text: 'x'.repeat(8 * MIB) });
      agent.pass('R-FRM-31', 'a message of 8 MiB is answered', large.text);
      return END_TURN;
    },
  },
  {
    name: 'unusual request ids',
    ids: ['R-FRM-11', 'R-FRM-12'],
    blame: ['R-FRM-11'],
    async play(agent) {
      for (const idText of IDS) {
        const { text } = await agent.request('_signalbox.check/ping', {}, { idText });
        agent.pass('R-FRM-11', `the id ${idText} comes back`, text);
      }
      agent.pass('R-FRM-12', 'every request is answered');
      return END_TURN;
    },
  },
  {
    name: 'a request id above 2^53',
    ids: ['R-FRM-11'],
    isHostile: true,
    async play(agent) {
      const idText = '9007199254740993';
      const answer = agent.request('_signalbox.check/ping', {}, { idText }).catch(() => undefined);
      await agent.ping();
      const exact = await answer;
      if (exact !== undefined) agent.pass('R-FRM-11', 'an id above 2^53 comes back', exact.text);
      else agent.warn('R-FRM-11', 'an id above 2^53 does not come back as it was', idText);
      return END_TURN;
    },
  },
  {
    name: 'methods and notifications that are unknown',
    ids: [
      'R-FRM-13',
      'R-FRM-20',
      'R-FRM-21',
      'R-EXT-05',
      'R-EXT-06',
      'R-CRQ-02',
      'R-CRQ-05',
      'R-CRQ-09',
    ],
    blame: ['R-FRM-20', 'R-FRM-21'],
    isHostile: true,
    async play(agent) {
      const unknown = await agent.request('session/does_not_exist', { sessionId: agent.sessionId });
      agent.judge(
        'R-FRM-20',
        unknown.code === -32601,
        'an unknown method is answered -32601',
        unknown.text,
      );
      const custom = await agent.request('_kit.example/echo', { a: 1 });
      agent.judge(
        'R-EXT-05',
        custom.code === -32601,
        'an unknown own method is answered -32601',
        custom.text,
      );
      await agent.notify('foo/bar', {});
      await agent.notify('_vendor/x', {});
      await agent.notify('$/future', {});
      await agent.notify('$/cancel_request', { requestId: 'never-sent' });
      await agent.notify('$/cancel_request', { requestId: agent.promptId });
      await agent.notify('elicitation/complete', { elicitationId: 'never-sent' });
      await alive(
        agent,
        ['R-FRM-13', 'R-FRM-21', 'R-EXT-06', 'R-CRQ-02', 'R-CRQ-05', 'R-CRQ-09'],
        'unknown notifications',
      );
      return END_TURN;
    },
  },
  {
    name: 'params that do not fit',
    ids: ['R-ERR-04', 'R-ERR-05', 'R-FRM-22', 'R-ERR-02'],
    blame: ['R-ERR-04'],
    isHostile: true,
    async play(agent) {
      for (const params of [
        undefined,
        [],
        { sessionId: agent.sessionId },
        { sessionId: 5, options: 'x' },
      ]) {
        const answer = await agent.request('session/request_permission', params);
        const text = `session/request_permission with ${JSON.stringify(params) ?? 'nothing'} is refused with -32602`;
        agent.judge('R-ERR-04', answer.code === -32602, text, answer.text);
      }
      agent.pass('R-FRM-22', 'missing params are answered');
      await alive(agent, ['R-ERR-05'], 'params that do not fit');
      return END_TURN;
    },
  },
  {
    name: 'stderr of 1 MiB before the first answer',
    ids: ['R-FRM-07'],
    over: STDIO,
    blame: ['R-FRM-07'],
    async before(_agent, method) {
      if (method !== 'initialize') return false;
      const line = `${JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: 1, message: 'not protocol' } })}\n`;
      await new Promise<void>((resolve) => {
        process.stderr.write(line.repeat(Math.ceil(MIB / line.length)), () => resolve());
      });
      return false;
    },
    async play(agent) {
      await alive(agent, ['R-FRM-07'], '1 MiB on stderr');
      return END_TURN;
    },
  },
  {
    name: 'one id in both directions',
    ids: ['R-FRM-15', 'R-FRM-26'],
    blame: ['R-FRM-15'],
    async play(agent) {
      const idText = JSON.stringify(agent.promptId);
      const { text } = await agent.request('_signalbox.check/ping', {}, { idText });
      agent.pass('R-FRM-15', 'a request with the id of the prompt is answered', text);
      agent.pass('R-FRM-26', 'requests are answered while the prompt is pending', text);
      await agent.say('kit-mark-after');
      return END_TURN;
    },
  },
  {
    name: 'answers that nobody asked for',
    ids: ['R-CRQ-07', 'R-ERR-03'],
    blame: ['R-CRQ-07'],
    isHostile: true,
    async play(agent) {
      await agent.line('{"jsonrpc":"2.0","id":424242,"result":{}}');
      await agent.line('{"jsonrpc":"2.0","id":"x","error":{"code":1234,"message":"kit"}}');
      await alive(agent, ['R-CRQ-07'], 'answers to no request');
      return END_TURN;
    },
  },
  {
    name: 'members that the schema does not know',
    ids: ['R-FRM-23', 'R-FRM-24', 'R-EXT-02', 'R-INI-16', 'R-SES-03'],
    blame: ['R-FRM-23'],
    isHostile: true,
    initialize: {
      agentCapabilities: {
        futureCapability: {},
        loadSession: 'yes',
        promptCapabilities: [],
        _meta: { a: 1 },
      },
      agentInfo: null,
      authMethods: null,
      futureField: { deep: [1] },
      _meta: { 'kit.example': { deep: { a: [null] } } },
    },
    session: {
      sessionId: 'Kit/../sess ion ß 😀 '.padEnd(200, 'x'),
      modes: null,
      futureField: 1,
      _meta: null,
    },
    async play(agent) {
      await agent.update({ ...chunk('x'), futureField: 1, _meta: null, messageId: null });
      const { text } = await agent.ping();
      agent.pass('R-FRM-23', 'unknown members are ignored', text);
      agent.pass('R-FRM-24', 'optional members may be null', text);
      agent.pass('R-EXT-02', 'any _meta is accepted', text);
      agent.pass('R-INI-16', 'unknown and malformed capabilities are ignored', text);
      agent.pass('R-SES-03', 'an unusual session id comes back unchanged', agent.sessionId);
      return END_TURN;
    },
  },
];

async function alive(agent: ScriptedAgent, ids: readonly string[], what: string): Promise<void> {
  const { text } = await agent.ping();
  for (const id of ids) agent.pass(id, `the connection goes on after ${what}`, text);
}
