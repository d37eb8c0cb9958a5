import { at, isPresent, listAt, stringAt } from '../json/json.ts';
import type { PassiveCheck } from './passive-check.ts';
import { hasNextPage } from './session-ids.ts';

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Listings of sessions, and what is told about sessions. */
export const SESSION_LIST_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'listed sessions are described in full',
    ids: { agent: ['R-LST-03', 'R-LST-04', 'R-LST-12'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const { method, response } of view.calls) {
        if (method !== 'session/list' || response === undefined || response.isError) continue;
        const isList = Array.isArray(at(response.result, 'sessions'));
        notes.judge('R-LST-03', response, isList, 'sessions is no list');
        const agent = view.handshakeAt(response.index)?.agent;
        for (const session of listAt(response.result, 'sessions')) {
          const updatedAt = at(session, 'updatedAt') ?? undefined;
          const isShaped =
            typeof at(session, 'sessionId') === 'string' &&
            typeof at(session, 'cwd') === 'string' &&
            (updatedAt === undefined ||
              (typeof updatedAt === 'string' && ISO_8601.test(updatedAt)));
          const text = 'a session lacks sessionId or cwd, or updatedAt is no ISO 8601 time';
          notes.judge('R-LST-04', response, isShaped, text);
          if (!isPresent(session, 'additionalDirectories')) continue;
          const isAllowed = isPresent(agent, 'sessionCapabilities', 'additionalDirectories');
          notes.judge('R-LST-12', response, isAllowed, 'additionalDirectories was not announced');
        }
      }
    },
  },
  {
    name: 'a page leads to another one',
    ids: { agent: ['R-LST-06'] },
    toleratesHostilePeer: true,
    run({ calls }, notes) {
      for (const { method, params, request, response } of calls) {
        if (method !== 'session/list' || !hasNextPage(response) || response === undefined) continue;
        const isOther = at(response.result, 'nextCursor') !== at(params, 'cursor');
        const text = 'a page names itself as the next one, so that the list has no end';
        notes.judge('R-LST-06', response, isOther, text, request);
      }
    },
  },
  {
    name: 'cursors are passed back as they came',
    ids: { client: ['R-LST-07', 'R-LST-08'] },
    toleratesHostilePeer: false,
    run({ calls }, notes) {
      const cursors = new Set<unknown>();
      for (const { method, params, request, response } of calls) {
        if (method !== 'session/list') continue;
        if (isPresent(params, 'cursor')) {
          const isKnown = cursors.has(at(params, 'cursor'));
          notes.judge('R-LST-08', request, isKnown, 'a cursor that this connection never got');
        }
        if (hasNextPage(response)) cursors.add(at(response?.result, 'nextCursor'));
        else if (response?.isError === false) notes.ok('R-LST-07', 'client');
      }
    },
  },
  {
    name: 'session_info_update patches, and the list shows it',
    ids: { agent: ['R-LST-15', 'R-LST-17'] },
    toleratesHostilePeer: false,
    run({ updates, calls }, notes) {
      for (const { kind, update, message, sessionId } of updates) {
        if (kind !== 'session_info_update') continue;
        const isPatch = !['sessionId', 'cwd', 'additionalDirectories'].some(
          (name) => name in update,
        );
        notes.judge(
          'R-LST-15',
          message,
          isPatch,
          'an update of a session carries what cannot change',
        );
        const title = stringAt(update, 'title');
        const list = calls.find(
          ({ method, request, response }) =>
            method === 'session/list' && request.index > message.index && response !== undefined,
        );
        const isLast = !updates.some(
          (other) =>
            other.kind === kind &&
            other.sessionId === sessionId &&
            other.message.index > message.index,
        );
        if (title === undefined || list?.response === undefined || !isLast) continue;
        const entry = listAt(list.response.result, 'sessions').find(
          (session) => at(session, 'sessionId') === sessionId,
        );
        if (entry === undefined) continue;
        const isSame = at(entry, 'title') === title;
        notes.judge('R-LST-17', list.response, isSame, 'the list shows another title', message);
      }
    },
  },
];
