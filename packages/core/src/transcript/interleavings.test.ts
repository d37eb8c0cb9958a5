import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { turnId } from '../../../../tests/support/session/inputs.ts';
import { CANCELLED, LogWriter } from '../../../../tests/support/transcript/log.ts';
import { entriesOf } from '../../../../tests/support/transcript/show.ts';
import { turnText } from './turn-text.ts';

/** Things that an agent sends or that happen to its turn, in any order. */
const STEPS: readonly ((log: LogWriter, n: number) => unknown)[] = [
  (log, n) => log.say(`w${n} `),
  (log, n) => log.say(`w${n} `, `m${n % 2}`),
  (log) => log.say(' \n'),
  (log, n) => log.think(`t${n} `),
  (log, n) => log.echo(n % 2 === 0 ? 'go ' : 'on'),
  (log, n) => log.chunk('agent_message_chunk', { type: 'odd', n }),
  (log, n) => log.call(`c${n % 3}`, { status: n % 2 === 0 ? 'pending' : 'in_progress' }),
  (log, n) => log.callUpdate(`c${n % 3}`, { status: 'completed', content: [] }),
  (log, n) => log.callUpdate(`c${n % 3}`, { title: `title ${n}`, rawInput: { n } }),
  (log, n) => log.ask(`A${n}`, { toolCallId: `c${n % 3}`, title: 5, kind: 'teleport' }),
  (log, n) => log.choose(`A${n}`, n % 2 === 0 ? 'yes' : 'no'),
  (log) => log.update({ sessionUpdate: 'plan', entries: [] }),
  (log) => log.update({ sessionUpdate: 'plan', entries: 'odd' }),
  (log, n) => log.update({ sessionUpdate: 'usage_update', used: n, size: 100 }),
  (log, n) => log.update({ sessionUpdate: 'quantum_update', n }),
  (log, n) => log.update({ sessionUpdate: 'agent_message_chunk', n }),
  (log) => log.cancel(),
];

const interleaving = fc.array(
  fc.record({ step: fc.nat(STEPS.length - 1), n: fc.nat(5), isTurnOver: fc.nat(19) }),
  { minLength: 5, maxLength: 60, size: 'max' },
);

type Interleaving = typeof interleaving extends fc.Arbitrary<infer T> ? T : never;

/** A log in which about every twentieth step ends the turn and the one after it starts the next. */
function write(steps: Interleaving): LogWriter {
  const log = new LogWriter().start('T0', 'go on');
  let turns = 0;
  let isRunning = true;
  for (const { step, n, isTurnOver } of steps) {
    STEPS[step]?.(log, n);
    if (isTurnOver > 1) continue;
    if (isRunning) log.end(n % 2 === 0 ? undefined : CANCELLED);
    else log.start(`T${++turns}`, 'go on');
    isRunning = !isRunning;
  }
  return isRunning ? log.end() : log;
}

describe('200 interleavings of chunks, tools, plans, usage and late updates', () => {
  test('look the same live and after a reload', () => {
    fc.assert(
      fc.property(interleaving, (steps) => {
        const log = write(steps);
        expect(log.rebuilt()).toEqual(log.transcript);
      }),
      { numRuns: 200 },
    );
  });

  test('lose no word of a message and mix no thought into it', () => {
    fc.assert(
      fc.property(interleaving, (steps) => {
        const log = write(steps);
        const turns = log.events.flatMap(({ type, turnId: turn }) =>
          type === 'turn.started' && turn !== undefined ? [turn] : [],
        );
        for (const turn of turns) {
          const said = log.events.flatMap((event) => {
            if (event.type !== 'update' || event.turnId !== turn) return [];
            const update = event.data.update.value as {
              sessionUpdate: string;
              content?: { text?: string };
            };
            return update.sessionUpdate === 'agent_message_chunk'
              ? [update.content?.text ?? '']
              : [];
          });
          const bare = (text: string) => text.replace(/\s/g, '');
          expect(bare(turnText(log.transcript, turn))).toBe(bare(said.join('')));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('show one user entry per prompt, each entry once and nothing open', () => {
    fc.assert(
      fc.property(interleaving, (steps) => {
        const log = write(steps);
        const { transcript } = log;
        const ids = transcript.entries.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const prompts = entriesOf(transcript, 'user_message').filter(({ promptId }) => promptId);
        const started = log.events.filter(({ type }) => type === 'turn.started');
        expect(prompts).toHaveLength(started.length);
        for (const { turnId: turn, status } of entriesOf(transcript, 'tool_call')) {
          if (turn !== undefined) expect(['pending', 'in_progress']).not.toContain(status);
        }
        expect(turnText(transcript, turnId('T-none'))).toBe('');
      }),
      { numRuns: 200 },
    );
  });
});
