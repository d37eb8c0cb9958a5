import { at, isObject } from '../json/json.ts';
import type { Side } from '../requirements/requirement.ts';
import type { Notes, PassiveCheck } from './passive-check.ts';
import type { StrayResponse, View } from './view.ts';
import type { WireMessage } from './wire-message.ts';

/** Requests and responses in relation to each other. */
export const ANSWER_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'pending requests have different ids',
    ids: { agent: ['R-FRM-16'], client: ['R-FRM-16'] },
    toleratesHostilePeer: true,
    run({ calls }, notes) {
      const open = new Map<string, number>();
      for (const { request, response } of calls) {
        const key = `${request.sender} ${request.idText ?? ''}`;
        const isFree = (open.get(key) ?? -1) < request.index;
        notes.judge('R-FRM-16', request, isFree, 'two pending requests have one id');
        open.set(key, response?.index ?? Infinity);
      }
    },
  },
  {
    name: 'a request is answered once, with its own id',
    ids: {
      agent: ['R-FRM-11', 'R-FRM-12', 'R-FRM-15'],
      client: ['R-FRM-11', 'R-FRM-12', 'R-FRM-15'],
    },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const call of view.calls) {
        if (call.response === undefined) continue;
        notes.ok('R-FRM-11', call.response.sender);
        notes.ok('R-FRM-12', call.response.sender);
      }
      noteSharedIds(view, notes);
      for (const stray of view.strays) judgeStray(stray, notes);
    },
  },
  {
    name: 'nothing is answered that is no request',
    ids: { agent: ['R-FRM-13', 'R-FRM-17'], client: ['R-FRM-13', 'R-FRM-17'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const side of ['agent', 'client'] as const) judgeNullAnswers(side, view, notes);
    },
  },
  {
    name: 'a cancelled request ends as cancelled',
    ids: { agent: ['R-CRQ-01', 'R-CRQ-06'], client: ['R-CRQ-01', 'R-CRQ-06'] },
    toleratesHostilePeer: false,
    run(view, notes) {
      for (const message of view.messages) {
        if (message.method === '$/cancelRequest') {
          notes.bad('R-CRQ-01', message.sender, 'the name is $/cancel_request', message);
        }
        if (message.method === '$/cancel_request') judgeCancel(message, view, notes);
      }
    },
  },
];

/** Ids that both sides used at the same time and that did not disturb each other (R-FRM-15). */
function noteSharedIds({ calls }: View, notes: Notes): void {
  for (const { request, response } of calls) {
    const isShared = calls.some(
      (other) =>
        other.request.sender !== request.sender &&
        other.request.idText === request.idText &&
        other.response !== undefined &&
        other.request.index < request.index &&
        other.response.index > request.index,
    );
    if (isShared && response !== undefined) notes.ok('R-FRM-15', response.sender);
  }
}

function judgeStray({ message, answered, lookalike, rounded }: StrayResponse, notes: Notes): void {
  const { sender, idText } = message;
  if (idText === undefined || idText === 'null') return;
  if (lookalike !== undefined) {
    const text = 'the id of an answer has another type than that of the request';
    notes.bad('R-FRM-11', sender, text, lookalike.request, message);
  } else if (answered !== undefined) {
    const text = 'a request was answered twice';
    notes.bad('R-FRM-12', sender, text, answered.request, answered.response, message);
  } else if (rounded !== undefined) {
    // The schema allows such ids, but many peers compute with double precision.
    notes.warn('R-FRM-11', sender, 'an id above 2^53 is rounded', rounded.request, message);
  } else {
    notes.bad('R-FRM-11', sender, 'an answer has an id that no request had', message);
  }
}

/** Errors without an id answer lines that cannot be read; there must not be more than such lines. */
function judgeNullAnswers(side: Side, { messages }: View, notes: Notes): void {
  let unreadable = 0;
  for (const message of messages) {
    if (message.sender !== side) {
      if (isUnreadable(message)) unreadable++;
      if (message.kind === 'notification') notes.ok('R-FRM-13', side);
      continue;
    }
    if (message.kind !== 'response') continue;
    if (message.idText !== undefined && message.idText !== 'null') continue;
    if (unreadable === 0) {
      notes.bad('R-FRM-13', side, 'an answer without an id, and nothing that it answers', message);
      continue;
    }
    unreadable--;
    notes.judge(
      'R-FRM-17',
      message,
      message.idText === 'null',
      'an answer has no id, not even null',
    );
  }
}

function isUnreadable({ kind, idText, value, params, entry }: WireMessage): boolean {
  // An empty line need not be answered, and may be.
  if (entry.text.trim() === '') return true;
  if (kind === 'other' || idText === 'null') return true;
  const isRightVersion = isObject(value) && value['jsonrpc'] === '2.0';
  const hasOddId = kind === 'request' && !isUsableId(at(value, 'id'));
  return !isRightVersion || hasOddId || (params !== undefined && typeof params !== 'object');
}

function isUsableId(id: unknown): boolean {
  return typeof id === 'string' || Number.isInteger(id);
}

function judgeCancel(message: WireMessage, { calls }: View, notes: Notes): void {
  const requestId = at(message.params, 'requestId');
  const isShaped = isUsableId(requestId) && message.kind === 'notification';
  notes.judge('R-CRQ-01', message, isShaped, '$/cancel_request is a notification with requestId');
  const call = calls.find(
    ({ request, response }) =>
      request.sender === message.sender &&
      at(request.value, 'id') === requestId &&
      request.index < message.index &&
      (response?.index ?? Infinity) > message.index,
  );
  const response = call?.response;
  if (response?.isError !== true) return;
  const isAbort = /abort|cancel/i.test(String(at(response.error, 'message')));
  const code = at(response.error, 'code');
  if (!isAbort && code !== -32800) return;
  const text = 'a cancelled request was answered with another code than -32800';
  notes.judge('R-CRQ-06', response, code === -32800, text, message);
}
