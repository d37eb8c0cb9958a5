import fc from 'fast-check';
import { CANCELLED, LogWriter } from './log.ts';

type Step = (log: LogWriter, n: number) => unknown;

const text = (value: string) => ({ type: 'text', text: value });
/** A text that is longer than the least that a text can be cut to. */
const long = (n: number) => `${n}é😀`.repeat(50);
/** The prompt of every sixth turn begins like all others. */
const LONG_PROMPT = `go on${'x€'.repeat(100)}`;

/** Things that may stand in a log beside the start and the end of turns, in any order. */
const STEPS: readonly Step[] = [
  (log, n) => log.say(`w${n} `),
  (log, n) => log.say(`é😀${n}"\\\n`, `m${n % 2}`),
  (log) => log.say(' \n'),
  (log, n) => log.say(long(n)),
  (log, n) => log.say(`${long(n)}\ud83d`),
  (log, n) => log.say(`\ude00${long(n)}`),
  (log) => log.say(' '.repeat(200)),
  (log, n) => log.think(long(n)),
  (log) => log.say('', null),
  (log, n) => log.think(`t${n} `),
  (log, n) => log.echo(n % 2 === 0 ? 'go ' : 'on'),
  (log, n) => log.echo(`said ${n}`, 'u'),
  (log) => log.echo('x€'.repeat(50)),
  (log, n) => log.chunk('agent_message_chunk', { type: 'odd', n }),
  (log, n) => log.chunk('agent_message_chunk', { ...text('a'), annotations: { priority: n % 2 } }),
  (log, n) =>
    log.update({ sessionUpdate: 'agent_message_chunk', content: text('b'), _meta: { n } }),
  (log) =>
    log.update(
      '{ "content" : {"text":"\\u00e9\\ud83d","type":"text"},\n"sessionUpdate":"agent_message_chunk"}',
    ),
  (log) =>
    log.update(
      '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\\ude00"}}',
    ),
  (log, n) => log.call(`c${n % 3}`, { status: n % 2 === 0 ? 'pending' : 'in_progress' }),
  (log, n) => log.callUpdate(`c${n % 3}`, { status: 'completed', content: [] }),
  (log, n) => log.callUpdate(`c${n % 3}`, { title: `title ${n}`, rawInput: { n } }),
  (log, n) => log.callUpdate(`c${n % 2}`, { status: 'in_progress', rawOutput: `${n} %` }),
  (log, n) =>
    log.callUpdate(`c${n % 2}`, { content: [{ type: 'content', content: text(`${n}`) }] }),
  (log, n) => log.callUpdate(`c${n % 3}`, { rawInput: { n: long(n) } }),
  (log, n) => log.callUpdate(`c${n % 3}`, { rawOutput: n % 2 === 0 ? long(n) : n }),
  (log, n) =>
    log.callUpdate(`c${n % 3}`, {
      content: [
        { type: 'diff', path: '/x', newText: long(n) },
        { type: 'terminal', terminalId: `t${n % 2}` },
        { type: 'content', content: text('€'.repeat(n * 40)) },
      ],
    }),
  (log, n) => log.callUpdate('c0', { _meta: n % 2 === 0 ? { progress: n } : { progress: n, n } }),
  (log, n) => log.callUpdate('c0', { kind: ['edit', 'teleport', 5][n % 3], status: 'weird' }),
  (log, n) => log.callUpdate('c1', { content: [{ type: 'terminal', terminalId: `t${n % 2}` }] }),
  (log, n) =>
    log.update(`{"sessionUpdate":"tool_call","toolCallId":"c${n}","title":"t","rawInput":1.0}`),
  (log, n) => log.ask(`A${n}`, { toolCallId: `c${n % 3}`, title: 5, kind: 'teleport' }),
  (log, n) => log.ask(`B${n}`, { toolCallId: `d${n % 2}`, title: 'Run' }),
  (log, n) => log.choose(`A${n}`, n % 2 === 0 ? 'yes' : 'no'),
  (log, n) => log.resolve(`B${n}`, { kind: 'cancelled' }, 'no_fitting_option'),
  (log, n) => log.update({ sessionUpdate: 'plan', entries: n === 0 ? [] : [planEntry(n)] }),
  (log) => log.update({ sessionUpdate: 'plan', entries: 'odd' }),
  (log, n) => log.update({ sessionUpdate: 'usage_update', used: n, size: 100 }),
  (log, n) => log.update({ sessionUpdate: 'usage_update', used: n, size: 9, cost: cost(n) }),
  (log) => log.update({ sessionUpdate: 'usage_update', used: 1, size: 1 }, 'odd'),
  (log, n) => log.update({ sessionUpdate: 'quantum_update', n }),
  (log, n) => log.update({ sessionUpdate: 'agent_message_chunk', n }),
  (log, n) => log.update(notice(n)),
  (log, n) => log.update({ ...notice(n), description: long(n) }),
  (log, n) => log.update({ sessionUpdate: 'quantum_update', state: long(n) }),
  (log, n) => log.update({ sessionUpdate: 'session_info_update', title: n === 0 ? null : `${n}` }),
  (log, n) => log.update({ sessionUpdate: 'current_mode_update', currentModeId: `${n}` }),
  (log, n) =>
    log.update({
      sessionUpdate: 'compaction_update',
      compactionId: `k${n % 2}`,
      status: status(n),
    }),
  (log, n) =>
    log.update({
      ...{ sessionUpdate: 'compaction_summary_chunk', compactionId: `k${n % 2}` },
      content: text('s'),
    }),
  (log, n) =>
    log.update({
      ...{ sessionUpdate: 'compaction_summary_chunk', compactionId: `k${n % 2}` },
      content: text(long(n)),
    }),
  (log, n) =>
    log.update({
      ...{ sessionUpdate: 'compaction_update', compactionId: `k${n % 2}` },
      ...{ status: status(n), summary: n < 3 ? null : [text('s'), text(long(n))] },
    }),
  (log, n) => log.terminal(`t${n % 2}`),
  (log, n) => log.terminalEnded(`t${n % 2}`),
  (log, n) => log.terminalEnded(`t${n % 2}`, long(n)),
  (log, n) => log.queue(`Q${n}`, 'later'),
  (log, n) => log.queue(`Q${n}`, long(n)),
  (log, n) => log.drop(`Q${n}`),
  (log, n) => log.accessed(n % 2 === 0 ? 'read' : 'write', `/f${n}`, `d${n}`),
  (log) => log.agentStarted(),
  (log, n) => log.agentStarted({ sessionId: 's', modes: modes(n), configOptions: [option(n)] }),
  (log, n) => log.agentStarted({ sessionId: 's', modes: n % 2 === 0 ? 'odd' : modes(n) }),
  (log, n) =>
    log.update({ sessionUpdate: 'available_commands_update', availableCommands: commands(n) }),
  (log, n) =>
    log.update({
      sessionUpdate: 'config_option_update',
      configOptions: n === 0 ? 'odd' : [option(n)],
    }),
  (log) => log.agentExited(),
  (log) => log.cancel(),
];

const notice = (n: number) => ({ sessionUpdate: 'notice', severity: 'info', title: `n${n}` });
const modes = (n: number) => ({
  currentModeId: `${n % 3}`,
  availableModes: [{ id: `${n % 3}`, name: `mode ${n}` }],
});
const option = (n: number) => ({
  type: 'boolean',
  id: 'o',
  name: `option ${n}`,
  currentValue: true,
});
const commands = (n: number) => (n === 0 ? 'odd' : [{ name: `c${n}`, description: 'x' }]);
const planEntry = (n: number) => ({ content: `p${n}`, priority: 'high', status: 'pending' });
const cost = (n: number) => (n === 0 ? null : { amount: n, currency: 'USD' });
const status = (n: number) => ['in_progress', 'completed', 'thinking'][n % 3];

const steps = fc.array(
  fc.record({
    step: fc.nat(STEPS.length - 1),
    n: fc.nat(5),
    /** How often it comes in a row; each time with another number. */
    times: fc.integer({ min: 1, max: 4 }),
    /** Ends a turn or begins one if it is 0. */
    turn: fc.nat(9),
    /** Comes late if it is 0. */
    late: fc.nat(7),
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
);

/** A log of several turns, with bursts, late news, repeated ids and what does not fit the protocol. */
export const anyLog: fc.Arbitrary<LogWriter> = steps.map((chosen) => {
  const log = new LogWriter().created();
  let turns = 0;
  let isRunning = false;
  for (const { step, n, times, turn, late } of chosen) {
    if (turn === 0) {
      if (isRunning) log.end(n % 2 === 0 ? undefined : CANCELLED);
      else log.start(`T${++turns}`, n === 5 ? LONG_PROMPT : 'go on');
      isRunning = !isRunning;
    }
    const write = () => {
      for (let time = 0; time < times; time++) STEPS[step]?.(log, (n + time) % 6);
    };
    if (late > 0) write();
    else log.late(n % 2 === 0 ? undefined : 'T1', write);
  }
  return log;
});
