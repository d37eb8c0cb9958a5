import { agentCase, clientCase, type PassiveCase } from './passive-case.ts';
import type { Wire } from './wire.ts';

const NEW = { cwd: '/w', mcpServers: [] };
const LOAD = { loadSession: true };
const SELECT = {
  id: 'm',
  name: 'M',
  type: 'select',
  currentValue: 'a',
  options: [
    { value: 'a', name: 'A' },
    { value: 'b', name: 'B' },
  ],
};
const OTHER = { ...SELECT, id: 'n' };
const MODES = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };

function stdio(server: object): (wire: Wire) => void {
  return (wire) =>
    wire.hello().call('session/new', { cwd: '/w', mcpServers: [server] }, { sessionId: 's' });
}

function text(wire: Wire, value = 'x'): void {
  wire.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: value } });
}

/** The client sets an option and this list comes back. */
function setOption(configOptions: unknown): (wire: Wire) => void {
  return (wire) =>
    wire
      .hello()
      .session({ configOptions: [SELECT, OTHER] })
      .call(
        'session/set_config_option',
        { sessionId: 's', configId: 'm', value: 'b' },
        { configOptions },
      );
}

function listed(
  entry: object,
  agent: object = { sessionCapabilities: { list: {} } },
): (wire: Wire) => void {
  return (wire) => wire.hello({}, agent as never).call('session/list', {}, { sessions: [entry] });
}

/** The client sets the mode of a session with these options. */
function setMode(configOptions: unknown): (wire: Wire) => void {
  return (wire) =>
    wire
      .hello()
      .session({ modes: MODES, configOptions })
      .call('session/set_mode', { sessionId: 's', modeId: 'a' }, {});
}

/** A title is told, and then the list is asked for. */
function titled(title: string): (wire: Wire) => void {
  return (wire) =>
    wire
      .ready({}, { sessionCapabilities: { list: {} } })
      .update({ sessionUpdate: 'session_info_update', title: 'A' })
      .call('session/list', {}, { sessions: [{ sessionId: 's', cwd: '/w', title }] });
}

const READ = { sessionId: 's', path: '/a' };

/** Sessions: paths, ids, setup, lists, options. */
export const SESSION_CASES: readonly PassiveCase[] = [
  agentCase(
    'R-FRM-28',
    (wire) => wire.ready().ask('fs/read_text_file', { ...READ, path: 'a' }, {}),
    (wire) => wire.ready().ask('fs/read_text_file', READ, {}),
  ),
  agentCase(
    'R-FS-02',
    (wire) => wire.ready().ask('fs/read_text_file', { ...READ, path: './a' }, {}),
    (wire) => wire.ready().ask('fs/read_text_file', { ...READ, path: 'C:\\a' }, {}),
  ),
  agentCase(
    'R-FRM-29',
    (wire) => wire.ready().ask('fs/read_text_file', { ...READ, line: 0 }, {}),
    (wire) => wire.ready().ask('fs/read_text_file', { ...READ, line: 1 }, {}),
  ),
  agentCase(
    'R-TOOL-19',
    (wire) =>
      wire.ready().update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'x',
        locations: [{ path: 'a' }],
      }),
    (wire) =>
      wire.ready().update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'x',
        locations: [{ path: '/a' }],
      }),
  ),
  agentCase(
    'R-TOOL-17',
    (wire) =>
      wire.ready().update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'x',
        content: [{ type: 'diff', path: 'a', newText: '' }],
      }),
    (wire) =>
      wire.ready().update({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'x',
        content: [{ type: 'diff', path: '\\\\host\\a', newText: '' }],
      }),
  ),
  agentCase(
    'R-TRM-05',
    (wire) => wire.ready().ask('terminal/create', { sessionId: 's', command: 'x', cwd: 'w' }, {}),
    (wire) => wire.ready().ask('terminal/create', { sessionId: 's', command: 'x', cwd: '/w' }, {}),
  ),
  agentCase(
    'R-LST-04',
    listed({ sessionId: 'a', cwd: 'w' }),
    listed({ sessionId: 'a', cwd: '/w' }),
  ),
  clientCase(
    'R-FRM-28',
    (wire) => wire.hello().call('session/new', { ...NEW, cwd: '.' }, { sessionId: 's' }),
    (wire) => wire.ready(),
  ),
  clientCase(
    'R-SES-04',
    (wire) => wire.hello().call('session/new', { ...NEW, cwd: '' }, { sessionId: 's' }),
    (wire) => wire.ready(),
  ),
  clientCase(
    'R-DIR-02',
    (wire) =>
      wire
        .hello()
        .call('session/new', { ...NEW, additionalDirectories: ['x'] }, { sessionId: 's' }),
    (wire) =>
      wire
        .hello()
        .call('session/new', { ...NEW, additionalDirectories: ['/x'] }, { sessionId: 's' }),
  ),
  clientCase(
    'R-DIR-02',
    (wire) =>
      wire.hello().call('session/new', { ...NEW, additionalDirectories: [''] }, { sessionId: 's' }),
    (wire) =>
      wire
        .hello()
        .call('session/new', { ...NEW, additionalDirectories: ['/x'] }, { sessionId: 's' }),
  ),
  clientCase(
    'R-MCP-03',
    stdio({ name: 'm', command: 'npx', args: [], env: [] }),
    stdio({ name: 'm', command: '/m', args: [], env: [] }),
  ),
  clientCase(
    'R-MCP-02',
    stdio({ name: 'm', command: '/m', args: [], env: {} }),
    stdio({ name: 'm', command: '/m', args: ['a'], env: [{ name: 'A', value: '' }] }),
  ),
  clientCase(
    'R-MCP-05',
    stdio({ type: 'http', name: 'm', url: 'http://x', headers: {} }),
    stdio({ type: 'http', name: 'm', url: 'http://x', headers: [] }),
  ),
  agentCase(
    'R-SES-02',
    (wire) => wire.ready().session(),
    (wire) => wire.ready().session({}, 't'),
  ),
  agentCase(
    'R-SES-11',
    (wire) => wire.hello().update({ sessionUpdate: 'plan', entries: [] }).session(),
    (wire) => wire.ready().update({ sessionUpdate: 'plan', entries: [] }),
  ),
  clientCase(
    'R-SES-03',
    (wire) => wire.ready().call('session/set_mode', { sessionId: 'z', modeId: 'a' }, {}),
    (wire) => wire.ready().call('session/set_mode', { sessionId: 's', modeId: 'a' }, {}),
  ),
  clientCase(
    'R-PRM-01',
    (wire) =>
      wire
        .hello()
        .call('session/prompt', { sessionId: 's', prompt: [] }, { stopReason: 'end_turn' }),
    (wire) => wire.ready().turn(() => undefined),
  ),
  clientCase(
    'R-PRM-01',
    (wire) =>
      wire
        .ready()
        .call('session/prompt', { sessionId: 's', prompt: 'x' }, { stopReason: 'end_turn' }),
    (wire) => wire.ready().turn(() => undefined),
  ),
  agentCase(
    'R-CHK-02',
    (wire) => wire.ready().update({ sessionUpdate: 'plan', entries: [] }, 'z'),
    (wire) => wire.ready().update({ sessionUpdate: 'plan', entries: [] }),
  ),
  agentCase(
    'R-CLS-02',
    (wire) =>
      text(
        wire
          .ready({}, { sessionCapabilities: { close: {} } })
          .call('session/close', { sessionId: 's' }, {}),
      ),
    (wire) =>
      wire
        .ready({}, { sessionCapabilities: { close: {} } })
        .call('session/close', { sessionId: 's' }, {}),
  ),
  clientCase(
    'R-SES-01',
    (wire) => wire.hello().call('session/new', { cwd: '/w' }, { sessionId: 's' }),
    (wire) => wire.ready(),
  ),
  clientCase(
    'R-LOD-02',
    (wire) => wire.hello({}, LOAD).call('session/load', { sessionId: 's', mcpServers: [] }, {}),
    (wire) => wire.hello({}, LOAD).call('session/load', { sessionId: 's', ...NEW }, {}),
  ),
  clientCase(
    'R-MCP-11',
    (wire) => wire.hello({}, LOAD).call('session/load', { sessionId: 's', cwd: '/w' }, {}),
    (wire) => wire.hello({}, LOAD).call('session/load', { sessionId: 's', ...NEW }, {}),
  ),
  clientCase(
    'R-RSM-02',
    (wire) => wire.hello().call('session/resume', { sessionId: 's' }, {}),
    (wire) => wire.hello().call('session/resume', { sessionId: 's', cwd: '/w' }, {}),
  ),
  agentCase(
    'R-LOD-05',
    (wire) => wire.hello({}, LOAD).call('session/load', { sessionId: 's', ...NEW }, null),
    (wire) => wire.hello({}, LOAD).call('session/load', { sessionId: 's', ...NEW }, {}),
  ),
  agentCase(
    'R-RSM-05',
    (wire) => wire.hello().call('session/resume', { sessionId: 's', cwd: '/w' }, null),
    (wire) => wire.hello().call('session/resume', { sessionId: 's', cwd: '/w' }, {}),
  ),
  agentCase(
    'R-CLS-04',
    (wire) => wire.ready().call('session/close', { sessionId: 's' }, true),
    (wire) => wire.ready().call('session/close', { sessionId: 's' }, {}),
  ),
  clientCase(
    'R-FS-07',
    (wire) => wire.ready().ask('fs/write_text_file', { ...READ, content: '' }, null),
    (wire) => wire.ready().ask('fs/write_text_file', { ...READ, content: '' }, {}),
  ),
  agentCase(
    'R-MOD-01',
    (wire) => wire.hello().session({ modes: { ...MODES, currentModeId: 'z' } }),
    (wire) => wire.hello().session({ modes: MODES }),
  ),
  clientCase(
    'R-MOD-02',
    (wire) =>
      wire
        .hello()
        .session({ modes: MODES })
        .call('session/set_mode', { sessionId: 's', modeId: 'A' }, {}),
    (wire) =>
      wire
        .hello()
        .session({ modes: MODES })
        .call('session/set_mode', { sessionId: 's', modeId: 'a' }, {}),
  ),
  clientCase('R-CFG-05', setMode([{ ...SELECT, category: 'mode' }]), setMode([SELECT])),
  agentCase(
    'R-MOD-05',
    (wire) =>
      wire
        .hello()
        .session({ modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] } })
        .update({ sessionUpdate: 'current_mode_update', currentModeId: 'b' }),
    (wire) =>
      wire
        .hello()
        .session({ modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] } })
        .update({ sessionUpdate: 'current_mode_update', currentModeId: 'a' }),
  ),
  agentCase(
    'R-FS-02',
    (wire) =>
      wire
        .ready({ fs: { readTextFile: true } })
        .ask('fs/read_text_file', { sessionId: 'z', path: '/w/a' }, { content: '' }),
    (wire) =>
      wire
        .ready({ fs: { readTextFile: true } })
        .ask('fs/read_text_file', { sessionId: 's', path: '/w/a' }, { content: '' }),
  ),
  agentCase(
    'R-TRM-05',
    (wire) =>
      wire
        .ready({ terminal: true })
        .ask('terminal/create', { sessionId: 'z', command: 'ls' }, { terminalId: 't' }),
    (wire) =>
      wire
        .ready({ terminal: true })
        .ask('terminal/create', { sessionId: 's', command: 'ls' }, { terminalId: 't' }),
  ),
  agentCase(
    'R-LST-06',
    (wire) =>
      wire
        .hello({}, { sessionCapabilities: { list: {} } })
        .call('session/list', { cursor: 'x' }, { sessions: [], nextCursor: 'x' }),
    (wire) =>
      wire
        .hello({}, { sessionCapabilities: { list: {} } })
        .call('session/list', { cursor: 'x' }, { sessions: [], nextCursor: 'y' }),
  ),
  agentCase(
    'R-MOD-05',
    (wire) => wire.ready().update({ sessionUpdate: 'current_mode_update', modeId: 'a' }),
    (wire) => wire.ready().update({ sessionUpdate: 'current_mode_update', currentModeId: 'a' }),
  ),
  agentCase(
    'R-CFG-01',
    (wire) =>
      wire.hello().session({ configOptions: [{ configId: 'm', name: 'M', type: 'select' }] }),
    (wire) => wire.hello().session({ configOptions: [SELECT] }),
  ),
  agentCase(
    'R-CFG-02',
    (wire) =>
      wire.hello().session({
        configOptions: [
          {
            ...SELECT,
            options: [
              { value: 'a', name: 'A' },
              { group: 'g', name: 'G', options: [] },
            ],
          },
        ],
      }),
    (wire) => wire.hello().session({ configOptions: [SELECT] }),
  ),
  agentCase(
    'R-CFG-02',
    (wire) => wire.hello().session({ configOptions: [{ ...SELECT, currentValue: 'z' }] }),
    (wire) =>
      wire.hello().session({
        configOptions: [
          { ...SELECT, options: [{ group: 'g', name: 'G', options: SELECT.options }] },
        ],
      }),
  ),
  agentCase('R-CFG-09', setOption([]), setOption([{ ...SELECT, currentValue: 'b' }, OTHER])),
  agentCase(
    'R-CFG-09',
    setOption([{ ...SELECT, currentValue: 'b' }]),
    setOption([{ ...SELECT, currentValue: 'b' }, OTHER]),
  ),
  agentCase(
    'R-CFG-13',
    (wire) =>
      wire
        .hello()
        .session({ configOptions: [SELECT, OTHER] })
        .update({ sessionUpdate: 'config_option_update', configOptions: [OTHER] }),
    (wire) =>
      wire
        .hello()
        .session({ configOptions: [SELECT, OTHER] })
        .update({ sessionUpdate: 'config_option_update', configOptions: [SELECT, OTHER] }),
  ),
  clientCase(
    'R-CFG-08',
    (wire) =>
      wire
        .ready()
        .call(
          'session/set_config_option',
          { sessionId: 's', configId: 'm', type: 'boolean', value: 'true' },
          {},
        ),
    (wire) =>
      wire
        .ready()
        .call(
          'session/set_config_option',
          { sessionId: 's', configId: 'm', type: 'boolean', value: true },
          {},
        ),
  ),
  agentCase(
    'R-LST-03',
    (wire) => wire.hello().call('session/list', {}, {}),
    (wire) => wire.hello().call('session/list', {}, { sessions: [] }),
  ),
  agentCase(
    'R-LST-04',
    listed({ sessionId: 'a', cwd: '/w', updatedAt: 5 }),
    listed({ sessionId: 'a', cwd: '/w', updatedAt: '2026-01-01T00:00:00Z' }),
  ),
  agentCase(
    'R-LST-12',
    listed({ sessionId: 'a', cwd: '/w', additionalDirectories: [] }),
    listed(
      { sessionId: 'a', cwd: '/w', additionalDirectories: [] },
      { sessionCapabilities: { additionalDirectories: {} } },
    ),
  ),
  clientCase(
    'R-LST-08',
    (wire) => wire.hello().call('session/list', { cursor: 'x' }, { sessions: [] }),
    (wire) =>
      wire
        .hello()
        .call('session/list', {}, { sessions: [], nextCursor: 'x' })
        .call('session/list', { cursor: 'x' }, { sessions: [] }),
  ),
  agentCase(
    'R-LST-15',
    (wire) => wire.ready().update({ sessionUpdate: 'session_info_update', cwd: '/w' }),
    (wire) => wire.ready().update({ sessionUpdate: 'session_info_update', title: null }),
  ),
  agentCase('R-LST-17', titled('B'), titled('A')),
];
