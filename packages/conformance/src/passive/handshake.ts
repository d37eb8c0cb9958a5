import { at, isObject, isPresent, listAt, stringAt } from '../json/json.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import type { Call, View } from './view.ts';
import { errorCode } from './wire-message.ts';

/** The first exchange of a connection, and login. */
export const HANDSHAKE_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'initialize comes first',
    ids: { client: ['R-INI-01', 'R-INI-19'], agent: ['R-INI-02'] },
    toleratesHostilePeer: false,
    run({ calls, handshakes }, notes) {
      const ready = handshakes[0]?.response.index ?? Infinity;
      for (const { caller, method, request, response } of calls) {
        if (caller !== 'client' || request.index > ready || method === 'initialize') continue;
        if (method.startsWith('_') || method.startsWith('$/')) continue;
        notes.bad('R-INI-01', 'client', `${method} was sent before the handshake`, request);
        if (response === undefined) continue;
        notes.judge(
          'R-INI-02',
          response,
          response.isError,
          `${method} before initialize succeeded`,
        );
      }
      const attempts = calls.filter(
        ({ method, caller }) => method === 'initialize' && caller === 'client',
      );
      if (attempts.length > 0) notes.ok('R-INI-01', 'client');
      if (handshakes.length === 1) notes.ok('R-INI-19', 'client');
      if (handshakes.length > 1) {
        notes.warn('R-INI-19', 'client', 'initialize was sent again', handshakes[1]?.request);
      }
    },
  },
  {
    name: 'what initialize says',
    ids: {
      client: ['R-INI-03', 'R-INI-04', 'R-INI-05', 'R-INI-09', 'R-ELI-01'],
      agent: ['R-INI-06', 'R-INI-07', 'R-INI-08', 'R-INI-17', 'R-INI-18', 'R-AUT-01', 'R-MCP-07'],
    },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const call of view.calls) {
        if (call.method !== 'initialize' || call.caller !== 'client') continue;
        judgeRequest(call, notes);
        judgeAnswer(call, notes);
      }
      judgeUnsupported(view, notes);
    },
  },
  {
    name: 'logging in uses an announced method',
    ids: { client: ['R-AUT-03'], agent: ['R-AUT-04', 'R-AUT-05'] },
    toleratesHostilePeer: false,
    run({ calls, handshakeAt }, notes) {
      for (const { method, params, request, response } of calls) {
        const methods = listAt(handshakeAt(request.index)?.response.result, 'authMethods');
        if (method === 'authenticate') {
          const known = methods.find(
            (each) => stringAt(each, 'id') === stringAt(params, 'methodId'),
          );
          const isOk = known !== undefined && at(known, 'type') !== 'terminal';
          notes.judge(
            'R-AUT-03',
            request,
            isOk,
            'the method was not announced, or is for a terminal',
          );
          if (response?.isError === false && isOk) {
            const isEmpty = isObject(response.result);
            if (isEmpty) notes.ok('R-AUT-04', 'agent');
            else notes.warn('R-AUT-04', 'agent', 'the result is no object', request, response);
          }
        }
        if (errorCode(response) === -32000 && response !== undefined && methods.length > 0) {
          notes.ok('R-AUT-05', 'agent');
        }
      }
    },
  },
];

function judgeRequest({ request, params }: Call, notes: Notes): void {
  const version = at(params, 'protocolVersion');
  const isVersion = Number.isInteger(version) && Number(version) >= 0 && Number(version) <= 65535;
  notes.judge('R-INI-03', request, isVersion, 'protocolVersion is no integer from 0 to 65535');
  const capabilities = at(params, 'clientCapabilities');
  const isOk = capabilities === undefined || isObject(capabilities);
  notes.judge('R-INI-04', request, isOk, 'clientCapabilities is no object');
  if (version !== 1) return;
  const info = at(params, 'clientInfo');
  const isNamed = typeof at(info, 'name') === 'string' && typeof at(info, 'version') === 'string';
  notes.judge('R-INI-05', request, isNamed, 'clientInfo lacks name and version');
  const elicitation = at(capabilities, 'elicitation');
  if (elicitation !== undefined && elicitation !== null) {
    const isMarked = ['form', 'url'].every(
      (mode) => !isPresent(elicitation, mode) || isObject(at(elicitation, mode)),
    );
    notes.judge('R-ELI-01', request, isMarked, 'elicitation modes are announced by objects');
  }
}

function judgeAnswer({ request, params, response }: Call, notes: Notes): void {
  if (response === undefined) return;
  const asked = at(params, 'protocolVersion');
  if (response.isError) {
    if (Number.isInteger(asked) && Number(asked) > 0) {
      notes.bad('R-INI-08', 'agent', 'a version was answered with an error', request, response);
    }
    return;
  }
  const version = at(response.result, 'protocolVersion');
  const isNumber = Number.isInteger(version);
  notes.judge('R-INI-06', response, isNumber, 'protocolVersion is missing or no integer', request);
  if (asked === 1)
    notes.judge('R-INI-07', response, version === 1, 'version 1 was not echoed', request);
  const info = at(response.result, 'agentInfo');
  const isNamed = typeof at(info, 'name') === 'string' && typeof at(info, 'version') === 'string';
  if (version === 1) {
    notes.judge('R-INI-17', response, isNamed, 'agentInfo lacks name and version');
    const capabilities = at(response.result, 'agentCapabilities');
    notes.judge('R-INI-18', response, isObject(capabilities), 'agentCapabilities is missing');
    judgeMethods(response, notes);
    const hasHttp = at(capabilities, 'mcpCapabilities', 'http') === true;
    notes.judge('R-MCP-07', response, hasHttp, 'MCP servers over HTTP are not supported');
  }
}

function judgeMethods(response: NonNullable<Call['response']>, notes: Notes): void {
  for (const method of listAt(response.result, 'authMethods')) {
    const isOk = typeof at(method, 'id') === 'string' && typeof at(method, 'name') === 'string';
    notes.judge('R-AUT-01', response, isOk, 'a login method lacks id or name');
  }
}

/** A client that goes on although the agent speaks a version that it did not offer (R-INI-09). */
function judgeUnsupported({ handshakes, calls }: View, notes: Notes): void {
  for (const { request, response, version } of handshakes) {
    const asked = at(request.params, 'protocolVersion');
    if (typeof asked !== 'number' || version <= asked) continue;
    const next = calls.find(
      (call) =>
        call.caller === 'client' &&
        call.request.index > response.index &&
        call.method.startsWith('session/'),
    );
    if (next === undefined) notes.ok('R-INI-09', 'client');
    else {
      const text = `the client goes on although the agent speaks version ${version}`;
      notes.bad('R-INI-09', 'client', text, response, next.request);
    }
  }
}
