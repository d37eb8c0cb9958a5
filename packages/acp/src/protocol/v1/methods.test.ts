import { describe, expect, expectTypeOf, test } from 'vitest';
import type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
  ProtocolNotifications,
} from './method-types.ts';
import type { METHOD_TABLE } from './methods.gen.ts';
import { isMethodName, METHODS, missingCapability, type Announced } from './methods.ts';

type Table = typeof METHOD_TABLE;
type Listed<Side, Kind> = {
  [M in keyof Table]: Table[M] extends { side: Side; kind: Kind } ? M : never;
}[keyof Table];

const AGENT_REQUESTS: Record<keyof AgentRequests, true> = {
  initialize: true,
  authenticate: true,
  logout: true,
  'session/new': true,
  'session/load': true,
  'session/list': true,
  'session/resume': true,
  'session/close': true,
  'session/delete': true,
  'session/prompt': true,
  'session/set_mode': true,
  'session/set_config_option': true,
};
const AGENT_NOTIFICATIONS: Record<keyof AgentNotifications, true> = { 'session/cancel': true };
const CLIENT_REQUESTS: Record<keyof ClientRequests, true> = {
  'session/request_permission': true,
  'fs/read_text_file': true,
  'fs/write_text_file': true,
  'terminal/create': true,
  'terminal/output': true,
  'terminal/wait_for_exit': true,
  'terminal/kill': true,
  'terminal/release': true,
  'elicitation/create': true,
};
const CLIENT_NOTIFICATIONS: Record<keyof ClientNotifications, true> = {
  'session/update': true,
  'elicitation/complete': true,
};
const PROTOCOL_NOTIFICATIONS: Record<keyof ProtocolNotifications, true> = {
  '$/cancel_request': true,
};

describe('the method maps and the schema', () => {
  test('name the same methods, as types', () => {
    expectTypeOf<keyof AgentRequests>().toEqualTypeOf<Listed<'agent', 'request'>>();
    expectTypeOf<keyof AgentNotifications>().toEqualTypeOf<Listed<'agent', 'notification'>>();
    expectTypeOf<keyof ClientRequests>().toEqualTypeOf<Listed<'client', 'request'>>();
    expectTypeOf<keyof ClientNotifications>().toEqualTypeOf<Listed<'client', 'notification'>>();
    expectTypeOf<keyof ProtocolNotifications>().toEqualTypeOf<Listed<'protocol', 'notification'>>();
    expectTypeOf<Listed<'protocol', 'request'>>().toEqualTypeOf<never>();
  });

  test.each([
    { side: 'agent', kind: 'request', names: AGENT_REQUESTS },
    { side: 'agent', kind: 'notification', names: AGENT_NOTIFICATIONS },
    { side: 'client', kind: 'request', names: CLIENT_REQUESTS },
    { side: 'client', kind: 'notification', names: CLIENT_NOTIFICATIONS },
    { side: 'protocol', kind: 'notification', names: PROTOCOL_NOTIFICATIONS },
  ])('name the same $kind methods of the $side', ({ side, kind, names }) => {
    const listed = Object.entries(METHODS).filter(
      ([, method]) => method.side === side && method.kind === kind,
    );
    expect(listed.map(([name]) => name).sort()).toEqual(Object.keys(names).sort());
  });
});

test('finds methods by a name from the wire, and nothing else', () => {
  expect(isMethodName('session/prompt')).toBe(true);
  for (const name of ['', '_vendor/ping', 'toString', '__proto__', 'constructor']) {
    expect(isMethodName(name)).toBe(false);
  }
});

test('knows which methods always name a session', () => {
  const others = Object.entries(METHODS).filter(([, method]) => !method.sessionScoped);
  expect(others.map(([name]) => name)).toEqual([
    '$/cancel_request',
    'authenticate',
    'elicitation/complete',
    'elicitation/create',
    'initialize',
    'logout',
    'session/list',
    'session/new',
  ]);
});

const GATED: { methods: (keyof typeof METHODS)[]; announced: Announced; capability: string }[] = [
  {
    methods: ['session/load'],
    announced: { agent: { loadSession: true } },
    capability: 'agentCapabilities.loadSession',
  },
  ...(['list', 'resume', 'close', 'delete'] as const).map((name) => ({
    methods: [`session/${name}` as const],
    announced: { agent: { sessionCapabilities: { [name]: {} } } },
    capability: `agentCapabilities.sessionCapabilities.${name}`,
  })),
  {
    methods: ['logout'],
    announced: { agent: { auth: { logout: {} } } },
    capability: 'agentCapabilities.auth.logout',
  },
  {
    methods: ['fs/read_text_file'],
    announced: { client: { fs: { readTextFile: true } } },
    capability: 'clientCapabilities.fs.readTextFile',
  },
  {
    methods: ['fs/write_text_file'],
    announced: { client: { fs: { writeTextFile: true } } },
    capability: 'clientCapabilities.fs.writeTextFile',
  },
  {
    methods: [
      'terminal/create',
      'terminal/output',
      'terminal/wait_for_exit',
      'terminal/kill',
      'terminal/release',
    ],
    announced: { client: { terminal: true } },
    capability: 'clientCapabilities.terminal',
  },
  {
    methods: ['elicitation/create'],
    announced: { client: { elicitation: { form: {} } } },
    capability: 'clientCapabilities.elicitation.form or .url',
  },
  {
    methods: ['elicitation/create', 'elicitation/complete'],
    announced: { client: { elicitation: { url: {} } } },
    capability: 'clientCapabilities.elicitation.',
  },
];

describe('capabilities', () => {
  test.each(GATED)('$methods need $capability', ({ methods, announced, capability }) => {
    for (const name of methods) {
      expect(missingCapability(name, announced)).toBeUndefined();
      expect(missingCapability(name, {})).toContain(capability);
      expect(missingCapability(name, NOTHING)).toContain(capability);
    }
  });

  test('no other method needs one', () => {
    const gated = new Set(GATED.flatMap(({ methods }) => methods));
    for (const name of Object.keys(METHODS) as (keyof typeof METHODS)[]) {
      expect(METHODS[name].gate !== undefined).toBe(gated.has(name));
      if (!gated.has(name)) expect(missingCapability(name, {})).toBeUndefined();
    }
  });
});

/** Null and false announce nothing (R-INI-11). */
const NOTHING: Announced = {
  agent: {
    loadSession: false,
    sessionCapabilities: { list: null, resume: null, close: null, delete: null },
    auth: { logout: null },
  },
  client: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    elicitation: { form: null, url: null },
  },
};
