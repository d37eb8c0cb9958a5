import { memberText, RawJson, rawObject } from '@signalbox/acp';
import {
  CoreError,
  isCoreError,
  type ContextSnapshot,
  type Records,
  type SessionId,
} from '@signalbox/core';

/**
 * What an agent is given with its session beside the folder. It may hold secrets (headers and variables
 * of MCP servers), so it is kept beside the log and not in it.
 */
export interface SessionSetup {
  /** The list of MCP servers, exactly as the client gave it. */
  readonly mcpServers?: RawJson;
  /** Further roots, absolute. */
  readonly additionalDirectories?: readonly string[];
  /** What an agent that knows nothing of the session is told of an earlier one. */
  readonly context?: ContextSnapshot;
}

const PREFIX = 'setup/';

/** The setups of sessions, as records beside the logs. */
export class SessionSetups {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  /**
   * Keeps the setup of a session; an earlier one is replaced, but for its context: a client that opens the
   * session does not know of that.
   */
  async put(sessionId: SessionId, setup: SessionSetup): Promise<void> {
    const key = PREFIX + sessionId;
    for (;;) {
      const known = await this.#records.get(key);
      const value = rawObject({ ...contextOf(known?.value), ...setup }).text;
      try {
        if (known === undefined) await this.#records.create(key, value);
        else await this.#records.put(key, value, known.revision);
        return;
      } catch (error) {
        if (!isCoreError(error, 'record_conflict')) throw error;
      }
    }
  }

  /** The setup of a session; empty if none was given. @throws CoreError `journal_corrupt`. */
  async get(sessionId: SessionId): Promise<SessionSetup> {
    const record = await this.#records.get(PREFIX + sessionId);
    if (record === undefined) return {};
    const { additionalDirectories, context } = parseSetup(record.value);
    const mcpServers = memberText(record.value, 'mcpServers');
    return {
      ...(mcpServers === undefined ? {} : { mcpServers: new RawJson(mcpServers) }),
      ...(additionalDirectories === undefined ? {} : { additionalDirectories }),
      ...(context === undefined ? {} : { context }),
    };
  }

  async remove(sessionId: SessionId): Promise<void> {
    await this.#records.delete(PREFIX + sessionId);
  }
}

/** The context in a stored setup. One that cannot be read is replaced as a whole. */
function contextOf(stored = '{}'): Pick<SessionSetup, 'context'> {
  try {
    const { context } = parseSetup(stored);
    return context === undefined ? {} : { context };
  } catch {
    return {};
  }
}

function parseSetup(stored: string): SessionSetup {
  try {
    return JSON.parse(stored) as SessionSetup;
  } catch (cause) {
    const message = "what the session's agent is to be given is not JSON";
    throw new CoreError('journal_corrupt', message, { cause });
  }
}
