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
import { isDrivenByProtocol } from './announcement.ts';
import { assertTaken, toContent, toWhenBusy } from './prompt-content.ts';
import type { ServedAgent } from './served-agent.ts';
import type { ServedSession } from './served-session.ts';
import type { ServedSessions } from './served-sessions.ts';
import { invalidParams, toRpcError } from './to-rpc-error.ts';

/** What the handlers of one connection work with. */
export interface HandlerParts {
  readonly agent: ServedAgent;
  readonly sessions: () => ServedSessions;
  /** Whether the connection ends: what was asked for over it is not cancelled by that. */
  readonly isEnding: () => boolean;
  readonly initialize: AgentHandlers['initialize'];
  /** Somebody has signed in to the agent by this method, or has signed out. */
  readonly onSignedIn: (methodId: string | undefined) => void;
}

/** What a client may call, method by method. */
export function createHandlers(parts: HandlerParts): AgentHandlers {
  const { agent, sessions, initialize } = parts;
  return {
    initialize,
    requests: {
      authenticate: async ({ methodId }, { signal }, message) => {
        const { authMethods } = await answered(agent.describe());
        const method = authMethods.find(({ id }) => id === methodId);
        if (method === undefined || !isDrivenByProtocol(method)) {
          throw invalidParams(`/methodId names no way to sign in that is offered`, { methodId });
        }
        const answer = await answered(agent.authenticate(paramsOf(message), signal));
        parts.onSignedIn(methodId);
        await sessions().restartSignedOut();
        return answer;
      },
      logout: async (_params, { signal }, message) => {
        const answer = await answered(agent.logout(paramsOf(message), signal));
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
        await answered(sessions().get(sessionId).setMode(modeId), sessionId);
        return {};
      },
      'session/set_config_option': (params, _context, message) => {
        const { sessionId } = params;
        const served = sessions().get(sessionId);
        return answered(served.setConfigOption(paramsOf(message)), sessionId);
      },
    },
    notifications: {
      'session/cancel': ({ sessionId }) => sessions().find(sessionId)?.cancel(),
    },
    otherRequest: (message) => onExtension(sessions(), message),
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
  const served = parts.sessions().get(sessionId);
  const content = toContent(message);
  const whenBusy = toWhenBusy(_meta);
  assertTaken(content, served.promptCapabilities);
  const run = (session: ServedSession): Promise<PromptResponse> => {
    // Cancelling the request is cancelling the turn (R-CRQ-08); the end of the connection is not.
    context.signal.addEventListener('abort', () => {
      if (!parts.isEnding()) session.cancel();
    });
    return session.prompt(content, whenBusy);
  };
  return served.feed.isOver ? parts.sessions().revive(served).then(run) : run(served);
}

/** Passes an extension on to the agent of the session that it names (R-EXT-05). */
function onExtension(sessions: ServedSessions, message: RequestMessage): Promise<RawJson> {
  const { method, params } = message;
  const { sessionId } = (params ?? {}) as { sessionId?: unknown };
  if (!method.startsWith('_') || typeof sessionId !== 'string') {
    throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
  }
  const { session } = sessions.get(sessionId);
  return answered(session.callAgent(method, paramsOf(message)), sessionId);
}

/** The same for a notification; one that names no session of ours is ignored (R-FRM-21). */
function onExtensionNotification(sessions: ServedSessions, message: NotificationMessage): void {
  const { method, params } = message;
  const { sessionId } = (params ?? {}) as { sessionId?: unknown };
  if (!method.startsWith('_') || typeof sessionId !== 'string') return;
  sessions.find(sessionId)?.session.notifyAgent(method, paramsOf(message));
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
