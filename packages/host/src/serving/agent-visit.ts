import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import {
  ClientConnection,
  isPeerError,
  isRpcError,
  RawJson,
  rawMember,
  type ClientHandlers,
  type InitializeResponse,
  type RawResult,
} from '@signalbox/acp';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { START_TIMEOUT_MS, type AgentEntry } from '../agents/agent-entry.ts';
import { AgentProcess, type EndingLimits } from '../agents/agent-process.ts';
import { SESSION_MARK, toAgentEnvironment } from '../agents/environment.ts';
import { explainExit } from '../agents/explain-exit.ts';
import { withLastWords } from '../agents/last-words.ts';
import type { Cause } from '../client-services/attached-client.ts';
import { offeredMode, underRequest, type Elicitations } from '../client-services/elicitations.ts';
import { HostError } from '../host-error.ts';

/** How an agent is reached outside of any session. */
export interface VisitParts {
  readonly entry: AgentEntry;
  /** The host's own environment, from which only the allowlist is taken. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly ending: EndingLimits;
  /** Who can answer what the agent asks meanwhile. Without it nothing can be asked. */
  readonly asking?: VisitAsking;
}

/** A client's request because of which an agent is visited, and what the agent asks because of it. */
export interface VisitAsking {
  readonly cause: Cause;
  readonly elicitations: Elicitations;
}

/** A process of an agent that has been initialized and has no session. */
export interface Visit {
  readonly connection: ClientConnection;
  readonly initialized: RawResult<InitializeResponse>;
}

/** What the host can do for an agent; a sign-in in a terminal is what clients of ours are asked for. */
const CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
};

const NO_HANDLERS: ClientHandlers = { requests: {}, notifications: {} };

/** Without a session, whatever the agent asks belongs to the client's request. */
function toHandlers({ cause, elicitations }: VisitAsking): ClientHandlers {
  return {
    requests: {
      'elicitation/create': (params, { signal }, message) => {
        offeredMode(params, cause.client.capabilities);
        const raw = underRequest(rawMember(message, 'params') ?? new RawJson('{}'), cause.idText);
        return elicitations.ask(cause.client, { raw, signal, cause: cause.signal });
      },
    },
    notifications: {
      'elicitation/complete': (_params, message) =>
        elicitations.complete(rawMember(message, 'params') ?? new RawJson('{}')),
    },
  };
}

/**
 * Starts a process of an agent without a session, to ask it something, and ends it.
 *
 * @param signal aborting ends the process, and with it the work.
 * @param onEnding is given the end of the process, which the caller of `visitAgent` need not wait for.
 * @throws HostError `agent_spawn_failed` or `agent_handshake_failed`; what `work` throws.
 */
export async function visitAgent<T>(
  parts: VisitParts,
  work: (visit: Visit) => Promise<T>,
  signal: AbortSignal,
  onEnding: (ending: Promise<unknown>) => void,
): Promise<T> {
  signal.throwIfAborted();
  const { entry, ending } = parts;
  const mark = `visit-${randomBytes(9).toString('hex')}`;
  const environment = toAgentEnvironment(parts.environment, entry.passEnv ?? [], {
    ...entry.env,
    [SESSION_MARK]: mark,
  });
  const where = { command: entry.command, cwd: tmpdir(), environment };
  const child = await AgentProcess.spawn(where, mark);
  const transport = createStdioTransport(child.stdout, child.stdin);
  const handlers = parts.asking === undefined ? NO_HANDLERS : toHandlers(parts.asking);
  const connection = new ClientConnection(transport, handlers, { drainMs: 0 });
  const end = (): Promise<unknown> =>
    child.end(ending).then(() => {
      child.dispose();
      return connection.close();
    });
  const onAbort = (): void => onEnding(end());
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await work({ connection, initialized: await initialize(connection, parts, child) });
  } catch (error) {
    throw await explainExit(error, () => child.end(ending));
  } finally {
    signal.removeEventListener('abort', onAbort);
    onEnding(end());
  }
}

async function initialize(
  connection: ClientConnection,
  { entry, clientInfo, asking }: VisitParts,
  child: AgentProcess,
): Promise<RawResult<InitializeResponse>> {
  const elicitation = asking?.cause.client.capabilities.elicitation;
  const clientCapabilities = elicitation == null ? CAPABILITIES : { ...CAPABILITIES, elicitation };
  try {
    return await connection.initialize(
      { clientCapabilities, clientInfo },
      {
        timeoutMs: entry.startTimeoutMs ?? START_TIMEOUT_MS,
        // An agent that waits for a person takes no time of its own.
        extendsTime: () => asking?.elicitations.isAsking === true,
      },
    );
  } catch (cause) {
    if (!isRpcError(cause) && !isPeerError(cause)) throw cause;
    const command = entry.command.join(' ');
    const message = `The agent "${command}" did not start, at initialize: ${cause.message}`;
    const told = withLastWords(message, child.stderrTail, connection.noise);
    throw new HostError('agent_handshake_failed', told, { cause });
  }
}
