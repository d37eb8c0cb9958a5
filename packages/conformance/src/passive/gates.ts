import { isMethodName, METHODS } from '@signalbox/acp';
import { at, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Side } from '../requirements/requirement.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import type { Handshake, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** The requirement that a method stands under, besides R-INI-11 and R-INI-20. */
const METHOD_IDS: Readonly<Record<string, string>> = {
  logout: 'R-AUT-08',
  'session/load': 'R-LOD-01',
  'session/resume': 'R-RSM-01',
  'session/close': 'R-CLS-01',
  'session/list': 'R-LST-01',
  'session/delete': 'R-DEL-01',
  'fs/read_text_file': 'R-FS-01',
  'fs/write_text_file': 'R-FS-01',
  'terminal/create': 'R-TRM-01',
  'terminal/output': 'R-TRM-01',
  'terminal/wait_for_exit': 'R-TRM-01',
  'terminal/kill': 'R-TRM-01',
  'terminal/release': 'R-TRM-01',
  'elicitation/create': 'R-ELI-02',
};

const AGENT_IDS = [
  'R-INI-11',
  'R-INI-20',
  'R-FS-01',
  'R-TRM-01',
  'R-ELI-02',
  'R-NOT-01',
  'R-CMP-01',
];
const CLIENT_IDS = [
  'R-INI-11',
  'R-AUT-08',
  'R-LOD-01',
  'R-RSM-01',
  'R-CLS-01',
  'R-LST-01',
  'R-DEL-01',
];

/** Nothing is used that the other side did not announce. */
export const GATE_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'only announced methods are called',
    ids: { agent: AGENT_IDS, client: CLIENT_IDS },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        const handshake = view.handshakeAt(message.index);
        if (handshake === undefined || isOtherVersion(view, message)) continue;
        if (isMethodName(message.method)) judgeMethod(message, handshake, notes);
      }
      for (const { kind, message } of view.updates) {
        const handshake = view.handshakeAt(message.index);
        if (handshake !== undefined) judgeUpdateKind(kind, message, handshake, notes);
      }
    },
  },
  {
    name: 'only announced members are used',
    ids: {
      client: ['R-DIR-01', 'R-MCP-04', 'R-PRM-02', 'R-CNT-05'],
      agent: ['R-AUT-02', 'R-CFG-03'],
    },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const handshake of view.handshakes) judgeLoginMethods(handshake, notes);
      for (const message of view.messages) {
        const handshake = view.handshakeAt(message.index);
        if (handshake === undefined || isOtherVersion(view, message)) continue;
        if (message.sender === 'client') judgeMembers(message, handshake, notes);
        else judgeBooleans(view, message, handshake, notes);
      }
    },
  },
];

function judgeMethod(message: WireMessage, handshake: Handshake, notes: Notes): void {
  const method = METHODS[message.method as keyof typeof METHODS];
  if (method.gate === undefined || message.kind === 'response') return;
  const handler: Side = message.sender === 'agent' ? 'client' : 'agent';
  if (method.side !== handler) return;
  const announced = handler === 'agent' ? handshake.agent : handshake.client;
  let isAllowed = method.gate.allows(announced);
  if (message.method === 'elicitation/create') {
    const mode = stringAt(message.params, 'mode');
    isAllowed = mode !== undefined && isPresent(handshake.client, 'elicitation', mode);
  }
  const text = `${message.method} is used, but ${method.gate.capability} was not announced`;
  const ids = [METHOD_IDS[message.method], 'R-INI-11'];
  if (message.sender === 'agent') ids.push('R-INI-20');
  for (const id of ids) {
    if (id !== undefined) notes.judge(id, message, isAllowed, text, handshake.request);
  }
}

function judgeUpdateKind(
  kind: string,
  message: WireMessage,
  handshake: Handshake,
  notes: Notes,
): void {
  const gate =
    kind === 'notice' ? 'notices' : kind.startsWith('compaction_') ? 'compaction' : undefined;
  if (gate === undefined) return;
  const isAllowed = isPresent(handshake.client, 'session', gate);
  const text = `${kind} is sent, but clientCapabilities.session.${gate} was not announced`;
  for (const id of [gate === 'notices' ? 'R-NOT-01' : 'R-CMP-01', 'R-INI-11', 'R-INI-20']) {
    notes.judge(id, message, isAllowed, text, handshake.request);
  }
}

function judgeLoginMethods({ client, response, request }: Handshake, notes: Notes): void {
  const mayUseTerminal = at(client, 'auth', 'terminal') === true;
  for (const method of listAt(response.result, 'authMethods')) {
    const isOk = mayUseTerminal || at(method, 'type') !== 'terminal';
    const text = 'a terminal login is listed for a client without auth.terminal';
    notes.judge('R-AUT-02', response, isOk, text, request);
  }
}

function judgeMembers(message: WireMessage, { agent }: Handshake, notes: Notes): void {
  const { method, params } = message;
  if (method === 'session/new' || method === 'session/load' || method === 'session/resume') {
    const isAllowed =
      !isPresent(params, 'additionalDirectories') ||
      isPresent(agent, 'sessionCapabilities', 'additionalDirectories');
    notes.judge('R-DIR-01', message, isAllowed, 'additionalDirectories was not announced');
    for (const server of listAt(params, 'mcpServers')) {
      const type = stringAt(server, 'type');
      if (type !== 'http' && type !== 'sse') continue;
      const isOk = at(agent, 'mcpCapabilities', type) === true;
      notes.judge('R-MCP-04', message, isOk, `an MCP server of type ${type} was not announced`);
    }
  }
  if (method !== 'session/prompt') return;
  for (const block of listAt(params, 'prompt'))
    judgeBlock(message, stringAt(block, 'type'), agent, notes);
}

function judgeBlock(
  message: WireMessage,
  type: string | undefined,
  agent: Handshake['agent'],
  notes: Notes,
): void {
  const flag = type === 'resource' ? 'embeddedContext' : type;
  const mayEmbed = at(agent, 'promptCapabilities', 'embeddedContext') === true;
  if (type === 'resource' && mayEmbed) notes.ok('R-CNT-05', 'client');
  if (flag !== 'image' && flag !== 'audio' && flag !== 'embeddedContext') {
    notes.ok('R-PRM-02', 'client');
    return;
  }
  const isOk = at(agent, 'promptCapabilities', flag) === true;
  notes.judge('R-PRM-02', message, isOk, `a block of type ${type ?? '?'} was not announced`);
}

function judgeBooleans(
  view: View,
  message: WireMessage,
  { client, request }: Handshake,
  notes: Notes,
): void {
  const options = [
    ...listAt(message.result, 'configOptions'),
    ...listAt(message.params, 'update', 'configOptions'),
  ];
  if (options.length === 0 || (message.kind === 'response' && view.callOf(message) === undefined))
    return;
  const isAllowed = isPresent(client, 'session', 'configOptions', 'boolean');
  const hasBoolean = options.some((option) => at(option, 'type') === 'boolean');
  const text = 'a boolean option is sent to a client that did not announce them';
  notes.judge('R-CFG-03', message, isAllowed || !hasBoolean, text, request);
}
