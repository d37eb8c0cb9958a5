import { at, isObject, isPresent, listAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import type { Call, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** What clients send to set sessions up, and what agents answer. */
export const SESSION_SETUP_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'session setup carries what the schema requires',
    ids: { client: ['R-SES-01', 'R-LOD-02', 'R-RSM-02', 'R-MCP-11', 'R-DIR-02'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const message of view.messages) {
        if (message.sender !== 'client' || isOtherVersion(view, message)) continue;
        judgeSetup(message, notes);
      }
    },
  },
  {
    name: 'MCP servers are described in full',
    ids: { client: ['R-MCP-02', 'R-MCP-05', 'R-MCP-10'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const message of view.messages) {
        if (message.sender !== 'client' || isOtherVersion(view, message)) continue;
        for (const server of listAt(message.params, 'mcpServers')) {
          notes.ok('R-MCP-10', 'client');
          if (isPresent(server, 'type')) judgeRemoteServer(message, server, notes);
          else judgeStdioServer(message, server, notes);
        }
      }
    },
  },
  {
    name: 'results are objects',
    ids: { agent: ['R-LOD-05', 'R-RSM-05', 'R-CLS-04'], client: ['R-FS-07'] },
    toleratesHostilePeer: true,
    run({ calls }, notes) {
      for (const call of calls) {
        const id = RESULT_IDS[call.method];
        if (id === undefined || call.response === undefined || call.response.isError) continue;
        judgeObjectResult(id, call, call.response, notes);
      }
    },
  },
  {
    name: 'session setup answers with modes and options that fit',
    ids: { agent: ['R-SES-10', 'R-MOD-01'] },
    toleratesHostilePeer: true,
    run({ calls }, notes) {
      for (const { method, response } of calls) {
        if (!isSetup(method) || response === undefined || response.isError) continue;
        notes.ok('R-SES-10', 'agent');
        if (isPresent(response.result, 'modes')) judgeModes(response, notes);
      }
    },
  },
];

/** Whether a method opens a session. */
export function isSetup(method: string): boolean {
  return method === 'session/new' || method === 'session/load' || method === 'session/resume';
}

const RESULT_IDS: Readonly<Record<string, string>> = {
  'session/load': 'R-LOD-05',
  'session/resume': 'R-RSM-05',
  'session/close': 'R-CLS-04',
  'fs/write_text_file': 'R-FS-07',
};

function judgeSetup(message: WireMessage, notes: Notes): void {
  const { method, params } = message;
  const hasDirectory = typeof at(params, 'cwd') === 'string';
  const hasServers = Array.isArray(at(params, 'mcpServers'));
  const hasSession = typeof at(params, 'sessionId') === 'string';
  if (method === 'session/new') {
    const isOk = hasDirectory && hasServers;
    notes.judge('R-SES-01', message, isOk, 'session/new lacks cwd or a list of mcpServers');
  } else if (method === 'session/load') {
    const isOk = hasDirectory && hasServers && hasSession;
    notes.judge('R-LOD-02', message, isOk, 'session/load lacks sessionId, cwd or mcpServers');
    notes.judge('R-MCP-11', message, hasServers, 'session/load lacks the list of MCP servers');
  } else if (method === 'session/resume') {
    const isOk = hasDirectory && hasSession;
    notes.judge('R-RSM-02', message, isOk, 'session/resume lacks sessionId or cwd');
  }
  if (!isSetup(method) || !isPresent(params, 'additionalDirectories')) return;
  const areStrings = listAt(params, 'additionalDirectories').every(
    (path) => typeof path === 'string' && path !== '',
  );
  notes.judge('R-DIR-02', message, areStrings, 'an additional directory is empty or no string');
}

function judgeStdioServer(message: WireMessage, server: unknown, notes: Notes): void {
  const isOk =
    typeof at(server, 'name') === 'string' &&
    typeof at(server, 'command') === 'string' &&
    isList(server, 'args', (arg) => typeof arg === 'string') &&
    isList(server, 'env', isPair);
  notes.judge(
    'R-MCP-02',
    message,
    isOk,
    'a server lacks name, command, args or env, each as in v1',
  );
}

function judgeRemoteServer(message: WireMessage, server: unknown, notes: Notes): void {
  const isOk =
    typeof at(server, 'name') === 'string' &&
    typeof at(server, 'url') === 'string' &&
    isList(server, 'headers', isPair);
  if (at(server, 'type') === 'http' || at(server, 'type') === 'sse') {
    notes.judge('R-MCP-05', message, isOk, 'a server lacks name, url or headers');
  }
}

function isList(value: unknown, name: string, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(at(value, name)) && listAt(value, name).every(fits);
}

function isPair(value: unknown): boolean {
  return typeof at(value, 'name') === 'string' && typeof at(value, 'value') === 'string';
}

function judgeObjectResult(id: string, call: Call, response: WireMessage, notes: Notes): void {
  if (isObject(response.result)) {
    notes.ok(id, response.sender);
  } else if (response.result === null && id !== 'R-RSM-05') {
    const text =
      'the result is null; the schema wants an object, though pages of the docs show null';
    notes.warn(id, response.sender, text, call.request, response);
  } else {
    notes.bad(id, response.sender, 'the result is no object', call.request, response);
  }
}

function judgeModes(response: WireMessage, notes: Notes): void {
  const modes = at(response.result, 'modes');
  const list = listAt(modes, 'availableModes');
  const areNamed = list.every(
    (mode) => typeof at(mode, 'id') === 'string' && typeof at(mode, 'name') === 'string',
  );
  const isListed = list.some((mode) => at(mode, 'id') === at(modes, 'currentModeId'));
  const text = 'a mode lacks id or name, or the current mode is not among them';
  notes.judge('R-MOD-01', response, areNamed && isListed, text);
}

/** The modes that the latest answer to a setup of this session offered before this place. */
export function offeredModes(
  { calls }: View,
  sessionId: string,
  index: number,
): readonly unknown[] {
  const setup = calls.findLast(
    ({ method, params, response }) =>
      isSetup(method) &&
      response !== undefined &&
      response.index < index &&
      (at(response.result, 'sessionId') === sessionId || at(params, 'sessionId') === sessionId),
  );
  return listAt(setup?.response?.result, 'modes', 'availableModes');
}
