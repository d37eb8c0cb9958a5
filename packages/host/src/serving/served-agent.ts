import {
  ErrorCode,
  RawJson,
  rawMember,
  RpcError,
  systemClock,
  type AuthMethod,
  type InitializeResponse,
} from '@signalbox/acp';
import type { Records } from '@signalbox/core';
import type { AgentEntry } from '../agents/agent-entry.ts';
import { DEFAULT_ENDING_LIMITS, type EndingLimits } from '../agents/agent-process.ts';
import { withRemedy } from '../agents/start-remedy.ts';
import type { Cause } from '../client-services/attached-client.ts';
import { ELICITATION_TIMEOUT_MS, Elicitations } from '../client-services/elicitations.ts';
import { HostError } from '../host-error.ts';
import {
  readAgentRecord,
  toInitialized,
  writeAgentRecord,
  type AgentRecord,
} from './agent-record.ts';
import { visitAgent, type Visit, type VisitAsking } from './agent-visit.ts';

/** What a {@link ServedAgent} is made of. */
export interface ServedAgentOptions {
  readonly entry: AgentEntry;
  /** What the agent is told about its client, and clients about the agent that they see. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** The host's own environment; the agent gets an allowlist of it. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where what agents say of themselves is remembered. Default: for as long as this object lives. */
  readonly records?: Records;
  readonly ending?: EndingLimits;
  /**
   * How long a person may take during a sign-in, to answer what the agent asks or to sign in elsewhere, in ms.
   * Default 600000.
   */
  readonly elicitationTimeoutMs?: number;
  /** For what nobody is told of. */
  readonly log?: (line: string) => void;
}

/** What an agent says of itself, before there is a session. */
export interface AgentDescription {
  readonly initialized: InitializeResponse;
  readonly authMethods: readonly AuthMethod[];
}

/**
 * The agent behind the doors of a host: what it announces, and its sign-in. Both are needed before there
 * is a session, so a process of its own is started for them, once, and the answer is remembered: the
 * next client is told at once and without a process. Every start of a session's agent brings it up to
 * date. One object serves any number of clients.
 */
export class ServedAgent {
  readonly name: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly #options: ServedAgentOptions;
  readonly #closing = new AbortController();
  readonly #endings = new Set<Promise<unknown>>();
  #record: AgentRecord | undefined;
  #describing: Promise<AgentDescription> | undefined;

  constructor(options: ServedAgentOptions) {
    this.#options = options;
    this.name = options.entry.name;
    this.clientInfo = options.clientInfo;
  }

  /** What people call the agent. */
  title(description: AgentDescription | undefined): string {
    const info = description?.initialized.agentInfo;
    return this.#options.entry.title ?? info?.title ?? info?.name ?? this.name;
  }

  /**
   * What the agent announces. Starts a process only if nothing is remembered; several callers share it.
   *
   * @throws HostError when the agent does not start. The next call tries again.
   */
  describe(): Promise<AgentDescription> {
    if (this.#record !== undefined) return Promise.resolve(toDescription(this.#record));
    this.#describing ??= this.#describe().finally(() => (this.#describing = undefined));
    return this.#describing;
  }

  /** A session's agent was started and says this of itself now. */
  note(initialized: RawJson): void {
    const { text } = initialized;
    const record = this.#record;
    if (record === undefined || record.started === text) return;
    const [before, now] = [toInitialized(record.asked), toInitialized(text)];
    if (now === undefined) return;
    // Another version may have other ways to sign in; it is asked the next time.
    const isOther = before?.agentInfo?.version !== now.agentInfo?.version;
    this.#remember({ asked: isOther ? text : record.asked, started: text });
  }

  /**
   * Signs in. The agent keeps what it learns in its own files; agents that run already may not notice.
   *
   * @param cause the client's request for it; the client is asked what the agent asks meanwhile.
   * @returns the exact answer. @throws RpcError when the agent refuses.
   */
  authenticate(params: RawJson, cause: Cause): Promise<RawJson> {
    return this.#call('authenticate', params, cause);
  }

  /**
   * Signs out, likewise. An agent that does not say it can is not asked.
   *
   * @returns the exact answer. @throws RpcError when the agent cannot or refuses.
   */
  async logout(params: RawJson, cause: Cause): Promise<RawJson> {
    const { initialized } = await this.describe();
    if (initialized.agentCapabilities?.auth?.logout == null) {
      throw new RpcError(ErrorCode.MethodNotFound, 'The agent announces no way to sign out');
    }
    return this.#call('logout', params, cause);
  }

  /** Ends what was started here; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort(new HostError('closed', 'The agent is not served any more'));
    while (this.#endings.size > 0) await Promise.all(this.#endings);
  }

  async #describe(): Promise<AgentDescription> {
    const { records, entry } = this.#options;
    const known = records && (await readAgentRecord(records, entry));
    if (known !== undefined) {
      this.#record = known;
      return toDescription(known);
    }
    const asked = await this.#visit(
      ({ initialized }) => Promise.resolve(initialized.raw.text),
      this.#closing.signal,
    );
    return toDescription(this.#remember({ asked }));
  }

  #remember(record: AgentRecord): AgentRecord {
    this.#record = record;
    const { records, entry, log } = this.#options;
    if (records !== undefined) {
      writeAgentRecord(records, entry, record).catch((error: unknown) =>
        log?.(`what ${entry.name} announces could not be remembered: ${String(error)}`),
      );
    }
    return record;
  }

  #call(method: 'authenticate' | 'logout', params: RawJson, cause: Cause): Promise<RawJson> {
    const signal = AbortSignal.any([cause.signal, this.#closing.signal]);
    const { elicitationTimeoutMs: timeoutMs = ELICITATION_TIMEOUT_MS } = this.#options;
    const elicitations = new Elicitations({ clock: systemClock, timeoutMs });
    const asking = { cause: { ...cause, signal }, elicitations };
    const work = async ({ connection, initialized }: Visit): Promise<RawJson> => {
      this.#remember({ asked: initialized.raw.text });
      const response = await connection.requestOther(method, params, {
        signal,
        timeoutMs,
        extendsTime: () => elicitations.isAsking,
      });
      return rawMember(response, 'result') ?? new RawJson('{}');
    };
    return this.#visit(work, signal, asking);
  }

  async #visit<T>(
    work: (visit: Visit) => Promise<T>,
    signal: AbortSignal,
    asking?: VisitAsking,
  ): Promise<T> {
    const {
      entry,
      clientInfo,
      environment = process.env,
      ending = DEFAULT_ENDING_LIMITS,
    } = this.#options;
    const onEnding = (ended: Promise<unknown>): void => {
      const done = ended.finally(() => this.#endings.delete(done));
      this.#endings.add(done);
    };
    const parts = { entry, clientInfo, environment, ending, ...(asking && { asking }) };
    try {
      return await visitAgent(parts, work, signal, onEnding);
    } catch (error) {
      throw withRemedy(error, entry);
    }
  }
}

/** Capabilities from the last start of a session, ways to sign in from when it was asked for them. */
function toDescription({ asked, started }: AgentRecord): AgentDescription {
  const first = toInitialized(asked) ?? { protocolVersion: 1 };
  const newest = started === undefined ? first : (toInitialized(started) ?? first);
  return { initialized: newest, authMethods: first.authMethods ?? [] };
}
