import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DefinitionName, VALIDATORS } from './validators.gen.ts';

/**
 * Every message of a hand-made corpus is changed in every place, and our verdict and our repaired
 * value are compared with those of the official SDK, whose schemas are not exported and are loaded
 * by path. The SDK strips unknown members and fills in defaults; we do neither, so only members that
 * the SDK knows are compared, and an absent member equals its default.
 */

interface SdkSchema {
  safeParse(value: unknown): { success: boolean; data?: unknown };
}

const sdkMain = import.meta.resolve('@agentclientprotocol/sdk');
const sdk = (await import(new URL('../schema/zod.gen.js', sdkMain).href)) as Record<
  string,
  SdkSchema
>;

const meta = { _meta: { a: 1 } };
const text = {
  type: 'text',
  text: 'hi',
  annotations: { audience: ['user'], priority: 1, ...meta },
};
const blocks = [
  text,
  { type: 'image', data: 'AA==', mimeType: 'image/png', uri: 'file:///a', ...meta },
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
  { type: 'resource_link', name: 'n', uri: 'file:///a', size: 3, title: null, description: 'd' },
  { type: 'resource', resource: { uri: 'file:///a', text: 't', mimeType: 'text/plain' } },
  { type: 'resource', resource: { uri: 'file:///a', blob: 'AA==', ...meta } },
];
const toolCall = {
  toolCallId: 't1',
  title: 'Edit',
  name: 'edit',
  kind: 'edit',
  status: 'pending',
  content: [
    { type: 'content', content: text },
    { type: 'diff', path: '/a', oldText: null, newText: 'b', ...meta },
    { type: 'terminal', terminalId: 'x' },
  ],
  locations: [{ path: '/a', line: 3, ...meta }, { path: '/b' }],
  rawInput: { a: 1 },
  rawOutput: 'done',
  ...meta,
};
const modes = { currentModeId: 'm', availableModes: [{ id: 'm', name: 'M', description: 'd' }] };
const configOptions = [
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: 'a',
    options: [{ value: 'a', name: 'A', description: 'd', ...meta }],
  },
  {
    id: 'model2',
    name: 'Model',
    type: 'select',
    currentValue: 'a',
    options: [{ group: 'g', name: 'G', options: [{ value: 'a', name: 'A' }] }],
  },
  { id: 'fast', name: 'Fast', description: 'd', type: 'boolean', currentValue: true, ...meta },
];
const mcpServers = [
  { name: 'a', command: '/bin/a', args: ['-x'], env: [{ name: 'A', value: '1' }], ...meta },
  { type: 'http', name: 'b', url: 'http://b', headers: [{ name: 'A', value: '1' }] },
  { type: 'sse', name: 'c', url: 'http://c', headers: [] },
];
const setup = { cwd: '/w', mcpServers, additionalDirectories: ['/x'], ...meta };
const info = { name: 'n', title: 'N', version: '1' };
const session = { sessionId: 's1', ...meta };
const terminal = { ...session, terminalId: 'x' };
const exit = { exitCode: 0, signal: null, ...meta };
const update = (sessionUpdate: string, rest: object) => ({ sessionUpdate, ...rest });

const updates = [
  ...blocks.map((content) => update('agent_message_chunk', { content, messageId: 'm1', ...meta })),
  update('user_message_chunk', { content: text }),
  update('agent_thought_chunk', { content: text }),
  update('tool_call', toolCall),
  update('tool_call_update', toolCall),
  update('plan', {
    entries: [
      { content: 'a', priority: 'high', status: 'pending', ...meta },
      { content: 'b', priority: 'low', status: 'completed' },
    ],
  }),
  update('available_commands_update', {
    availableCommands: [{ name: 'a', description: 'd', input: { hint: 'h', ...meta } }],
  }),
  update('current_mode_update', { currentModeId: 'm' }),
  update('config_option_update', { configOptions }),
  update('session_info_update', { title: 't', updatedAt: '2026-01-01T00:00:00Z' }),
  update('usage_update', { used: 1, size: 2, cost: { amount: 0.5, currency: 'EUR', ...meta } }),
  update('notice', { severity: 'info', title: 't', description: 'd' }),
  update('compaction_update', { compactionId: 'c', status: 'failed', summary: blocks, error: 'e' }),
  update('compaction_summary_chunk', { compactionId: 'c', content: text }),
];

const form = {
  type: 'object',
  title: 't',
  description: 'd',
  required: ['a'],
  properties: {
    a: { type: 'string', title: 't', minLength: 1, maxLength: 2, pattern: 'x', enum: ['a'] },
    b: { type: 'string', oneOf: [{ const: 'a', title: 'A', description: 'd' }], default: 'a' },
    c: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
    d: { type: 'integer', minimum: 0, maximum: 2, default: 1 },
    e: { type: 'boolean', default: true, ...meta },
    f: { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, default: ['a'] },
    g: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, maxItems: 2 },
    h: { type: 'array', items: { type: 'string', anyOf: [{ const: 'a', title: 'A' }] } },
    i: { type: 'array', items: { type: '_own', _meta: 3, x: 1 } },
    j: { type: '_own', title: 5 },
  },
};

const SAMPLES: { readonly [name in DefinitionName]: readonly unknown[] } = {
  InitializeRequest: [
    {
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: false, ...meta },
        terminal: true,
        session: { compaction: {}, configOptions: { boolean: {} }, notices: {} },
        auth: { terminal: true },
        elicitation: { form: {}, url: null },
      },
      clientInfo: info,
      ...meta,
    },
  ],
  InitializeResponse: [
    {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, delete: null, additionalDirectories: {}, ...meta },
        auth: { logout: {} },
      },
      authMethods: [
        { id: 'a', name: 'A', description: 'd' },
        { id: 'b', name: 'B', type: 'terminal', args: ['login'], env: { A: '1' } },
        { id: 'c', name: 'C', type: '_own' },
      ],
      agentInfo: info,
    },
  ],
  AuthenticateRequest: [{ methodId: 'a', ...meta }],
  AuthenticateResponse: [meta],
  LogoutRequest: [meta],
  LogoutResponse: [meta],
  NewSessionRequest: [setup],
  NewSessionResponse: [{ ...session, modes, configOptions }],
  LoadSessionRequest: [{ ...session, ...setup }],
  LoadSessionResponse: [{ modes, configOptions }],
  ResumeSessionRequest: [{ ...session, ...setup }],
  ResumeSessionResponse: [{ modes, configOptions }],
  ListSessionsRequest: [{ cwd: '/w', cursor: 'c', ...meta }],
  ListSessionsResponse: [
    {
      sessions: [
        { ...session, cwd: '/w', additionalDirectories: ['/x'], title: 't', updatedAt: 'u' },
        { sessionId: 's2', cwd: '/w' },
      ],
      nextCursor: 'n',
    },
  ],
  DeleteSessionRequest: [session],
  DeleteSessionResponse: [meta],
  CloseSessionRequest: [session],
  CloseSessionResponse: [meta],
  SetSessionModeRequest: [{ ...session, modeId: 'm' }],
  SetSessionModeResponse: [meta],
  SetSessionConfigOptionRequest: [
    { ...session, configId: 'c', value: 'v' },
    { ...session, configId: 'c', type: 'boolean', value: true },
    { ...session, configId: 'c', type: '_own', value: 'v' },
  ],
  SetSessionConfigOptionResponse: [{ configOptions }],
  PromptRequest: [{ ...session, prompt: blocks }],
  PromptResponse: [{ stopReason: 'end_turn', ...meta }],
  CancelNotification: [session],
  CancelRequestNotification: [{ requestId: 1 }, { requestId: 'a', ...meta }],
  RequestPermissionRequest: [
    { ...session, toolCall, options: [{ optionId: 'o', name: 'O', kind: 'allow_once', ...meta }] },
  ],
  RequestPermissionResponse: [
    { outcome: { outcome: 'cancelled' } },
    { outcome: { outcome: 'selected', optionId: 'o', ...meta } },
  ],
  ReadTextFileRequest: [{ ...session, path: '/a', line: 1, limit: 2 }],
  ReadTextFileResponse: [{ content: 'c', ...meta }],
  WriteTextFileRequest: [{ ...session, path: '/a', content: 'c' }],
  WriteTextFileResponse: [meta],
  CreateTerminalRequest: [
    {
      ...session,
      command: 'ls',
      args: ['-l'],
      env: [{ name: 'A', value: '1', ...meta }],
      cwd: '/w',
      outputByteLimit: 100,
    },
  ],
  CreateTerminalResponse: [{ terminalId: 'x', ...meta }],
  TerminalOutputRequest: [terminal],
  TerminalOutputResponse: [{ output: 'o', truncated: false, exitStatus: exit }],
  WaitForTerminalExitRequest: [terminal],
  WaitForTerminalExitResponse: [exit],
  KillTerminalRequest: [terminal],
  KillTerminalResponse: [meta],
  ReleaseTerminalRequest: [terminal],
  ReleaseTerminalResponse: [meta],
  CreateElicitationRequest: [
    { mode: 'form', message: 'm', sessionId: 's', toolCallId: 't', requestedSchema: form, ...meta },
    { mode: 'url', message: 'm', requestId: 1, elicitationId: 'e', url: 'https://a.example/x' },
    { mode: '_own', message: 'm', sessionId: 's', extra: { a: 1 } },
  ],
  CreateElicitationResponse: [
    { action: 'accept', content: { a: 'x', b: 1, c: 0.5, d: true, e: ['y'] }, ...meta },
    { action: 'decline' },
    { action: '_own', extra: 1 },
  ],
  CompleteElicitationNotification: [{ elicitationId: 'e', ...meta }],
  SessionNotification: updates.map((value) => ({ ...session, update: value })),
  SessionUpdate: [],
  ContentBlock: blocks,
  ToolCallUpdate: [toolCall],
};

type Path = readonly (string | number)[];

/** What a member is replaced by. `DELETE` removes it. */
const DELETE = Symbol('delete');
const SUBSTITUTES: readonly unknown[] = [
  DELETE,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 32,
  2 ** 60,
  Number.POSITIVE_INFINITY,
  '',
  'weird',
  [],
  {},
  [null],
  ['weird'],
  [{}],
  { a: 1 },
  { a: null },
];

/**
 * Where we are wider than the SDK on purpose, so no other string may be put there: the tags of
 * updates, content blocks and tool content, and the kind of a permission option. Those are tested
 * with our own validation. The sample forms have no string format, which is the last such place.
 */
const WIDER =
  /\/sessionUpdate$|(^|\/(prompt|content|summary)(\/\d+)?)\/type$|\/options\/\d+\/kind$/;

describe.each(Object.entries(SAMPLES))('%s agrees with the official SDK', (name, samples) => {
  test('on the samples, which are valid', () => {
    for (const sample of samples) {
      expect(disagreements(name, sample)).toEqual([]);
      expect(VALIDATORS[name as DefinitionName](structuredClone(sample))).toBe(true);
    }
  });

  test('on every sample with one member replaced', () => {
    const found = samples.flatMap((sample) =>
      pathsOf(sample).flatMap((path) =>
        SUBSTITUTES.flatMap((value) => disagreements(name, replaced(sample, path, value))),
      ),
    );
    expect(found).toEqual([]);
  });
});

test('all messages agree with the official SDK with several members replaced', () => {
  const cases = Object.entries(SAMPLES).flatMap(([name, samples]) =>
    samples.map((sample) => ({ name, sample })),
  );
  const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...SUBSTITUTES)), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.constantFrom(...cases), changes, ({ name, sample }, picks) => {
      let message = sample;
      for (const [pick, value] of picks) {
        const paths = pathsOf(message);
        const path = paths[pick % paths.length];
        if (path) message = replaced(message, path, value);
      }
      expect(disagreements(name, message)).toEqual([]);
    }),
    { numRuns: 3_000, seed: 20_260_101 },
  );
});

test('the comparison notices a difference', () => {
  expect(differences({ a: undefined }, { a: 1 }, '')).toEqual(['/a should be dropped, is 1']);
  expect(differences({ a: [1] }, { a: [1, 2] }, '')).toHaveLength(1);
  expect(differences({ a: 1 }, {}, '')).toHaveLength(1);
  expect(differences({ a: { b: false, c: [] } }, {}, '')).toEqual([]);
});

/** What we and the SDK see differently in one message. */
function disagreements(name: string, message: unknown): string[] {
  const validate = VALIDATORS[name as DefinitionName];
  const theirs = sdk[`z${name}`]?.safeParse(structuredClone(message));
  const ours = structuredClone(message);
  const isValid = validate(ours);
  const found =
    isValid !== theirs?.success
      ? [`we ${isValid ? 'accept' : `refuse: ${JSON.stringify(validate.errors)}`}`]
      : isValid
        ? differences(theirs.data, ours, '')
        : [];
  return found.map((text) => `${text} in ${JSON.stringify(message)}`);
}

function differences(theirs: unknown, ours: unknown, path: string): string[] {
  if (ours === undefined && isDefault(theirs)) return [];
  if (theirs === undefined) return [`${path} should be dropped, is ${JSON.stringify(ours)}`];
  if (!isObject(theirs)) {
    return Object.is(theirs, ours)
      ? []
      : [`${path} is ${String(ours)}, not ${JSON.stringify(theirs)}`];
  }
  if (!isObject(ours) || Array.isArray(theirs) !== Array.isArray(ours)) {
    return [`${path} is ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`];
  }
  if (Array.isArray(ours) && ours.length !== Object.keys(theirs).length) {
    return [`${path} has ${ours.length} items, not ${Object.keys(theirs).length}`];
  }
  return Object.keys(theirs).flatMap((key) =>
    differences(theirs[key], ours[key], `${path}/${key}`),
  );
}

/** Whether the SDK may have made up a value: nothing, false, the empty list, or objects of those. */
function isDefault(value: unknown): boolean {
  if (value === undefined || value === false || value === 'object') return true;
  return isObject(value) && Object.values(value).every(isDefault);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function pathsOf(value: unknown): Path[] {
  if (!isObject(value)) return [[]];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const record = value as Record<string | number, unknown>;
  return [[], ...keys.flatMap((key) => pathsOf(record[key]).map((path) => [key, ...path]))];
}

/** A copy with one member replaced, or the value itself where we are wider than the SDK. */
function replaced(value: unknown, path: Path, substitute: unknown): unknown {
  if (typeof substitute === 'string' && WIDER.test(path.map((key) => `/${key}`).join(''))) {
    return value;
  }
  const copy: unknown = structuredClone(value);
  const last = path.at(-1);
  let parent = copy as Record<string | number, unknown>;
  if (last === undefined) return substitute === DELETE ? undefined : substitute;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  if (substitute === DELETE && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (substitute === DELETE) delete parent[last];
  else parent[last] = structuredClone(substitute);
  return copy;
}
