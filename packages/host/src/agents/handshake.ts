import {
  isPeerError,
  isRpcError,
  rawObject,
  RawJson,
  rawMember,
  type InitializeResponse,
  type NewSessionResponse,
  type RawResult,
  type RequestOptions,
} from '@signalbox/acp';
import { contextText, type RestoredBy } from '@signalbox/core';
import type { SessionSetup } from '../hosting/session-setup.ts';
import { START_TIMEOUT_MS, type AgentEntry } from './agent-entry.ts';
import type { RunningAgent, SessionHistory } from './agent-link.ts';
import type { AgentSession } from './agent-session.ts';
import { hasQuirk } from './quirks.ts';
import { restoreChoices, type ChangeSetting } from './restore-choices.ts';

/** The steps of a handshake, by the method that is called. */
export type HandshakeStep =
  | 'initialize'
  | 'authenticate'
  | 'session/new'
  | 'session/load'
  | 'session/resume'
  | Parameters<ChangeSetting>[0];

/** What a handshake tells an agent. */
export interface HandshakeParts {
  readonly entry: AgentEntry;
  readonly cwd: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly setup: SessionSetup;
  readonly history: SessionHistory | undefined;
  /** The login method by which somebody has signed in to this agent, if anybody has. */
  readonly signInMethod?: () => string | undefined;
}

/** The code with which an agent asks for a sign-in. */
export const AUTH_REQUIRED = -32000;

type SessionAnswer = RawResult<Partial<NewSessionResponse>>;

/**
 * The steps from a fresh process to a session. Each has the agent's start limit to itself. A session
 * that had an agent before goes on by `session/resume` or `session/load` where the agent can, else by a
 * new session that is told what was said.
 */
export class Handshake {
  /** The step under way, for the message if it fails (B25). */
  step: HandshakeStep = 'initialize';
  readonly #parts: HandshakeParts;
  readonly #session: AgentSession;
  readonly #limit: RequestOptions;

  constructor(parts: HandshakeParts, session: AgentSession) {
    this.#parts = parts;
    this.#session = session;
    this.#limit = {
      timeoutMs: parts.entry.startTimeoutMs ?? START_TIMEOUT_MS,
      // An agent that waits for a person takes no time of its own.
      extendsTime: () => session.services.isAsking,
    };
  }

  async run(): Promise<RunningAgent> {
    const { clientInfo, history } = this.#parts;
    const { connection } = this.#session;
    const initialized = await connection.initialize(
      { clientCapabilities: this.#session.announce(), clientInfo },
      this.#limit,
    );
    const { restoredBy, answer, agentSessionId } =
      (history && (await this.#restore(history, initialized.result))) ?? (await this.#create());
    const settingUpdates =
      history === undefined
        ? []
        : await restoreChoices(
            (method, params) => this.#change(method, { sessionId: agentSessionId, ...params }),
            answer.result,
            await history.settings(),
          );
    return this.#session.ready({
      agentSessionId,
      restoredBy,
      initialized: initialized.raw,
      session: answer.raw,
      settingUpdates,
      ...(await this.#transcript(restoredBy, initialized.result)),
    });
  }

  async #create(): Promise<Established> {
    const answer = await this.#newSession();
    const restoredBy = this.#parts.history === undefined ? 'new' : 'transcript';
    return { restoredBy, answer, agentSessionId: answer.result.sessionId };
  }

  /**
   * A sign-in may last no longer than the process in which it was made. An agent that wants one although
   * somebody has signed in is told so once, and asked once more (B173).
   */
  async #newSession(): Promise<RawResult<NewSessionResponse>> {
    this.step = 'session/new';
    const { connection } = this.#session;
    const make = (): Promise<RawResult<NewSessionResponse>> =>
      connection.requestRaw('session/new', this.#sessionParams({}), this.#limit);
    try {
      return await make();
    } catch (error) {
      const methodId = this.#parts.signInMethod?.();
      if (!isRpcError(error) || error.code !== AUTH_REQUIRED || methodId === undefined) throw error;
      this.step = 'authenticate';
      await connection.request('authenticate', { methodId }, this.#limit);
      this.step = 'session/new';
      return make();
    }
  }

  async #change(method: Parameters<ChangeSetting>[0], params: object): Promise<RawJson> {
    this.step = method;
    const response = await this.#session.connection.requestOther(method, params, this.#limit);
    return rawMember(response, 'result') ?? new RawJson('{}');
  }

  /** Undefined when the agent cannot, whatever it announced. */
  async #restore(
    { agentSessionId: sessionId }: SessionHistory,
    { agentCapabilities }: InitializeResponse,
  ): Promise<Established | undefined> {
    const ways: ('resume' | 'load')[] = [];
    if (agentCapabilities?.sessionCapabilities?.resume != null) ways.push('resume');
    if (agentCapabilities?.loadSession === true) ways.push('load');
    for (const way of ways) {
      this.step = `session/${way}`;
      try {
        const params = this.#sessionParams({ sessionId });
        const { connection } = this.#session;
        // Only a load may replay, but some do it whenever they get their session back.
        this.#session.beginReplay();
        const answer = await connection.requestRaw(`session/${way}`, params, this.#limit);
        if (way === 'load' && !(await this.#knowsSession())) continue;
        return { restoredBy: way, answer, agentSessionId: sessionId };
      } catch (error) {
        // Some announce what they do not have, and some have lost the session; the next way is tried.
        if (!isSoftRefusal(error)) throw error;
      } finally {
        this.#session.endReplay();
      }
    }
    return undefined;
  }

  /** Whether an agent that has loaded a session has it; some say so of any (R-LOD). */
  async #knowsSession(): Promise<boolean> {
    const { entry } = this.#parts;
    const replayed = await this.#session.whenReplayed(entry);
    return replayed > 0 || !hasQuirk(entry, 'loads-unknown-sessions');
  }

  /** What an agent that knows nothing of the session is told with the next prompt. */
  async #transcript(
    restoredBy: RestoredBy,
    { agentCapabilities }: InitializeResponse,
  ): Promise<{ preface?: RawJson }> {
    if (restoredBy === 'resume' || restoredBy === 'load') return {};
    const { setup, history } = this.#parts;
    const context = setup.context === undefined ? undefined : contextText(setup.context);
    const said = restoredBy === 'transcript' ? await history?.transcript() : undefined;
    const text = [context, said].filter((part) => part !== undefined).join('\n\n');
    if (text === '') return {};
    const isResource = agentCapabilities?.promptCapabilities?.embeddedContext === true;
    const uri = 'signalbox://restored-transcript';
    const block = isResource
      ? { type: 'resource', resource: { uri, mimeType: 'text/markdown', text } }
      : { type: 'text', text };
    return { preface: new RawJson(JSON.stringify(block)) };
  }

  #sessionParams(members: Record<string, unknown>): RawJson {
    const { cwd, setup } = this.#parts;
    const { mcpServers = new RawJson('[]'), additionalDirectories = [] } = setup;
    const announced = this.#session.connection.agent?.agentCapabilities?.sessionCapabilities;
    const takesMore = announced?.additionalDirectories != null && additionalDirectories.length > 0;
    return rawObject({
      ...members,
      cwd,
      mcpServers,
      ...(takesMore ? { additionalDirectories } : {}),
    });
  }
}

interface Established {
  readonly restoredBy: RestoredBy;
  readonly answer: SessionAnswer;
  readonly agentSessionId: string;
}

/** A refusal after which another way may work. Wanting a sign-in is none, nor is a dead agent. */
function isSoftRefusal(error: unknown): boolean {
  if (isRpcError(error)) return error.code !== AUTH_REQUIRED;
  return isPeerError(error, 'invalid_response');
}
