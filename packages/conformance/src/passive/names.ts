import { isMethodName, METHODS } from '@signalbox/acp';
import { at, isObject } from '../json/json.ts';
import type { PassiveCheck } from './passive-check.ts';
import { errorCode } from './wire-message.ts';

/** Methods of the unstable schema: not part of v1, but no invention of a vendor either. */
const UNSTABLE_METHODS = new RegExp(
  '^(session/(fork|archive|unarchive|status|set_title|set_model)' +
    '|auth/(status|status_update)|(providers|mcp|proxy|nes|document)/.*)$',
);

/** Names of methods and of extensions. */
export const NAME_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'own methods begin with an underscore',
    ids: { agent: ['R-EXT-04'], client: ['R-EXT-04'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        const { method, kind } = message;
        if (kind !== 'request' && kind !== 'notification') continue;
        if (isMethodName(method) || UNSTABLE_METHODS.test(method)) continue;
        const isOk = method.startsWith('_') || method.startsWith('$/');
        const text = 'a method that ACP does not define has no leading underscore';
        notes.judge('R-EXT-04', message, isOk, text);
      }
    },
  },
  {
    name: 'extensions are announced',
    ids: { agent: ['R-EXT-07'], client: ['R-EXT-07'] },
    toleratesHostilePeer: false,
    run({ messages, handshakeAt }, notes) {
      for (const message of messages) {
        if (!message.method.startsWith('_')) continue;
        const handshake = handshakeAt(message.index);
        if (handshake === undefined) continue;
        const mine = message.sender === 'agent' ? handshake.agent : handshake.client;
        if (hasMeta(mine)) notes.ok('R-EXT-07', message.sender);
        else
          notes.warn('R-EXT-07', message.sender, 'an own method that was not announced', message);
      }
    },
  },
  {
    name: 'the side that is called handles the method',
    ids: { agent: ['R-INI-13', 'R-INI-15'], client: ['R-INI-14', 'R-INI-15'] },
    toleratesHostilePeer: true,
    run({ calls, handshakeAt }, notes) {
      for (const { method, request, response } of calls) {
        const handshake = handshakeAt(request.index);
        if (response === undefined || !isMethodName(method)) continue;
        const { gate, side } = METHODS[method];
        if (side !== response.sender) continue;
        const isUnknown = errorCode(response) === -32601;
        if (isBaseline(method)) {
          const id = side === 'agent' ? 'R-INI-13' : 'R-INI-14';
          notes.judge(id, response, !isUnknown, `${method} belongs to the baseline`, request);
        } else if (gate !== undefined && handshake?.version === 1) {
          const announced = side === 'agent' ? handshake.agent : handshake.client;
          if (!gate.allows(announced)) continue;
          const text = `${method} was announced and is answered "method not found"`;
          notes.judge('R-INI-15', response, !isUnknown, text, request);
        }
      }
    },
  },
];

function isBaseline(method: string): boolean {
  return ['initialize', 'session/new', 'session/prompt', 'session/request_permission'].includes(
    method,
  );
}

/** Whether an object, or one within it, carries `_meta` with at least one key. */
function hasMeta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const meta = at(value, '_meta');
  if (isObject(meta) && Object.keys(meta).length > 0) return true;
  return Object.values(value).some(hasMeta);
}
