import {
  ErrorCode,
  RawJson,
  rawMember,
  RpcError,
  type AgentHandlers,
  type PromptRequest,
  type PromptResponse,
  type RequestContext,
  type NotificationMessage,
  type RequestMessage,
} from '@signalbox/acp';
import type { AttachedClient, Cause } from '../client-services/attached-client.ts';
import type { Host } from '../hosting/host.ts';
import { isDrivenByProtocol } from './announcement.ts';
import { createLogMethods } from './log-view/log-methods.ts';
import { toContent, toPromptId, toWhenBusy } from './prompt-content.ts';
import { assertRole, isAtLeast, type Role } from './role.ts';
import type { ServedAgent } from './served-agent.ts';
import type { ServedSession } from './served-session.ts';
import type { ServedSessions } from './served-sessions.ts';
import { invalidParams, toRpcError } from './to-rpc-error.ts';

/** What the handlers of one connection work with. */
export interface HandlerParts {
  readonly host: Host;
  readonly agent: ServedAgent;
  /** The most that the client may do. */
  readonly role: Role;
  readonly findAgent: (name: string) => ServedAgent | undefined;
  readonly sessions: () => ServedSessions;
  /** The client, as it serves an agent outside of any session. */
  readonly client: () => AttachedClient;
  /** The client, as the log names it. */
  readonly by: () => { readonly kind: 'client'; readonly name: string };
  /** Whether the connection ends: what was asked for over it is not cancelled by that. */
  readonly isEnding: () => boolean;
  readonly initialize: AgentHandlers['initialize'];
  /** Somebody has signed in to the agent by this method, or has signed out. */
  readonly onSignedIn: (methodId: string | undefined) => void;
}

/** What a client may call, method by method. */
export function createHandlers(parts: HandlerParts): AgentHandlers {
  const { agent, role, sessions, initialize } = parts;
  const logMethods = createLogMethods(parts);
  return {
    initialize,
    requests: {
      authenticate: async ({ methodId }, context, message) => {
        assertRole(role, 'driver', 'signing in');
        const { authMethods } = await answered(agent.describe());
        const method = authMethods.find(({ id }) => id === methodId);
        if (method === undefined || !isDrivenByProtocol(method)) {
          throw invalidParams(`/methodId names no way to sign in that is offered`, { methodId });
        }
        const cause = causeOf(parts, context, message);
        const answer = await answered(agent.authenticate(paramsOf(message), cause));
        parts.onSignedIn(methodId);
        await sessions().restartSignedOut();
        return answer;
      },
      logout: async (_params, context, message) => {
        assertRole(role, 'driver', 'signing out');
        const cause = causeOf(parts, context, message);
        const answer = await answered(agent.logout(paramsOf(message), cause));
        parts.onSignedIn(undefined);
        return answer;
      },
      'session/new': (params, context, message) => sessions().create(params, context, message),
      'session/load': (params, _context, message) => sessions().load(params, message),
      'session/resume': (params, _context, message) => sessions().resume(params, message),
      'session/list': (params) => sessions().list(params),
      'session/close': (params) => sessions().close(params),
      'session/delete': (params) => sessions().delete(params),
      'session/prompt': (params, context, message) => onPrompt(parts, params, context, message),
      'session/set_mode': async ({ sessionId, modeId }) => {
        await answered(drivenBy(sessions(), sessionId).setMode(modeId), sessionId);
        return {};
      },
      'session/set_config_option': (params, _context, message) => {
        const { sessionId } = params;
        const served = drivenBy(sessions(), sessionId);
        return answered(served.setConfigOption(paramsOf(message)), sessionId);
      },
    },
    notifications: {
      'session/cancel': ({ sessionId }) => {
        const served = sessions().find(sessionId);
        // Nobody is told of a refused notification.
        if (served !== undefined && isAtLeast(served.role, 'approver')) served.cancel();
      },
    },
    invalidRequest: (message, _context, refusal) => sessions().resumeShort(message, refusal),
    otherRequest: (message, context) => {
      if (message.method === 'stream/resume') return sessions().resumeStream(message);
      const ours = logMethods.get(message.method);
      return ours === undefined ? onExtension(sessions(), message) : ours(message, context);
    },
    otherNotification: (message) => onExtensionNotification(sessions(), message),
  };
}

/** Takes a prompt in at once, so that what came behind it, such as its cancel, finds it (B47). */
function onPrompt(
  parts: HandlerParts,
  { sessionId, _meta }: PromptRequest,
  context: RequestContext,
  message: RequestMessage,
): Promise<PromptResponse> {
  const served = drivenBy(parts.sessions(), sessionId);
  const content = toContent(message);
  const whenBusy = toWhenBusy(_meta);
  const promptId = toPromptId(_meta);
  const withdrawal = new AbortController();
  const withdraw = (): void => withdrawal.abort();
  // Cancelling the request takes the prompt back (R-CRQ-08); the end of the connection does not.
  context.signal.addEventListener('abort', () => {
    if (!parts.isEnding()) withdraw();
  });
  const run = (session: ServedSession): Promise<PromptResponse> =>
    session.prompt({ content, whenBusy, promptId, withdrawn: withdrawal.signal });
  if (!served.feed.isOver) return run(served);
  // Until the session is open anew, a cancel finds it as it was (B46).
  served.whenCancelled.addEventListener('abort', withdraw);
  return parts.sessions().revive(served).then(run);
}

/** Passes an extension on to the agent of the session that it names (R-EXT-05). */
function onExtension(sessions: ServedSessions, message: RequestMessage): Promise<RawJson> {
  const { method, params } = message;
  const { sessionId } = (params ?? {}) as { sessionId?: unknown };
  if (!method.startsWith('_') || typeof sessionId !== 'string') {
    throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
  }
  const { session } = drivenBy(sessions, sessionId);
  return answered(session.agentCalls.request(method, paramsOf(message)), sessionId);
}

/** The same for a notification; one that names no session of ours is ignored (R-FRM-21). */
function onExtensionNotification(sessions: ServedSessions, message: NotificationMessage): void {
  const { method, params } = message;
  const { sessionId } = (params ?? {}) as { sessionId?: unknown };
  if (!method.startsWith('_') || typeof sessionId !== 'string') return;
  const served = sessions.find(sessionId);
  if (served === undefined || !isAtLeast(served.role, 'driver')) return;
  served.notifyAgent(method, paramsOf(message));
}

/** The session, if the client may drive it. @throws RpcError -32002 or -32012. */
function drivenBy(sessions: ServedSessions, sessionId: string): ServedSession {
  const served = sessions.get(sessionId);
  assertRole(served.role, 'driver', 'driving a session');
  return served;
}

/** The client's request, for an agent that wants to ask something because of it. */
function causeOf(
  { client }: HandlerParts,
  { signal }: RequestContext,
  { idText }: RequestMessage,
): Cause {
  return { client: client(), idText, signal };
}

function paramsOf(message: RequestMessage | NotificationMessage): RawJson {
  return rawMember(message, 'params') ?? new RawJson('{}');
}

async function answered<T>(work: Promise<T>, sessionId?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toRpcError(error, sessionId);
  }
}
