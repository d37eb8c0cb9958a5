import { describe, expect, test } from 'vitest';
import type { CoreError } from '../core-error.ts';
import { CONTEXT_BYTES_MAX, CONTEXT_LIMITS, type ContextSnapshot } from './context-snapshot.ts';
import { parseContextSnapshot } from './parse-context-snapshot.ts';

const SNAPSHOT: ContextSnapshot = {
  ...{ format: 'context/1', sessionId: 'S', agent: 'fake', cwd: '/work', cursor: 'c' },
  openFiles: [{ path: '/a', digest: 'd', access: 'read', at: 1 }],
  diagnostics: [{ path: '/a', line: 1, severity: 'error', message: 'm', source: 'tsc' }],
  history: [{ role: 'user', text: 'x', at: 1 }],
  unfinishedToolCalls: [
    {
      ...{ toolCallId: 'c', title: 't', kind: 'edit', status: 'pending' },
      locations: [{ path: '/a', line: 1 }],
    },
  ],
  plan: [{ content: 'c', priority: 'high', status: 'pending' }],
  omitted: { openFiles: 0, diagnostics: 0, history: 0, unfinishedToolCalls: 0, plan: 0 },
};

const malformed = expect.objectContaining({ code: 'context_malformed' }) as CoreError;

describe('a snapshot that a client sends', () => {
  test('is read with what the format knows, and nothing else', () => {
    const more = { ...SNAPSHOT, x: 1, plan: [{ ...SNAPSHOT.plan[0], _meta: {} }] };
    expect(parseContextSnapshot(more)).toEqual(SNAPSHOT);
    const { cursor: _, ...rest } = SNAPSHOT;
    expect(parseContextSnapshot(rest)).toEqual(rest);
  });

  test.for([undefined, null, 5, [], {}, { ...SNAPSHOT, format: 'context/2' }])(
    'is refused when it is none: %j',
    (value) => {
      expect(() => parseContextSnapshot(value)).toThrow(malformed);
    },
  );

  const item = <K extends keyof ContextSnapshot>(list: K, change: object): object => ({
    [list]: [{ ...(SNAPSHOT[list] as readonly object[])[0], ...change }],
  });
  const many = (list: keyof ContextSnapshot, count: number): object => ({
    [list]: Array.from({ length: count }, () => (SNAPSHOT[list] as readonly object[])[0]),
  });
  const long = (length: number): string => 'x'.repeat(length + 1);
  const { lineLength, nameLength, pathLength, historyTextLength } = CONTEXT_LIMITS;

  test.for<[string, object]>([
    ['/sessionId must be a string', { sessionId: 5 }],
    [`/sessionId must have at most ${nameLength} characters`, { sessionId: long(nameLength) }],
    [`/cwd must have at most ${pathLength} characters`, { cwd: long(pathLength) }],
    ['/openFiles must be a list', { openFiles: {} }],
    ['/openFiles/0 must be an object', { openFiles: [[]] }],
    ['/openFiles/0/access must be one of: read, written', item('openFiles', { access: 'x' })],
    ['/openFiles/0/at must be a number', item('openFiles', { at: '1' })],
    ['/openFiles/0/at must be between', item('openFiles', { at: 9e15 })],
    [`/openFiles must have at most ${CONTEXT_LIMITS.openFiles} items`, many('openFiles', 201)],
    ['/diagnostics/0/line must be a whole number', item('diagnostics', { line: -1 })],
    ['/diagnostics/0/severity must be one of', item('diagnostics', { severity: 'fatal' })],
    ['/diagnostics/0/message must have', item('diagnostics', { message: long(lineLength) })],
    ['/diagnostics must have at most', many('diagnostics', 201)],
    ['/history/0/role must be one of', item('history', { role: 'system' })],
    ['/history/0/text must have', item('history', { text: long(historyTextLength) })],
    ['/history must have at most', many('history', CONTEXT_LIMITS.history + 1)],
    ['/unfinishedToolCalls/0/status must', item('unfinishedToolCalls', { status: 'completed' })],
    ['/unfinishedToolCalls/0/locations must', item('unfinishedToolCalls', { locations: null })],
    ['/unfinishedToolCalls must have at most', many('unfinishedToolCalls', 101)],
    ['/plan/0/content must be a string', item('plan', { content: undefined })],
    ['/plan must have at most', many('plan', 101)],
    ['/omitted/history must be a whole number', { omitted: { ...SNAPSHOT.omitted, history: 0.5 } }],
  ])('is refused: %s', ([message, change]) => {
    const parse = () => parseContextSnapshot({ ...SNAPSHOT, ...change });
    expect(parse).toThrow(malformed);
    expect(parse).toThrow(`this is not a context snapshot of the format context/1: ${message}`);
  });

  test('is refused when the whole is too long, although no part is', () => {
    const history = Array.from({ length: 300 }, () => ({
      ...{ role: 'agent', at: 1 },
      text: 'x'.repeat(historyTextLength),
    }));
    const parse = () => parseContextSnapshot({ ...SNAPSHOT, history });
    expect(parse).toThrow(malformed);
    expect(parse).toThrow(`at most ${CONTEXT_BYTES_MAX} are accepted`);
  });
});
