import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { turnId } from '../../../../tests/support/session/inputs.ts';
import { anyLog } from '../../../../tests/support/transcript/any-log.ts';
import { CANCELLED, LogWriter } from '../../../../tests/support/transcript/log.ts';
import { boundTranscript } from '../transcript/bound-transcript.ts';
import {
  createContextRecord,
  foldContextRecord,
  shortenContextRecord,
  toContextRecord,
} from './context-record.ts';
import {
  CONTEXT_BYTES_DEFAULT,
  CONTEXT_BYTES_MAX,
  CONTEXT_BYTES_MIN,
  CONTEXT_LIMITS,
  type ContextDiagnostic,
  type ContextSnapshot,
} from './context-snapshot.ts';
import { parseContextSnapshot } from './parse-context-snapshot.ts';
import { toContextSnapshot, type ContextOptions } from './to-context-snapshot.ts';

function snapshotOf(log: LogWriter, options?: ContextOptions): ContextSnapshot {
  return toContextSnapshot(toContextRecord(log.stored), options);
}

const bytesOf = (snapshot: ContextSnapshot): number => Buffer.byteLength(JSON.stringify(snapshot));

const LISTS = ['openFiles', 'diagnostics', 'history', 'unfinishedToolCalls', 'plan'] as const;

function diagnostic(n: number, severity: ContextDiagnostic['severity']): ContextDiagnostic {
  return { path: `/f${n}.ts`, line: n, severity, message: `problem ${n}`, source: 'tsc' };
}

/** A log that is far too long for a snapshot of the least size. */
function longLog(): LogWriter {
  const log = new LogWriter().created();
  for (let n = 0; n < 300; n++) log.accessed('read', `/file/${n}`, `d${n}`);
  const step = (n: number) => ({ content: `step ${n} ☃`, priority: 'low', status: 'pending' });
  log.update({ sessionUpdate: 'plan', entries: Array.from({ length: 150 }, (_, n) => step(n)) });
  for (let n = 0; n < 150; n++) log.call(`c${n}`, { title: `call ${n}` });
  for (let n = 0; n < 200; n++) log.say(`${'"é'.repeat(100)} ${n}`, `m${n}`);
  return log;
}

describe('a context snapshot', () => {
  test('says what the session is and what has happened in it', () => {
    const log = new LogWriter().created('claude', '/home/x').agentStarted();
    log
      .start('T', 'Fix it')
      .think('Hm')
      .say('I see')
      .say(' it.')
      .call('c', {
        ...{ title: 'Edit a.ts', kind: 'edit', status: 'completed' },
        locations: [{ path: '/a.ts', line: 3 }],
      });
    log.update({
      sessionUpdate: 'plan',
      entries: [{ content: 'Fix', priority: 'high', status: 'in_progress', _meta: { x: 1 } }],
    });
    const cursor = 'c-1';
    const diagnostics = [diagnostic(1, 'error')];
    expect(snapshotOf(log.end(), { cursor, diagnostics })).toEqual({
      ...{ format: 'context/1', sessionId: 'S', agent: 'claude', cwd: '/home/x', cursor },
      openFiles: [{ path: '/a.ts', access: 'written', at: 70 }],
      diagnostics,
      history: [
        { role: 'user', text: 'Fix it', at: 30 },
        { role: 'thought', text: 'Hm', at: 40 },
        { role: 'agent', text: 'I see it.', at: 50 },
        { role: 'tool', text: 'Edit a.ts (edit, completed)', at: 70 },
      ],
      unfinishedToolCalls: [],
      plan: [{ content: 'Fix', priority: 'high', status: 'in_progress' }],
      omitted: { openFiles: 0, diagnostics: 0, history: 0, unfinishedToolCalls: 0, plan: 0 },
    });
  });

  test('of an empty log is empty', () => {
    const snapshot = snapshotOf(new LogWriter());
    expect(snapshot).toMatchObject({ sessionId: '', history: [], openFiles: [] });
    expect(snapshot).not.toHaveProperty('cursor');
  });

  test('has the last access to each file, by its time and whoever saw it', () => {
    const log = new LogWriter().created();
    log.accessed('read', '/b', 'b1').accessed('write', '/a', 'a1').accessed('read', '/a', 'a2');
    const call = (id: string, kind: string, path: string) =>
      log.call(id, { title: id, kind, status: 'completed', locations: [{ path }] });
    call('c1', 'edit', '/b');
    call('c2', 'read', '/d');
    log.accessed('write', '/d');
    expect(snapshotOf(log).openFiles).toEqual([
      { path: '/a', digest: 'a2', access: 'read', at: 40 },
      { path: '/b', access: 'written', at: 50 },
      { path: '/d', access: 'written', at: 70 },
    ]);
  });

  test('has tool calls without an end: the open ones, and those given up in the last turn', () => {
    const log = new LogWriter().start('T1').call('old').end(CANCELLED).start('T2');
    log.call('done', { status: 'completed' }).call('given-up', { status: 'in_progress' });
    log.ask('A', { toolCallId: 'refused', title: 'rm' }).choose('A', 'no').end(CANCELLED);
    log.call('open', { kind: 'execute', locations: [{ path: '/x', line: 3 }, { path: '/y' }] });
    expect(snapshotOf(log).unfinishedToolCalls).toEqual([
      ...[{ toolCallId: 'given-up', title: 'Run', kind: 'other', status: 'interrupted' }].map(
        (call) => ({ ...call, locations: [] }),
      ),
      {
        ...{ toolCallId: 'open', title: 'Run', kind: 'execute', status: 'pending' },
        locations: [{ path: '/x', line: 3 }, { path: '/y' }],
      },
    ]);
  });

  test('leaves out a turn that is told in another way', () => {
    const log = new LogWriter().start('T1', 'one').call('a').end().start('T2', 'two').call('b');
    const { history, unfinishedToolCalls } = snapshotOf(log, { exceptTurnId: turnId('T2') });
    expect(history.map(({ text }) => text)).toEqual([
      'one',
      'Run (other, interrupted: turn_ended)',
    ]);
    expect(unfinishedToolCalls).toMatchObject([{ toolCallId: 'a' }]);
  });

  test('tells in words what is no text', () => {
    const log = new LogWriter().say('see ', 'id');
    const chunk = (content: object) => log.chunk('agent_message_chunk', content, 'id');
    chunk({ type: 'image', mimeType: 'image/png', data: 'AAAA' });
    chunk({ type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' });
    chunk({ type: 'resource', resource: { uri: 'file:///b', text: 'inside' } });
    chunk({ type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA' } });
    chunk({ type: 'odd' });
    const reference = { pointer: '/a', bytes: 5000, digest: 'd' };
    chunk({ type: 'text', text: { '$signalbox/ref': reference } });
    chunk({ type: 'image', mimeType: 'image/png', data: { '$signalbox/ref': reference } });
    expect(snapshotOf(log).history[0]?.text.split('\n')).toEqual([
      ...['see ', '(image)', '(a.ts: file:///a.ts)', '(file:///b)', 'inside', '(file:///c)'],
      ...['(odd)', '(text of 5000 bytes)', '(image)'],
    ]);
  });

  test('counts what its transcript does not have', () => {
    const record = toContextRecord(new LogWriter().start('T').say('a').end().stored);
    const transcript = boundTranscript(record.transcript, { entriesMax: 1 });
    expect(toContextSnapshot({ ...record, transcript }).omitted.history).toBe(2);
  });
});

describe('a context record that was shortened', () => {
  test('has the ends of very long texts, and its snapshot says so', () => {
    const mebibyte = 1024 * 1024;
    const log = new LogWriter().start('T').say(`begin ${'x'.repeat(2 * mebibyte)}`);
    const record = toContextRecord(log.stored);
    shortenContextRecord(record);
    const kept = record.transcript.entries.map((entry) => JSON.stringify(entry).length);
    expect(Math.max(...kept)).toBeLessThan(mebibyte + 1000);
    log.say(' end').end();
    for (const stored of log.stored) foldContextRecord(record, stored);
    const text = toContextSnapshot(record).history.at(-1)?.text ?? '';
    expect(text).toMatch(/^\(the first 1048582 bytes are left out\)\nx+\n\(of 1048\d+ characters/);
  });

  test('tells of a message of which nothing is left', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'x'.repeat(2 * 1024 * 1024) };
    const record = toContextRecord(new LogWriter().chunk('agent_message_chunk', image).stored);
    shortenContextRecord(record);
    expect(toContextSnapshot(record).history[0]?.text).toMatch(/^\(the first \d+ bytes/);
  });

  test('gives the same snapshot where its texts are shorter', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), ({ stored }, cut) => {
        const record = createContextRecord();
        const at = cut % stored.length;
        for (const event of stored.slice(0, at)) foldContextRecord(record, event);
        shortenContextRecord(record);
        for (const event of stored.slice(at)) foldContextRecord(record, event);
        expect(toContextSnapshot(record)).toEqual(toContextSnapshot(toContextRecord(stored)));
      }),
      { numRuns: 100 },
    );
  });
});

describe('the bounds of a context snapshot', () => {
  const sizes = fc.integer({ min: CONTEXT_BYTES_MIN, max: 3 * CONTEXT_BYTES_MIN });

  test('hold for any session, and what was made can be read', () => {
    fc.assert(
      fc.property(anyLog, sizes, ({ stored }, bytesMax) => {
        const snapshot = toContextSnapshot(toContextRecord(stored), { bytesMax });
        expect(bytesOf(snapshot)).toBeLessThanOrEqual(bytesMax);
        expect(parseContextSnapshot(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
      }),
      { numRuns: 300 },
    );
  });

  const whole = snapshotOf(longLog(), { bytesMax: CONTEXT_BYTES_MAX });

  test('leave out the oldest, say how many, and use the room that there is', () => {
    const record = toContextRecord(longLog().stored);
    fc.assert(
      fc.property(fc.integer({ min: CONTEXT_BYTES_MIN, max: 80_000 }), (bytesMax) => {
        const snapshot = toContextSnapshot(record, { bytesMax });
        expect(bytesOf(snapshot)).toBeLessThanOrEqual(bytesMax);
        for (const list of LISTS.filter((name) => name !== 'history')) {
          const kept = snapshot[list];
          expect(kept).toEqual(whole[list].slice(whole[list].length - kept.length));
          const total = whole[list].length + whole.omitted[list];
          expect(kept.length + snapshot.omitted[list]).toBe(total);
        }
        const { history, omitted } = snapshot;
        expect(history.length + omitted.history).toBe(350);
        const [first] = history;
        if (first !== undefined) expect(bytesMax - bytesOf(snapshot)).toBeLessThan(600);
      }),
      { numRuns: 200 },
    );
  });

  test('leave out the history first, then files, then the rest', () => {
    const record = toContextRecord(longLog().stored);
    const counts = (bytesMax: number) => {
      const { omitted } = toContextSnapshot(record, { bytesMax });
      return [omitted.unfinishedToolCalls, omitted.plan, omitted.openFiles, omitted.history];
    };
    expect(counts(CONTEXT_BYTES_DEFAULT)).toEqual([50, 50, 100, 0]);
    const [calls, plan, files, history] = counts(40_000);
    expect([calls, plan, files]).toEqual([50, 50, 100]);
    expect(history).toBeGreaterThan(0);
    const few = counts(24_000);
    expect(few.slice(0, 2)).toEqual([50, 50]);
    expect(few[2]).toBeGreaterThan(100);
    expect(few[3]).toBe(350);
  });

  test('keep the most severe diagnostics', () => {
    const hints = Array.from({ length: 300 }, (_, n) => diagnostic(n, 'hint'));
    const diagnostics = [diagnostic(1, 'error'), ...hints, diagnostic(2, 'warning')];
    const snapshot = snapshotOf(new LogWriter(), { diagnostics });
    expect(snapshot.omitted.diagnostics).toBe(102);
    expect(snapshot.diagnostics.slice(-2)).toEqual([
      diagnostic(2, 'warning'),
      diagnostic(1, 'error'),
    ]);
  });

  test('cut what is too long and say so, and leave out paths that no system has', () => {
    const { historyTextLength, lineLength, nameLength, pathLength } = CONTEXT_LIMITS;
    const log = new LogWriter().say('😀'.repeat(historyTextLength));
    log.call('c'.repeat(1000), {
      title: 't'.repeat(5000),
      locations: [{ path: 'p'.repeat(pathLength + 1) }, { path: '/a' }],
    });
    const path = 'p'.repeat(pathLength + 1);
    const message = 'm'.repeat(5000);
    const diagnostics = [
      { ...diagnostic(1, 'error'), message },
      { ...diagnostic(2, 'error'), path },
    ];
    const snapshot = snapshotOf(log, { diagnostics });
    const [said] = snapshot.history;
    expect(said?.text.length).toBeLessThanOrEqual(historyTextLength);
    expect(said?.text).toMatch(/^(😀)+\n\(of 32768 characters the rest is left out\)$/u);
    expect(snapshot.unfinishedToolCalls).toMatchObject([
      { toolCallId: 'c'.repeat(nameLength), title: 't'.repeat(lineLength), locations: [{}] },
    ]);
    expect(snapshot.diagnostics).toMatchObject([{ message: 'm'.repeat(lineLength) }]);
    expect(snapshot.omitted).toMatchObject({ diagnostics: 1, openFiles: 1 });
    expect(parseContextSnapshot(snapshot)).toEqual(snapshot);
  });

  test('do not let one long text take all the room there is', () => {
    const log = new LogWriter().start('T', 'go').say('\u0001'.repeat(50_000)).end();
    const { history } = snapshotOf(log, { bytesMax: CONTEXT_BYTES_MIN });
    expect(history.map(({ role }) => role)).toEqual(['user', 'agent']);
  });

  test.for([CONTEXT_BYTES_MIN - 1, CONTEXT_BYTES_MAX + 1, 5000.5, NaN])(
    'are not %d',
    (bytesMax) => {
      const take = () => snapshotOf(new LogWriter(), { bytesMax });
      expect(take).toThrow(expect.objectContaining({ code: 'limit_invalid' }));
    },
  );

  test('are too small for a session whose own facts are longer', () => {
    const log = new LogWriter().created('a', `/${'x'.repeat(CONTEXT_BYTES_MIN)}`);
    const take = () => snapshotOf(log, { bytesMax: CONTEXT_BYTES_MIN });
    expect(take).toThrow(
      /^limit_invalid: the context of session S takes \d+ bytes without any list/,
    );
  });
});

describe('a context record', () => {
  test('is the same when a part of the log is read again', () => {
    const { stored } = new LogWriter().created().accessed('read', '/a').start('T').say('a').end();
    const again = createContextRecord();
    for (const event of [...stored.slice(0, 3), ...stored]) foldContextRecord(again, event);
    expect(again).toEqual(toContextRecord(stored));
  });
});
