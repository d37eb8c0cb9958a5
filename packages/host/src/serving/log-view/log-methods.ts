import type { RequestContext, RequestMessage } from '@signalbox/acp';
import type { PermissionId, SessionId } from '@signalbox/core';
import { isHostError } from '../../host-error.ts';
import type { HandlerParts } from '../handlers.ts';
import { assertRole } from '../role.ts';
import { invalidParams, toRpcError } from '../to-rpc-error.ts';
import { attach } from './attach.ts';
import { ContentReader } from './content-reader.ts';
import { readContext, restoreContext } from './context.ts';
import { LogMethod } from './log-method.ts';
import { objectParams, optionalCount, optionalOneOf, optionalString, stringOf } from './params.ts';

/** Answers one of our own methods. */
type LogHandler = (message: RequestMessage, context: RequestContext) => unknown;

const PAGE = { min: 1, max: 500 };
const PAGE_DEFAULT = 100;

/** The methods by which a client follows logs itself, by name. */
export function createLogMethods(parts: HandlerParts): ReadonlyMap<string, LogHandler> {
  const { host, sessions } = parts;
  const content = new ContentReader(host);
  return new Map<string, LogHandler>([
    [LogMethod.ping, () => ({})],
    [LogMethod.attach, (message) => attach(host, sessions(), message)],
    [
      LogMethod.detach,
      (message) => {
        sessions().detach(stringOf(objectParams(message), 'sessionId'));
        return {};
      },
    ],
    [LogMethod.answerPermission, (message) => answerPermission(parts, message)],
    [LogMethod.list, (message) => listSessions(parts, message)],
    [LogMethod.readContent, (message) => content.read(sessions(), message)],
    [LogMethod.snapshot, (message) => readContext(host, sessions(), message)],
    [LogMethod.restore, (message, context) => restoreContext(parts, message, context)],
  ]);
}

async function answerPermission(
  { sessions, by }: HandlerParts,
  message: RequestMessage,
): Promise<object> {
  const params = objectParams(message);
  const sessionId = stringOf(params, 'sessionId');
  const permissionId = stringOf(params, 'permissionId') as PermissionId;
  const served = sessions().get(sessionId);
  assertRole(served.role, 'approver', 'answering a permission request');
  try {
    await served.session.answerPermission(permissionId, optionalString(params, 'optionId'), by());
    return {};
  } catch (error) {
    if (!isHostError(error, 'permission_not_answerable')) throw toRpcError(error, sessionId);
    const isWaiting = served.session.state.permissions.has(permissionId);
    const reason = isWaiting ? 'not_offered' : 'not_waiting';
    throw invalidParams(error.message, { sessionId, permissionId, reason });
  }
}

async function listSessions({ host }: HandlerParts, message: RequestMessage): Promise<object> {
  const params = objectParams(message);
  const limit = optionalCount(params, 'limit', PAGE) ?? PAGE_DEFAULT;
  const prefix = optionalString(params, 'prefix');
  const after = optionalString(params, 'after') as SessionId | undefined;
  return host.pageSessions({
    limit,
    order: optionalOneOf(params, 'order', ['oldest', 'newest'] as const) ?? 'oldest',
    ...(prefix === undefined ? {} : { prefix }),
    ...(after === undefined ? {} : { after }),
  });
}
