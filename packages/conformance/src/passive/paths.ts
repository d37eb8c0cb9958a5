import { at, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import type { View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** A path that a message names, and the requirement that it stands under besides R-FRM-28. */
interface NamedPath {
  readonly path: unknown;
  readonly id: string | undefined;
  readonly what: string;
}

/** Paths are absolute and lines count from 1. */
export const PATH_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'paths are absolute',
    ids: {
      agent: ['R-FRM-28', 'R-FS-02', 'R-TOOL-17', 'R-TOOL-19', 'R-TRM-05', 'R-LST-04'],
      client: ['R-FRM-28', 'R-SES-04', 'R-DIR-02', 'R-MCP-03'],
    },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        if (isOtherVersion(view, message)) continue;
        for (const named of [
          ...pathsIn(message),
          ...pathsInTool(message),
          ...pathsInResult(view, message),
        ]) {
          judgePath(message, named, notes);
        }
      }
    },
  },
  {
    name: 'lines count from 1',
    ids: { agent: ['R-FRM-29'], client: [] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        if (isOtherVersion(view, message) || message.sender !== 'agent') continue;
        const lines = toolCallsIn(message).flatMap((call) =>
          listAt(call, 'locations').map((location) => at(location, 'line')),
        );
        if (message.method === 'fs/read_text_file') lines.push(at(message.params, 'line'));
        for (const line of lines) {
          if (typeof line !== 'number') continue;
          notes.judge('R-FRM-29', message, line >= 1, `line ${line} is named; lines count from 1`);
        }
      }
    },
  },
];

/** Whether a path is absolute on some system: POSIX, a Windows drive, or a network share. */
export function isAbsolutePath(path: unknown): boolean {
  return typeof path === 'string' && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** The tool calls that a message reports or asks permission for. */
export function toolCallsIn({ method, params }: WireMessage): readonly unknown[] {
  if (method === 'session/request_permission') return [at(params, 'toolCall')];
  const kind = stringAt(params, 'update', 'sessionUpdate');
  const isTool = kind === 'tool_call' || kind === 'tool_call_update';
  return method === 'session/update' && isTool ? [at(params, 'update')] : [];
}

function judgePath(message: WireMessage, { path, id, what }: NamedPath, notes: Notes): void {
  if (path === undefined || path === null) return;
  const isOk = isAbsolutePath(path);
  for (const each of id === undefined ? ['R-FRM-28'] : ['R-FRM-28', id]) {
    notes.judge(each, message, isOk, `${what} is not absolute: ${JSON.stringify(path)}`);
  }
}

function pathsIn({ method, params, sender }: WireMessage): NamedPath[] {
  const isSetup = ['session/new', 'session/load', 'session/resume', 'session/list'].includes(
    method,
  );
  if (isSetup && sender === 'client') {
    return [
      { path: at(params, 'cwd'), id: 'R-SES-04', what: 'cwd' },
      ...listAt(params, 'additionalDirectories').map((path) => ({
        path,
        id: 'R-DIR-02',
        what: 'an additional directory',
      })),
      ...listAt(params, 'mcpServers')
        .filter((server) => !isPresent(server, 'type'))
        .map((server) => ({
          path: at(server, 'command'),
          id: 'R-MCP-03',
          what: 'the command of an MCP server',
        })),
    ];
  }
  if (sender !== 'agent') return [];
  if (method.startsWith('fs/')) return [{ path: at(params, 'path'), id: 'R-FS-02', what: 'path' }];
  if (method !== 'terminal/create') return [];
  return [{ path: at(params, 'cwd'), id: 'R-TRM-05', what: 'cwd' }];
}

function pathsInTool(message: WireMessage): NamedPath[] {
  if (message.sender !== 'agent') return [];
  return toolCallsIn(message).flatMap((call) => [
    ...listAt(call, 'content')
      .filter((item) => at(item, 'type') === 'diff')
      .map((item) => ({ path: at(item, 'path'), id: 'R-TOOL-17', what: 'the path of a diff' })),
    ...listAt(call, 'locations').map((location) => ({
      path: at(location, 'path'),
      id: 'R-TOOL-19',
      what: 'the path of a location',
    })),
  ]);
}

function pathsInResult(view: View, message: WireMessage): NamedPath[] {
  if (view.callOf(message)?.method !== 'session/list' || message.kind !== 'response') return [];
  return listAt(message.result, 'sessions').map((session) => ({
    path: at(session, 'cwd'),
    id: 'R-LST-04',
    what: 'cwd of a session',
  }));
}
