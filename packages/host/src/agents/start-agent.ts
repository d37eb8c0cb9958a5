import {
  isPeerError,
  isRpcError,
  type ClientCapabilities,
  type RequestOptions,
  type WireTap,
} from '@signalbox/acp';
import { HostError } from '../host-error.ts';
import { START_TIMEOUT_MS, type AgentEntry } from './agent-entry.ts';
import type { AgentEvents, AgentLink, RunningAgent } from './agent-link.ts';
import { AgentProcess, DEFAULT_ENDING_LIMITS, type EndingLimits } from './agent-process.ts';
import { AgentSession } from './agent-session.ts';
import { SESSION_MARK, toAgentEnvironment } from './environment.ts';

/** Everything needed to start an agent for a session. */
export interface AgentStart {
  readonly entry: AgentEntry;
  readonly sessionId: string;
  readonly cwd: string;
  /** The host's own environment, from which only the allowlist is taken. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Default {@link DEFAULT_ENDING_LIMITS}. */
  readonly ending?: EndingLimits;
  readonly tap?: WireTap;
}

/** The code with which an agent asks for a sign-in. */
const AUTH_REQUIRED = -32000;

/** What this host offers to agents as their client. */
const CAPABILITIES: ClientCapabilities = {};

/** Agents as child processes on stdio. */
export function createProcessLink(start: AgentStart): AgentLink {
  return { start: (events, signal) => startAgent(start, events, signal) };
}

async function startAgent(
  start: AgentStart,
  events: AgentEvents,
  signal: AbortSignal,
): Promise<RunningAgent> {
  signal.throwIfAborted();
  const { entry, sessionId, cwd, ending = DEFAULT_ENDING_LIMITS } = start;
  const environment = toAgentEnvironment(start.environment, entry.passEnv ?? [], {
    ...entry.env,
    [SESSION_MARK]: sessionId,
  });
  const child = await AgentProcess.spawn({ command: entry.command, cwd, environment }, sessionId);
  const session = new AgentSession(child, events, ending, start.tap);
  const onAbort = (): void => void session.end();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const handshake = new Handshake(start, session);
  try {
    return await handshake.run();
  } catch (error) {
    await session.end();
    throw await explain(error, handshake.step, start, child);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The steps from a fresh process to a session. Each has the agent's start limit to itself. */
class Handshake {
  /** The step under way, for the message if it fails (B25). */
  step: 'initialize' | 'session/new' = 'initialize';
  readonly #start: AgentStart;
  readonly #session: AgentSession;

  constructor(start: AgentStart, session: AgentSession) {
    this.#start = start;
    this.#session = session;
  }

  async run(): Promise<RunningAgent> {
    const { entry, clientInfo, cwd } = this.#start;
    const { connection } = this.#session;
    const limit: RequestOptions = { timeoutMs: entry.startTimeoutMs ?? START_TIMEOUT_MS };
    const initialized = await connection.initialize(
      { clientCapabilities: CAPABILITIES, clientInfo },
      limit,
    );
    this.step = 'session/new';
    const created = await connection.requestRaw('session/new', { cwd, mcpServers: [] }, limit);
    return this.#session.ready({
      agentSessionId: created.result.sessionId,
      restoredBy: 'new',
      initialized: initialized.raw,
      session: created.raw,
    });
  }
}

/** Says which agent failed at which step, and what it said last (B21, B25). */
async function explain(
  error: unknown,
  step: string,
  start: AgentStart,
  child: AgentProcess,
): Promise<HostError> {
  const command = start.entry.command.join(' ');
  if (isRpcError(error)) {
    const code = error.code === AUTH_REQUIRED ? 'auth_required' : 'agent_handshake_failed';
    const message = `The agent "${command}" refused ${step}: ${error.message} (code ${error.code})`;
    return new HostError(code, withTail(message, child.stderrTail), { cause: error });
  }
  let what = error instanceof Error ? error.message : String(error);
  if (isPeerError(error, 'closed') && error.cause === undefined) {
    const { code, signal } = await child.exited;
    what =
      signal === null ? `it exited with code ${code ?? 'unknown'}` : `it was ended by ${signal}`;
  }
  const message = `The agent "${command}" did not start, at ${step}: ${what}`;
  return new HostError('agent_handshake_failed', withTail(message, child.stderrTail), {
    cause: error,
  });
}

function withTail(message: string, stderrTail: string): string {
  const tail = stderrTail.trim();
  return tail === '' ? message : `${message}\nIts last words on stderr:\n${tail}`;
}
