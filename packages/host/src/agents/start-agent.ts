import { isPeerError, isRpcError, type WireTap } from '@signalbox/acp';
import type { ClientServices } from '../client-services/client-services.ts';
import { HostError } from '../host-error.ts';
import type { SessionSetup } from '../hosting/session-setup.ts';
import { START_TIMEOUT_MS, type AgentEntry } from './agent-entry.ts';
import type { AgentEvents, AgentLink, RunningAgent, SessionHistory } from './agent-link.ts';
import { AgentProcess, DEFAULT_ENDING_LIMITS, type EndingLimits } from './agent-process.ts';
import { AgentSession } from './agent-session.ts';
import { AUTH_REQUIRED, Handshake } from './handshake.ts';
import { withLastWords } from './last-words.ts';
import { withRemedy } from './start-remedy.ts';

/** Everything needed to start an agent for a session. */
export interface AgentStart {
  readonly entry: AgentEntry;
  readonly sessionId: string;
  readonly cwd: string;
  readonly setup: SessionSetup;
  /** The agent's environment, made by `toAgentEnvironment`, with the session's mark. */
  readonly environment: Readonly<Record<string, string>>;
  /** What is done for the agent as its client. */
  readonly services: ClientServices;
  /** The login method by which somebody has signed in to this agent, if anybody has. */
  readonly signInMethod?: () => string | undefined;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Default {@link DEFAULT_ENDING_LIMITS}. */
  readonly ending?: EndingLimits;
  readonly tap?: WireTap;
}

/** Agents as child processes on stdio. */
export function createProcessLink(start: AgentStart): AgentLink {
  return {
    start: async (events, signal, history) => {
      try {
        return await startAgent(start, events, signal, history);
      } catch (error) {
        throw withRemedy(error, start.entry);
      }
    },
  };
}

async function startAgent(
  start: AgentStart,
  events: AgentEvents,
  signal: AbortSignal,
  history: SessionHistory | undefined,
): Promise<RunningAgent> {
  signal.throwIfAborted();
  const { entry, sessionId, cwd, environment, services, ending = DEFAULT_ENDING_LIMITS } = start;
  const child = await AgentProcess.spawn({ command: entry.command, cwd, environment }, sessionId);
  events.onSpawned(() => child.stderrTail);
  const session = new AgentSession(child, events, {
    sessionId,
    services,
    ending,
    answerTimeoutMs: entry.startTimeoutMs ?? START_TIMEOUT_MS,
    ...(start.tap === undefined ? {} : { tap: start.tap }),
  });
  const onAbort = (): void => void session.end();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const handshake = new Handshake({ ...start, history }, session);
  try {
    return await handshake.run();
  } catch (error) {
    await session.end();
    throw await explain(error, handshake.step, start, { child, session });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Says which agent failed at which step, and what it said last (B21, B25). */
async function explain(
  error: unknown,
  step: string,
  start: AgentStart,
  { child, session }: { readonly child: AgentProcess; readonly session: AgentSession },
): Promise<HostError> {
  const withWords = (message: string): string =>
    withLastWords(message, child.stderrTail, session.connection.noise);
  const command = start.entry.command.join(' ');
  if (isRpcError(error)) {
    const code = error.code === AUTH_REQUIRED ? 'auth_required' : 'agent_handshake_failed';
    const message = `The agent "${command}" refused ${step}: ${error.message} (code ${error.code})`;
    return new HostError(code, withWords(message), { cause: error });
  }
  let what = error instanceof Error ? error.message : String(error);
  if (isPeerError(error, 'closed') && error.cause === undefined) {
    const { code, signal } = await child.exited;
    what =
      signal === null ? `it exited with code ${code ?? 'unknown'}` : `it was ended by ${signal}`;
  }
  const message = `The agent "${command}" did not start, at ${step}: ${what}`;
  return new HostError('agent_handshake_failed', withWords(message), { cause: error });
}
