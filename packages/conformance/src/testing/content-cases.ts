import { agentCase, clientCase, type PassiveCase } from './passive-case.ts';
import { CALL, chunk, say, turn } from './updates.ts';
import type { Wire } from './wire.ts';

const PLAN = [
  { content: 'a', priority: 'high', status: 'pending' },
  { content: 'b', priority: 'low', status: 'pending' },
];
const HTTP_BLOCK = { type: 'resource', resource: { uri: 'file:///a', text: 'x' } };
const USAGE = { sessionUpdate: 'usage_update', used: 1, size: 2 };
const COMMANDS = { sessionUpdate: 'available_commands_update' };
const FORM = { sessionId: 's', mode: 'form', message: 'm' };
const SCHEMA = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const URL_FORM = {
  sessionId: 's',
  mode: 'url',
  message: 'm',
  elicitationId: 'e',
  url: 'https://x.example',
};

function elicit(params: object, answer: unknown = { action: 'decline' }): (wire: Wire) => void {
  return (wire) =>
    wire.ready({ elicitation: { form: {}, url: {} } }).ask('elicitation/create', params, answer);
}

function form(properties: object): (wire: Wire) => void {
  return elicit({ ...FORM, requestedSchema: { type: 'object', properties } });
}

/** Content, plans, commands, usage, elicitation, notices, compaction. */
export const CONTENT_CASES: readonly PassiveCase[] = [
  agentCase(
    'R-CHK-01',
    say({ sessionUpdate: 'agent_message_chunk', content: [{ type: 'text', text: 'x' }] }),
    say(chunk('x')),
  ),
  agentCase(
    'R-CHK-04',
    turn({}, chunk('a', { messageId: '1' }), chunk('b', { messageId: '1' }, 'agent_thought_chunk')),
    turn({}, chunk('a', { messageId: '1' }), chunk('b', { messageId: '1' })),
  ),
  agentCase(
    'R-CHK-05',
    (wire) =>
      wire
        .ready()
        .turn((inner) => inner.update(chunk('a', { messageId: '1' })))
        .turn((inner) => inner.update(chunk('b', { messageId: '1' }))),
    turn({}, chunk('a', { messageId: '1' }), chunk('b', { messageId: '1' })),
  ),
  agentCase('R-USG-01', say({ ...USAGE, used: 0.5 }), say(USAGE)),
  agentCase('R-USG-02', say({ ...USAGE, size: 0 }), say(USAGE)),
  agentCase(
    'R-USG-03',
    say({ ...USAGE, cost: { amount: 1 } }),
    say({ ...USAGE, cost: { amount: 1, currency: 'EUR' } }),
  ),
  agentCase(
    'R-USG-03',
    turn(
      {},
      { ...USAGE, cost: { amount: 2, currency: 'EUR' } },
      { ...USAGE, cost: { amount: 1, currency: 'EUR' } },
    ),
    say({ ...USAGE, cost: { amount: 1, currency: 'EUR' } }),
  ),
  agentCase(
    'R-PLN-02',
    say({ sessionUpdate: 'plan', entries: [{ content: 'a', status: 'cancelled' }] }),
    say({ sessionUpdate: 'plan', entries: PLAN }),
  ),
  agentCase(
    'R-PLN-03',
    turn(
      {},
      { sessionUpdate: 'plan', entries: PLAN },
      { sessionUpdate: 'plan', entries: [{ ...PLAN[0], status: 'completed' }] },
    ),
    turn(
      {},
      { sessionUpdate: 'plan', entries: PLAN },
      { sessionUpdate: 'plan', entries: [{ ...PLAN[0], status: 'completed' }, PLAN[1]] },
    ),
  ),
  agentCase(
    'R-CMD-01',
    say({ ...COMMANDS, availableCommands: [{ name: 'a' }] }),
    say({ ...COMMANDS, availableCommands: [{ name: 'a', description: 'b', input: null }] }),
  ),
  agentCase(
    'R-CMD-03',
    say({ ...COMMANDS, availableCommands: [{ name: '/a', description: '' }] }),
    say({ ...COMMANDS, availableCommands: [{ name: 'a', description: '' }] }),
  ),
  agentCase(
    'R-CNT-01',
    say(chunk('x', { content: { type: 'resource_link', uri: 'file:///a' } })),
    say(chunk('x')),
  ),
  agentCase(
    'R-CNT-02',
    say(chunk('x', { content: { type: 'resource', resource: { uri: 'file:///a' } } })),
    say(chunk('x', { content: HTTP_BLOCK })),
  ),
  agentCase(
    'R-CNT-03',
    say(
      chunk('x', {
        content: { type: 'image', data: 'data:image/png;base64,AA==', mimeType: 'image/png' },
      }),
    ),
    say(chunk('x', { content: { type: 'image', data: 'AA==', mimeType: 'image/png' } })),
  ),
  agentCase(
    'R-CNT-07',
    say(chunk('x', { content: { type: 'text', text: 'x', annotations: { audience: 'user' } } })),
    say(chunk('x', { content: { type: 'text', text: 'x', annotations: { audience: ['user'] } } })),
  ),
  clientCase('R-CNT-01', prompt({ type: 'text' }), prompt({ type: 'text', text: 'x' })),
  clientCase(
    'R-CNT-02',
    prompt({ type: 'resource', resource: { uri: 'a', text: '', blob: '' } }),
    prompt(HTTP_BLOCK),
  ),
  clientCase(
    'R-CNT-03',
    prompt({ type: 'audio', data: 'A-_A', mimeType: 'audio/wav' }),
    prompt({ type: 'audio', data: 'A+/A', mimeType: 'audio/wav' }),
  ),
  clientCase(
    'R-CNT-07',
    prompt({ type: 'text', text: 'x', annotations: { priority: 'high' } }),
    prompt({ type: 'text', text: 'x', annotations: { priority: 1 } }),
  ),
  agentCase(
    'R-TOOL-18',
    say({ ...CALL, content: [{ type: 'terminal', terminalId: 'x' }] }),
    terminal({ shown: true }),
  ),
  agentCase('R-TRM-15', terminal({ shownLate: true }), terminal({ shown: true })),
  agentCase('R-TRM-12', terminal({ isKept: true }), terminal({ shown: true })),
  agentCase('R-TRM-18', terminal({ isKilledLate: true }), terminal({ isKilled: true })),
  agentCase(
    'R-TRM-05',
    (wire) =>
      wire.ready().ask('terminal/create', { sessionId: 's', command: 'x', env: { A: '1' } }, {}),
    (wire) =>
      wire
        .ready()
        .ask(
          'terminal/create',
          { sessionId: 's', command: 'x', env: [{ name: 'A', value: '1' }] },
          {},
        ),
  ),
  clientCase(
    'R-TRM-03',
    (wire) =>
      wire.ready().ask('terminal/create', { sessionId: 's', command: 'x' }, { terminalId: '' }),
    terminal({}),
  ),
  clientCase(
    'R-TRM-06',
    (wire) =>
      wire.ready().ask('terminal/output', { sessionId: 's', terminalId: 't' }, { output: 'x' }),
    (wire) =>
      wire
        .ready()
        .ask(
          'terminal/output',
          { sessionId: 's', terminalId: 't' },
          { output: 'x', truncated: false },
        ),
  ),
  clientCase(
    'R-TRM-08',
    (wire) =>
      wire
        .ready()
        .ask('terminal/wait_for_exit', { sessionId: 's', terminalId: 't' }, { exitCode: -1 }),
    (wire) =>
      wire
        .ready()
        .ask(
          'terminal/wait_for_exit',
          { sessionId: 's', terminalId: 't' },
          { exitCode: null, signal: 'SIGKILL' },
        ),
  ),
  clientCase(
    'R-TRM-09',
    (wire) =>
      wire
        .ready()
        .ask(
          'terminal/wait_for_exit',
          { sessionId: 's', terminalId: 't' },
          { exitStatus: { exitCode: 0 } },
        ),
    (wire) =>
      wire
        .ready()
        .ask('terminal/wait_for_exit', { sessionId: 's', terminalId: 't' }, { exitCode: 0 }),
  ),
  agentCase(
    'R-ELI-04',
    elicit({ mode: 'form', message: 'm', requestedSchema: SCHEMA }),
    elicit({ ...FORM, requestedSchema: SCHEMA }),
  ),
  agentCase('R-ELI-05', form({ a: { type: 'object' } }), form({ a: { type: 'string' } })),
  agentCase(
    'R-ELI-06',
    form({ a: { type: 'number', exclusiveMinimum: 1 } }),
    form({ a: { type: 'number', minimum: 1 } }),
  ),
  agentCase('R-ELI-12', form({ api_key: { type: 'string' } }), form({ name: { type: 'string' } })),
  agentCase(
    'R-ELI-26',
    form({ a: { type: 'string', description: 'see https://x' } }),
    form({ a: { type: 'string' } }),
  ),
  agentCase('R-ELI-13', elicit({ ...URL_FORM, url: 'nowhere' }), elicit(URL_FORM)),
  agentCase('R-ELI-20', elicit({ ...URL_FORM, url: 'https://me:pw@x.example' }), elicit(URL_FORM)),
  agentCase(
    'R-ELI-15',
    (wire) => wire.ready().notify('agent', 'elicitation/complete', { elicitationId: 'z' }),
    (wire) => {
      elicit(URL_FORM)(wire);
      wire.notify('agent', 'elicitation/complete', { elicitationId: 'e' });
    },
  ),
  clientCase(
    'R-ELI-07',
    elicit(URL_FORM, { action: 'reject' }),
    elicit(URL_FORM, { action: 'accept' }),
  ),
  clientCase(
    'R-ELI-08',
    elicit({ ...FORM, requestedSchema: SCHEMA }, { action: 'accept', content: { name: 5 } }),
    elicit({ ...FORM, requestedSchema: SCHEMA }, { action: 'accept', content: { name: 'x' } }),
  ),
  agentCase(
    'R-NOT-02',
    say({ sessionUpdate: 'notice', severity: 'info', title: '' }),
    say({ sessionUpdate: 'notice', severity: '_x', title: 'x' }),
  ),
  agentCase(
    'R-NOT-05',
    replayedNotice,
    say({ sessionUpdate: 'notice', severity: 'info', title: 'x' }),
  ),
  agentCase(
    'R-LOD-10',
    replayedNotice,
    say({ sessionUpdate: 'notice', severity: 'info', title: 'x' }),
  ),
  agentCase(
    'R-CMP-02',
    say({ sessionUpdate: 'compaction_update', status: 'completed' }),
    compaction('in_progress', 'completed'),
  ),
  agentCase(
    'R-CMP-03',
    compaction('completed', 'completed'),
    compaction('in_progress', 'completed'),
  ),
  agentCase('R-CMP-04', compaction('completed', 'chunk'), compaction('in_progress', 'chunk')),
  agentCase('R-CMP-04', compaction('chunk'), compaction('in_progress', 'chunk')),
  agentCase(
    'R-CMP-06',
    say({
      sessionUpdate: 'compaction_update',
      compactionId: 'c',
      status: 'failed',
      summary: [{ type: 'text', text: 'x' }],
    }),
    compaction('in_progress', 'completed'),
  ),
];

function prompt(block: object): (wire: Wire) => void {
  return (wire) =>
    wire
      .ready()
      .call('session/prompt', { sessionId: 's', prompt: [block] }, { stopReason: 'end_turn' });
}

function terminal(how: {
  shown?: boolean;
  shownLate?: boolean;
  isKept?: boolean;
  isKilled?: boolean;
  isKilledLate?: boolean;
}): (wire: Wire) => void {
  const shown = { ...CALL, content: [{ type: 'terminal', terminalId: 'x' }] };
  const id = { sessionId: 's', terminalId: 'x' };
  return (wire) =>
    wire.ready({ terminal: true }).turn((inner) => {
      inner.ask('terminal/create', { sessionId: 's', command: 'x' }, { terminalId: 'x' });
      if (how.shown) inner.update(shown);
      if (how.isKilled) inner.ask('terminal/kill', id, {});
      if (!how.isKept) inner.ask('terminal/release', id, {});
      if (how.isKilledLate) inner.ask('terminal/kill', id, {});
      if (how.shownLate) inner.update(shown);
    });
}

function replayedNotice(wire: Wire): void {
  const id = wire
    .ready({}, { loadSession: true })
    .open('client', 'session/load', { sessionId: 's', cwd: '/w', mcpServers: [] });
  wire.update({ sessionUpdate: 'notice', severity: 'info', title: 'x' }).answer('agent', id, {});
}

function compaction(...steps: readonly string[]): (wire: Wire) => void {
  return (wire) => {
    wire.ready({ session: { compaction: {} } });
    for (const status of steps) {
      if (status === 'chunk')
        wire.update(chunk('x', { compactionId: 'c' }, 'compaction_summary_chunk'));
      else wire.update({ sessionUpdate: 'compaction_update', compactionId: 'c', status });
    }
  };
}
