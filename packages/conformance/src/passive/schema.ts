import {
  isKnownUpdateKind,
  isMethodName,
  METHODS,
  validateParams,
  validateResult,
} from '@signalbox/acp';
import { at, isObject, stringAt } from '../json/json.ts';
import type { Side } from '../requirements/requirement.ts';
import type { PassiveCheck } from './passive-check.ts';
import type { View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** Updates of the unstable schema: a strict client drops them, but they are no vendor's invention. */
const UNSTABLE_UPDATES: ReadonlySet<string> = new Set([
  'plan_update',
  'plan_removed',
  'subagent_update',
  'session_message',
  'session_message_chunk',
]);

/** Messages against the schema of v1. */
export const SCHEMA_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'messages fit the schema',
    ids: { agent: ['R-FRM-30', 'R-INI-10'], client: ['R-FRM-30', 'R-INI-10'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        if (isOtherVersion(view, message)) continue;
        const problem = problemOf(view, message);
        if (problem === undefined) continue;
        const isNegotiated = view.handshakeAt(message.index) !== undefined;
        notes.judge('R-FRM-30', message, problem === '', problem);
        if (problem === '' && isNegotiated) notes.ok('R-INI-10', message.sender);
      }
    },
  },
  {
    name: 'updates are of a kind that v1 defines',
    ids: { agent: ['R-EXT-08', 'R-INI-10'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { kind, message } of view.updates) {
        if (isOtherVersion(view, message)) continue;
        if (isKnownUpdateKind(kind)) notes.ok('R-EXT-08', 'agent');
        else if (V2_UPDATES.has(kind)) {
          notes.bad('R-INI-10', 'agent', `${kind} is an update of protocol version 2`, message);
        } else if (!UNSTABLE_UPDATES.has(kind)) {
          notes.bad(
            'R-EXT-08',
            'agent',
            `the kinds of updates are closed; ${kind} is none`,
            message,
          );
        }
      }
    },
  },
];

const V2_UPDATES: ReadonlySet<string> = new Set([
  'user_message',
  'agent_message',
  'agent_thought',
  'state_update',
  'tool_call_content_chunk',
  'terminal_update',
  'terminal_output_chunk',
]);

/** Whether the message belongs to a connection that agreed on another version than 1. */
export function isOtherVersion(view: View, message: WireMessage): boolean {
  const handshake = view.handshakeAt(message.index);
  if (handshake !== undefined) return handshake.version !== 1;
  const call = view.callOf(message);
  if (call?.method !== 'initialize') return false;
  const answered = at(call.response?.result, 'protocolVersion');
  return answered !== undefined ? answered !== 1 : at(call.params, 'protocolVersion') !== 1;
}

/** What is wrong with a message; empty when nothing is, undefined when the schema does not say. */
function problemOf(view: View, message: WireMessage): string | undefined {
  if (message.kind === 'response') return resultProblem(view, message);
  if (message.kind !== 'request' && message.kind !== 'notification') return undefined;
  const { method, sender } = message;
  if (!isMethodName(method)) return undefined;
  const { side, kind } = METHODS[method];
  const handler: Side = sender === 'agent' ? 'client' : 'agent';
  if (side !== 'protocol' && side !== handler) return `${method} is not for the ${handler}`;
  if (kind !== message.kind) return `${method} is a ${kind}`;
  return difference(
    message.params ?? {},
    (copy) => validateParams(method, copy),
    isNewUpdate(message),
  );
}

function resultProblem(view: View, message: WireMessage): string | undefined {
  const call = view.callOf(message);
  if (call === undefined || message.isError || !isMethodName(call.method)) return undefined;
  const { method } = call;
  return difference(message.result, (copy) => validateResult(method, copy), false);
}

/** An update of an unknown kind has its own check. */
function isNewUpdate({ params }: WireMessage): boolean {
  const kind = stringAt(params, 'update', 'sessionUpdate');
  return kind !== undefined && !isKnownUpdateKind(kind);
}

/**
 * The validators follow the schema's reading rules and drop what a reader is to ignore. A sender may
 * not send it in the first place, so whatever they drop is a fault too. Null stands for absent.
 */
function difference(
  value: unknown,
  validate: (copy: unknown) => { path: string; message: string } | undefined,
  isSkipped: boolean,
): string | undefined {
  if (isSkipped) return undefined;
  const copy: unknown = structuredClone(value);
  const problem = validate(copy);
  if (problem !== undefined) return `${problem.path || 'the message'} ${problem.message}`;
  return firstDropped(value, copy, '') ?? '';
}

function firstDropped(before: unknown, after: unknown, path: string): string | undefined {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return `${path}: an item does not fit the schema`;
    return firstOf(
      before.map((item, place) => firstDropped(item, after[place], `${path}/${place}`)),
    );
  }
  if (!isObject(before) || !isObject(after)) return undefined;
  return firstOf(
    Object.entries(before).map(([name, value]) => {
      if (value === null) return undefined;
      if (!(name in after)) return `${path}/${name} does not fit the schema`;
      return firstDropped(value, after[name], `${path}/${name}`);
    }),
  );
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
