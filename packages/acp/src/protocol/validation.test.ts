import { describe, expect, test } from 'vitest';
import { validateParams, validateResult, validateUpdate } from './validation.ts';

const text = (value: unknown = 'hi') => ({ type: 'text', text: value });
const chunk = (content: unknown) => ({ sessionUpdate: 'agent_message_chunk', content });
const update = (value: unknown) => ({ sessionId: 's1', update: value });
const toolCall = (rest: object) => ({
  sessionUpdate: 'tool_call',
  toolCallId: 't1',
  title: 'Read',
  ...rest,
});
const entry = (rest: object = {}) => ({
  content: 'a',
  priority: 'high',
  status: 'pending',
  ...rest,
});
const permission = (kind: unknown) => ({
  sessionId: 's1',
  toolCall: { toolCallId: 't1' },
  options: [{ optionId: 'o1', name: 'Go', kind }],
});

/** Accepted, and what is left of the value. `after` is the value itself where nothing changes. */
const REPAIRED: { name: string; value: object; after: object }[] = [
  {
    name: 'drops a malformed plan entry among good ones',
    value: { sessionUpdate: 'plan', entries: [entry(), entry({ status: 'soon' }), 7, entry()] },
    after: { sessionUpdate: 'plan', entries: [entry(), entry()] },
  },
  {
    name: 'reads a required list that is no list as empty',
    value: { sessionUpdate: 'plan', entries: 'none' },
    after: { sessionUpdate: 'plan', entries: [] },
  },
  {
    name: 'drops an unknown tool kind and status',
    value: toolCall({ kind: 'weird', status: 'paused' }),
    after: toolCall({}),
  },
  {
    name: 'drops a malformed _meta',
    value: { ...chunk({ ...text(), _meta: 'oops' }), _meta: ['oops'] },
    after: chunk(text()),
  },
  {
    name: 'drops malformed annotations, and malformed members of good ones',
    value: chunk({ ...text(), annotations: { audience: ['user', 'dog'], priority: 'high' } }),
    after: chunk({ ...text(), annotations: { audience: ['user'] } }),
  },
  {
    name: 'drops tool content and locations that are malformed',
    value: toolCall({
      content: [
        { type: 'content', content: text(1) },
        { type: 'diff', path: '/a', newText: '' },
      ],
      locations: [{ path: '/a', line: -1 }, { line: 1 }],
    }),
    after: toolCall({
      content: [{ type: 'diff', path: '/a', newText: '' }],
      locations: [{ path: '/a' }],
    }),
  },
  {
    name: 'drops a malformed cost',
    value: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 'much' } },
    after: { sessionUpdate: 'usage_update', used: 1, size: 2 },
  },
  {
    name: 'drops a config option of an unknown type',
    value: {
      sessionUpdate: 'config_option_update',
      configOptions: [{ id: 'a', name: 'A', type: 'slider', currentValue: 3 }],
    },
    after: { sessionUpdate: 'config_option_update', configOptions: [] },
  },
];

const KEPT: { name: string; value: object }[] = [
  { name: 'an unknown update kind', value: { sessionUpdate: '_vendor/x', content: 5, _meta: 1 } },
  { name: 'an unknown content block', value: chunk({ type: 'video', data: 5 }) },
  { name: 'unknown tool content', value: toolCall({ content: [{ type: 'chart', data: [] }] }) },
  { name: 'unknown members', value: { ...chunk({ ...text(), color: 'red' }), extra: { a: 1 } } },
  { name: 'null in an optional member', value: { ...chunk(text()), messageId: null, _meta: null } },
  { name: 'any raw input and output', value: toolCall({ rawInput: [1], rawOutput: null }) },
  {
    name: 'integers beyond 2^53',
    value: { sessionUpdate: 'usage_update', used: 2 ** 60, size: 1 },
  },
];

describe('updates', () => {
  test.each(REPAIRED)('$name', ({ value, after }) => {
    expect(validateUpdate(value)).toBeUndefined();
    expect(value).toEqual(after);
  });

  test.each(KEPT)('keeps $name', ({ value }) => {
    const before = structuredClone(value);
    expect(validateUpdate(value)).toBeUndefined();
    expect(value).toEqual(before);
  });

  test('does not slow down on a long list of malformed items', () => {
    const entries = Array.from({ length: 200_000 }, () => ({}));
    const value = { sessionUpdate: 'plan', entries };
    // A time that grew with the square of the length would be many minutes.
    expect(validateUpdate(value)).toBeUndefined();
    expect(entries).toHaveLength(0);
  });
});

const server = (rest: object) => ({ cwd: '/w', mcpServers: [{ name: 'm', ...rest }] });

const REJECTED: { method: string; params: unknown; problem: string }[] = [
  {
    method: 'session/update',
    params: update(chunk(text(5))),
    problem: '/update/content/text must be string',
  },
  {
    method: 'session/update',
    params: update(chunk({ type: 'text' })),
    problem: "/update/content must have required property 'text'",
  },
  {
    method: 'session/update',
    params: update({ content: text() }),
    problem: "/update must have required property 'sessionUpdate'",
  },
  {
    method: 'session/update',
    params: update({ sessionUpdate: 7 }),
    problem: '/update/sessionUpdate must be string',
  },
  {
    method: 'session/update',
    params: update(chunk({ type: null })),
    problem: '/update/content/type must be string',
  },
  {
    method: 'session/update',
    params: update({ sessionUpdate: 'usage_update', used: null, size: 1 }),
    problem: '/update/used must be integer',
  },
  {
    method: 'session/update',
    params: update({ sessionUpdate: 'plan' }),
    problem: "/update must have required property 'entries'",
  },
  { method: 'session/update', params: [], problem: ' must be object' },
  {
    method: 'session/new',
    params: { cwd: '/w', mcpServers: 'x' },
    problem: '/mcpServers must be array',
  },
  {
    method: 'session/new',
    params: server({ type: 'http', headers: [] }),
    problem: "/mcpServers/0 must have required property 'url'",
  },
  {
    method: 'session/new',
    params: server({ command: 'x', args: [], env: [{ name: 'A', value: 1 }] }),
    problem: '/mcpServers/0/env/0/value must be string',
  },
  {
    method: 'session/prompt',
    params: {
      sessionId: 's1',
      prompt: [text(), { type: 'resource', resource: { uri: 'a', text: 1 } }],
    },
    problem: '/prompt/1/resource/text must be string',
  },
  {
    method: 'session/request_permission',
    params: permission(3),
    problem: '/options/0/kind must be string',
  },
  {
    method: 'session/set_config_option',
    params: { sessionId: 's1', configId: 'c1', value: 1 },
    problem: '/value must be string',
  },
  {
    method: 'initialize',
    params: { protocolVersion: 65_536 },
    problem: '/protocolVersion must be <= 65535',
  },
  {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'm', sessionId: 's1', elicitationId: 'e1', url: 'nowhere' },
    problem: '/url must be a URL',
  },
  {
    method: 'elicitation/create',
    params: { mode: '_own', message: 'm' },
    problem: " must have required property 'sessionId'",
  },
  {
    method: '$/cancel_request',
    params: { requestId: 1.5 },
    problem: '/requestId must be null or integer or string',
  },
];

describe('params', () => {
  test.each(REJECTED)('of $method: "$problem"', ({ method, params, problem }) => {
    const found = validateParams(method, params);
    expect(`${found?.path} ${found?.message}`).toBe(problem);
  });

  test.each([undefined, null])('count as an empty object when they are %s', (params) => {
    expect(validateParams('session/list', params)).toBeUndefined();
    expect(validateParams('logout', params)).toBeUndefined();
    expect(validateParams('session/new', params)?.message).toContain("'cwd'");
  });

  test('read null as the empty list where the schema says so, and nothing else', () => {
    const params = { cwd: '/w', mcpServers: null, additionalDirectories: null };
    expect(validateParams('session/new', params)).toBeUndefined();
    expect(params).toEqual({ cwd: '/w', mcpServers: [], additionalDirectories: [] });
    expect(validateParams('session/new', { cwd: '/w' })?.message).toContain("'mcpServers'");
  });

  test('keep a permission option of an unknown kind', () => {
    const params = permission('allow_for_a_day');
    expect(validateParams('session/request_permission', params)).toBeUndefined();
    expect(params).toEqual(permission('allow_for_a_day'));
  });

  test('of a form keep an unknown string format (R-ELI-25)', () => {
    const requestedSchema = { properties: { a: { type: 'string', format: 'hostname' } } };
    const params = { mode: 'form', message: 'm', sessionId: 's1', requestedSchema };
    expect(validateParams('elicitation/create', params)).toBeUndefined();
    expect(requestedSchema.properties.a.format).toBe('hostname');
  });

  test('lose a tag that contradicts a value which fits the untagged variant', () => {
    const params = server({ type: 'http', command: 'x', args: [], env: [] });
    expect(validateParams('session/new', params)).toBeUndefined();
    expect(params).toEqual(server({ command: 'x', args: [], env: [] }));
  });

  test('of methods that the protocol does not define are not checked', () => {
    for (const method of ['_vendor/ping', 'session/unknown', 'toString', '__proto__']) {
      expect(validateParams(method, 5)).toBeUndefined();
      expect(validateResult(method, 5)).toBeUndefined();
    }
  });
});

describe('results', () => {
  test.each([
    'authenticate',
    'logout',
    'session/load',
    'session/delete',
    'session/close',
    'session/set_mode',
    'fs/write_text_file',
    'terminal/release',
    'terminal/kill',
  ])('of %s may be null', (method) => {
    expect(validateResult(method, null)).toBeUndefined();
    expect(validateResult(method, undefined)).toBeUndefined();
    expect(validateResult(method, {})).toBeUndefined();
    expect(validateResult(method, 'ok')).toEqual({ path: '', message: 'must be object' });
  });

  test.each(['session/new', 'session/prompt', 'session/resume', 'terminal/wait_for_exit'])(
    'of %s may not be null',
    (method) => {
      expect(validateResult(method, null)).toEqual({ path: '', message: 'must be object' });
    },
  );

  test('of a prompt need one of the stop reasons', () => {
    expect(validateResult('session/prompt', { stopReason: 'end_turn' })).toBeUndefined();
    const problem = validateResult('session/prompt', { stopReason: 'done' });
    expect(problem?.path).toBe('/stopReason');
    expect(problem?.message).toContain('end_turn, max_tokens');
  });

  test('of initialize lose malformed capabilities', () => {
    const result = { protocolVersion: 1, agentCapabilities: { loadSession: 'yes', auth: 5 } };
    expect(validateResult('initialize', result)).toBeUndefined();
    expect(result).toEqual({ protocolVersion: 1, agentCapabilities: {} });
  });

  test('of notifications do not exist and are not checked', () => {
    expect(validateResult('session/update', 5)).toBeUndefined();
  });
});
