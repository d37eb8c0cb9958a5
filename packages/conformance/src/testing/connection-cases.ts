import type { Side } from '../requirements/requirement.ts';
import { agentCase, clientCase, type PassiveCase } from './passive-case.ts';
import type { Wire } from './wire.ts';

const PROMPT = { sessionId: 's', prompt: [{ type: 'text', text: 'x' }] };
const INFO = { name: 'x', version: '1' };
const NEW = { cwd: '/w', mcpServers: [] };

/** Both sides under the same rule. `other` is the side that is not judged. */
function both(
  id: string,
  bad: (wire: Wire, me: Side, other: Side) => void,
  good: (wire: Wire, me: Side, other: Side) => void,
): PassiveCase[] {
  return [
    agentCase(
      id,
      (wire) => bad(wire, 'agent', 'client'),
      (wire) => good(wire, 'agent', 'client'),
    ),
    clientCase(
      id,
      (wire) => bad(wire, 'client', 'agent'),
      (wire) => good(wire, 'client', 'agent'),
    ),
  ];
}

function initialize(wire: Wire, params: object, result: object): void {
  wire.call('initialize', params, result);
}

const ASK = {
  sessionId: 's',
  toolCall: { toolCallId: 't' },
  options: [{ optionId: 'a', name: 'A', kind: 'allow_once' }],
};

/** Lines, envelopes, answers, names. */
const WIRE_CASES: readonly PassiveCase[] = [
  ...both(
    'R-FRM-01',
    (wire, me) => wire.raw(me, '\ufeff{}'),
    (wire) => wire.ready(),
  ),
  ...both(
    'R-FRM-02',
    (wire, me) => wire.raw(me, '{"jsonrpc":"2.0","method":"_a"}{"jsonrpc":"2.0","method":"_b"}'),
    (wire) => wire.ready(),
  ),
  ...both(
    'R-FRM-03',
    (wire, me) =>
      wire.raw(me, '{').raw(me, '  "jsonrpc": "2.0",').raw(me, '  "method": "_x"').raw(me, '}'),
    (wire) => wire.ready(),
  ),
  agentCase(
    'R-FRM-04',
    (wire) => wire.raw('agent', 'npm notice'),
    (wire) => wire.ready().raw('agent', ''),
  ),
  clientCase(
    'R-FRM-05',
    (wire) => wire.raw('client', 'ls'),
    (wire) => wire.ready(),
  ),
  ...both(
    'R-FRM-19',
    (wire, me) => wire.raw(me, '[{"jsonrpc":"2.0","method":"_a"}]'),
    (wire) => wire.ready(),
  ),
  ...both(
    'R-FRM-10',
    (wire, me) => wire.raw(me, '{"method":"_x"}'),
    (wire) => wire.ready(),
  ),
  ...both(
    'R-FRM-14',
    (wire, me) => wire.say(me, { id: 1.5, method: '_x' }).say(me, { id: null, method: '_x' }),
    (wire, me) => wire.say(me, { id: '', method: '_x' }).say(me, { id: 0, method: '_x' }),
  ),
  ...both(
    'R-FRM-12',
    (wire, me, other) =>
      wire
        .say(other, { id: 1, method: '_x' })
        .say(me, { id: 1, result: {}, error: { code: 1, message: '' } }),
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).answer(me, 1, {}),
  ),
  ...both(
    'R-FRM-12',
    (wire, me, other) =>
      wire.say(other, { id: 1, method: '_x' }).say(me, { id: 1, result: {}, error: null }),
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).answer(me, 1, null),
  ),
  ...both(
    'R-FRM-12',
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).say(me, { id: 1 }),
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).answer(me, 1, {}),
  ),
  ...both(
    'R-FRM-12',
    (wire, me, other) =>
      wire.say(other, { id: 1, method: '_x' }).answer(me, 1, {}).answer(me, 1, {}),
    (wire, me, other) =>
      wire
        .say(other, { id: 1, method: '_x' })
        .answer(me, 1, {})
        .say(other, { id: 1, method: '_x' })
        .answer(me, 1, {}),
  ),
  ...both(
    'R-FRM-11',
    (wire, me, other) => wire.say(other, { id: '7', method: '_x' }).answer(me, 7, {}),
    (wire, me, other) => wire.say(other, { id: '7', method: '_x' }).answer(me, '7', {}),
  ),
  ...both(
    'R-FRM-11',
    (wire, me) => wire.answer(me, 99, {}),
    (wire, me, other) => wire.say(other, { id: 99, method: '_x' }).answer(me, 99, {}),
  ),
  ...both(
    'R-FRM-16',
    (wire, me) => wire.say(me, { id: 1, method: '_x' }).say(me, { id: 1, method: '_y' }),
    (wire, me) => wire.say(me, { id: 1, method: '_x' }).say(me, { id: '1', method: '_y' }),
  ),
  ...both(
    'R-FRM-13',
    (wire, me, other) => wire.notify(other, '_x').fail(me, null, -32601),
    (wire, me, other) => wire.notify(other, '_x').raw(other, '{oops').fail(me, null, -32700),
  ),
  ...both(
    'R-FRM-17',
    (wire, me, other) => wire.raw(other, '{oops').say(me, { error: { code: -32700, message: '' } }),
    (wire, me, other) => wire.raw(other, '{oops').fail(me, null, -32700),
  ),
  ...both(
    'R-ERR-01',
    (wire, me, other) =>
      wire.say(other, { id: 1, method: '_x' }).say(me, { id: 1, error: { code: 'E' } }),
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).fail(me, 1, 1234),
  ),
  ...both(
    'R-ERR-02',
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).fail(me, 1, -32700),
    (wire, me, other) => wire.say(other, { id: 1, method: '_x' }).fail(me, 1, -32601),
  ),
  ...both(
    'R-CRQ-01',
    (wire, me) => wire.notify(me, '$/cancel_request', { id: 1 }),
    (wire, me) => wire.notify(me, '$/cancel_request', { requestId: 1 }),
  ),
  ...both(
    'R-CRQ-06',
    (wire, me, other) =>
      wire
        .say(other, { id: 1, method: '_x' })
        .notify(other, '$/cancel_request', { requestId: 1 })
        .fail(me, 1, -32603, 'aborted'),
    (wire, me, other) =>
      wire
        .say(other, { id: 1, method: '_x' })
        .notify(other, '$/cancel_request', { requestId: 1 })
        .fail(me, 1, -32800, 'cancelled'),
  ),
  ...both(
    'R-EXT-04',
    (wire, me) => wire.notify(me, 'vendor/x'),
    (wire, me) => wire.notify(me, '_vendor/x'),
  ),
  ...both(
    'R-EXT-07',
    (wire, me) => wire.ready().notify(me, '_vendor/x'),
    (wire, me) => wire.ready({ _meta: { v: 1 } }, { _meta: { v: 1 } }).notify(me, '_vendor/x'),
  ),
  ...both(
    'R-EXT-01',
    (wire, me) =>
      wire.notify(me, me === 'agent' ? 'session/update' : 'session/cancel', {
        sessionId: 's',
        vendor: 1,
      }),
    (wire, me) => wire.notify(me, 'session/cancel', { sessionId: 's', _meta: { vendor: 1 } }),
  ),
  ...both(
    'R-EXT-03',
    (wire, me) => wire.notify(me, '_x', { _meta: { traceparent: 'x' } }),
    (wire, me) =>
      wire.notify(me, '_x', {
        _meta: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      }),
  ),
  agentCase(
    'R-FRM-30',
    (wire) => wire.refused('session/new', NEW, -1).session({ modes: 5 }),
    (wire) => wire.session(),
  ),
  clientCase(
    'R-FRM-30',
    (wire) => wire.call('session/new', { cwd: 1 }, { sessionId: 's' }),
    (wire) => wire.session(),
  ),
  agentCase(
    'R-INI-10',
    (wire) => wire.ready().update({ sessionUpdate: 'state_update' }),
    (wire) => wire.ready(),
  ),
  agentCase(
    'R-EXT-08',
    (wire) => wire.ready().update({ sessionUpdate: 'my_update' }),
    (wire) => wire.ready().update({ sessionUpdate: 'plan', entries: [] }),
  ),
  agentCase(
    'R-INI-13',
    (wire) => wire.hello().refused('session/new', NEW, -32601),
    (wire) => wire.ready(),
  ),
  clientCase(
    'R-INI-14',
    (wire) =>
      wire.ready().fail('client', wire.open('agent', 'session/request_permission', ASK), -32601),
    (wire) =>
      wire.ready().ask('session/request_permission', ASK, { outcome: { outcome: 'cancelled' } }),
  ),
  agentCase(
    'R-INI-15',
    (wire) =>
      wire.hello({}, { sessionCapabilities: { list: {} } }).refused('session/list', {}, -32601),
    (wire) =>
      wire
        .hello({}, { sessionCapabilities: { list: {} } })
        .call('session/list', {}, { sessions: [] }),
  ),
  clientCase(
    'R-INI-15',
    (wire) =>
      wire
        .ready({ fs: { readTextFile: true } })
        .fail(
          'client',
          wire.open('agent', 'fs/read_text_file', { sessionId: 's', path: '/a' }),
          -32601,
        ),
    (wire) =>
      wire
        .ready({ fs: { readTextFile: true } })
        .ask('fs/read_text_file', { sessionId: 's', path: '/a' }, { content: '' }),
  ),
];

/** Handshake, login, capabilities. */
const HANDSHAKE_CASES: readonly PassiveCase[] = [
  clientCase(
    'R-INI-01',
    (wire) => wire.session().hello(),
    (wire) => wire.ready(),
  ),
  agentCase(
    'R-INI-02',
    (wire) => wire.session().hello(),
    (wire) => wire.refused('session/new', NEW, -32600).hello(),
  ),
  clientCase(
    'R-INI-19',
    (wire) => wire.hello().hello(),
    (wire) => wire.hello(),
  ),
  clientCase(
    'R-INI-03',
    (wire) => initialize(wire, { protocolVersion: '1' }, { protocolVersion: 1 }),
    (wire) => wire.hello(),
  ),
  clientCase(
    'R-INI-04',
    (wire) =>
      initialize(wire, { protocolVersion: 1, clientCapabilities: [] }, { protocolVersion: 1 }),
    (wire) => wire.hello(),
  ),
  clientCase(
    'R-INI-05',
    (wire) => initialize(wire, { protocolVersion: 1 }, { protocolVersion: 1 }),
    (wire) => wire.hello(),
  ),
  clientCase(
    'R-INI-09',
    (wire) => {
      initialize(wire, { protocolVersion: 1 }, { protocolVersion: 9 });
      wire.session();
    },
    (wire) => initialize(wire, { protocolVersion: 1 }, { protocolVersion: 9 }),
  ),
  clientCase(
    'R-ELI-01',
    (wire) => wire.hello({ elicitation: { form: true } }),
    (wire) => wire.hello({ elicitation: { form: {} } }),
  ),
  agentCase(
    'R-INI-06',
    (wire) => initialize(wire, { protocolVersion: 1 }, { capabilities: {} }),
    (wire) => wire.hello(),
  ),
  agentCase(
    'R-INI-07',
    (wire) => initialize(wire, { protocolVersion: 1 }, { protocolVersion: 2 }),
    (wire) => wire.hello(),
  ),
  agentCase(
    'R-INI-17',
    (wire) => initialize(wire, { protocolVersion: 1 }, { protocolVersion: 1 }),
    (wire) => wire.hello(),
  ),
  agentCase(
    'R-INI-18',
    (wire) => initialize(wire, { protocolVersion: 1 }, { protocolVersion: 1 }),
    (wire) => wire.hello(),
  ),
  agentCase(
    'R-AUT-01',
    (wire) =>
      initialize(
        wire,
        { protocolVersion: 1 },
        { protocolVersion: 1, authMethods: [{ methodId: 'a' }] },
      ),
    (wire) =>
      initialize(
        wire,
        { protocolVersion: 1 },
        { protocolVersion: 1, authMethods: [{ id: 'a', name: 'A' }] },
      ),
  ),
  agentCase(
    'R-MCP-07',
    (wire) => wire.hello(),
    (wire) => wire.hello({}, { mcpCapabilities: { http: true } }),
  ),
  agentCase(
    'R-AUT-02',
    (wire) =>
      initialize(
        wire,
        { protocolVersion: 1 },
        { protocolVersion: 1, authMethods: [{ id: 'a', name: 'A', type: 'terminal' }] },
      ),
    (wire) =>
      initialize(
        wire,
        { protocolVersion: 1 },
        { protocolVersion: 1, authMethods: [{ id: 'a', name: 'A' }] },
      ),
  ),
  clientCase(
    'R-AUT-03',
    (wire) => wire.hello().call('authenticate', { methodId: 'x' }, {}),
    (wire) => login(wire, {}),
  ),
  agentCase(
    'R-AUT-04',
    (wire) => login(wire, null),
    (wire) => login(wire, {}),
  ),
];

function login(wire: Wire, result: unknown): void {
  initialize(
    wire,
    { protocolVersion: 1, clientInfo: INFO },
    { protocolVersion: 1, authMethods: [{ id: 'x', name: 'X' }] },
  );
  wire.call('authenticate', { methodId: 'x' }, result);
}

/** A method of the agent that is called without and with its capability. */
function agentGate(
  id: string,
  agent: object,
  method: string,
  params: object,
  result: object,
): PassiveCase {
  return clientCase(
    id,
    (wire) => wire.ready().call(method, params, result),
    (wire) => wire.ready({}, agent as never).call(method, params, result),
  );
}

/** A method of the client that is called without and with its capability. */
function clientGate(id: string, client: object, method: string, params: object): PassiveCase {
  return agentCase(
    id,
    (wire) => wire.ready().ask(method, params, {}),
    (wire) => wire.ready(client as never).ask(method, params, {}),
  );
}

const SETUP = { sessionId: 's', cwd: '/w', mcpServers: [] };
const HTTP = { type: 'http', name: 'm', url: 'http://x', headers: [] };

const GATE_CASES: readonly PassiveCase[] = [
  agentGate('R-AUT-08', { auth: { logout: {} } }, 'logout', {}, {}),
  agentGate('R-LOD-01', { loadSession: true }, 'session/load', SETUP, {}),
  agentGate('R-INI-11', { loadSession: true }, 'session/load', SETUP, {}),
  agentGate('R-RSM-01', { sessionCapabilities: { resume: {} } }, 'session/resume', SETUP, {}),
  agentGate(
    'R-CLS-01',
    { sessionCapabilities: { close: {} } },
    'session/close',
    { sessionId: 's' },
    {},
  ),
  agentGate(
    'R-LST-01',
    { sessionCapabilities: { list: {} } },
    'session/list',
    {},
    { sessions: [] },
  ),
  agentGate(
    'R-DEL-01',
    { sessionCapabilities: { delete: {} } },
    'session/delete',
    { sessionId: 's' },
    {},
  ),
  agentGate(
    'R-DIR-01',
    { sessionCapabilities: { additionalDirectories: {} } },
    'session/new',
    { ...NEW, additionalDirectories: ['/x'] },
    { sessionId: 't' },
  ),
  agentGate(
    'R-MCP-04',
    { mcpCapabilities: { http: true } },
    'session/new',
    { cwd: '/w', mcpServers: [HTTP] },
    { sessionId: 't' },
  ),
  agentGate(
    'R-PRM-02',
    { promptCapabilities: { image: true } },
    'session/prompt',
    { ...PROMPT, prompt: [{ type: 'image', data: '', mimeType: 'image/png' }] },
    { stopReason: 'end_turn' },
  ),
  clientGate('R-FS-01', { fs: { readTextFile: true } }, 'fs/read_text_file', {
    sessionId: 's',
    path: '/a',
  }),
  clientGate('R-INI-20', { terminal: true }, 'terminal/create', { sessionId: 's', command: 'x' }),
  clientGate('R-INI-11', { terminal: true }, 'terminal/create', { sessionId: 's', command: 'x' }),
  clientGate('R-TRM-01', { terminal: true }, 'terminal/create', { sessionId: 's', command: 'x' }),
  clientGate('R-ELI-02', { elicitation: { form: {} } }, 'elicitation/create', {
    sessionId: 's',
    mode: 'form',
    message: '',
  }),
  agentCase(
    'R-NOT-01',
    (wire) => wire.ready().update({ sessionUpdate: 'notice', severity: 'info', title: 'x' }),
    (wire) =>
      wire
        .ready({ session: { notices: {} } })
        .update({ sessionUpdate: 'notice', severity: 'info', title: 'x' }),
  ),
  agentCase(
    'R-CMP-01',
    (wire) =>
      wire
        .ready()
        .update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' }),
    (wire) =>
      wire
        .ready({ session: { compaction: {} } })
        .update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' }),
  ),
  agentCase(
    'R-CFG-03',
    (wire) =>
      wire
        .hello()
        .session({ configOptions: [{ id: 'a', name: 'A', type: 'boolean', currentValue: true }] }),
    (wire) =>
      wire
        .hello({ session: { configOptions: { boolean: {} } } })
        .session({ configOptions: [{ id: 'a', name: 'A', type: 'boolean', currentValue: true }] }),
  ),
];

/** Cases about the connection as a whole. */
export const CONNECTION_CASES: readonly PassiveCase[] = [
  ...WIRE_CASES,
  ...HANDSHAKE_CASES,
  ...GATE_CASES,
];
