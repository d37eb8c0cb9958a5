import {
  ClientConnection,
  ErrorCode,
  isPeerError,
  paramText,
  RawJson,
  rawMember,
  rawObject,
  RpcError,
  withMembers,
  type ClientCapabilities,
  type NotificationMessage,
  type PeerError,
  type RequestContext,
  type RequestMessage,
  type RequestOptions,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type WireTap,
} from '@signalbox/acp';
import { createStdioTransport } from '@signalbox/acp/stdio';
import type { PermissionOutcome, PromptAnswer } from '@signalbox/core';
import type { ServedMethod } from '../client-services/attached-client.ts';
import type { ClientServices } from '../client-services/client-services.ts';
import { servedRequests } from '../client-services/served-requests.ts';
import type { AgentEntry } from './agent-entry.ts';
import type { AgentEvents, RunningAgent } from './agent-link.ts';
import type { AgentProcess, EndingLimits } from './agent-process.ts';
import { explainExit } from './explain-exit.ts';
import { toPromptAnswer } from './prompt-answer.ts';
import { hasQuirk } from './quirks.ts';
import { ReplayFilter } from './replay-filter.ts';
import { whenAllRead } from './when-all-read.ts';

/** Handshake results of an agent and its session. */
export type AgentHandshake = Pick<
  RunningAgent,
  'agentSessionId' | 'restoredBy' | 'initialized' | 'session' | 'settingUpdates'
> & {
  /** A content block that goes in front of the first prompt. */
  readonly preface?: RawJson;
};

/** What an agent's session works with. */
export interface AgentSessionParts {
  /** Our id of the session. */
  readonly sessionId: string;
  readonly services: ClientServices;
  readonly ending: EndingLimits;
  /** How long the agent may take to answer a change of its mode or options, in ms. */
  readonly answerTimeoutMs: number;
  readonly tap?: WireTap;
}

/** The connection to one agent process and the one session that lives in it. */
export class AgentSession {
  readonly connection: ClientConnection;
  readonly #process: AgentProcess;
  readonly #events: AgentEvents;
  readonly #ending: EndingLimits;
  readonly #sessionId: string;
  /** For calls that the protocol defines. */
  readonly #limit: RequestOptions;
  /** What is done for the agent as its client. */
  readonly services: ClientServices;
  readonly #replay = new ReplayFilter();
  /** Resolves when the process tree has ended, everything it wrote is applied and `onExit` is told. */
  readonly #gone: Promise<void>;
  #agentSessionId: string | undefined;
  /** What was announced to this process. */
  #offered: ClientCapabilities = {};
  #promptCount = 0;
  #openPromptCount = 0;
  #preface: RawJson | undefined;
  /** Resolves when the last cancel is sent. */
  #cancelling: Promise<void> | undefined;
  /** Whether the session has no room, so that nothing is read from the agent. */
  #isHeld = false;
  #isToEnd = false;
  /** Why the host ended the agent, if it was not to end. */
  #cause: string | undefined;

  constructor(process: AgentProcess, events: AgentEvents, parts: AgentSessionParts) {
    const { sessionId, services, ending, answerTimeoutMs, tap } = parts;
    this.#process = process;
    this.#events = events;
    this.#ending = ending;
    this.#sessionId = sessionId;
    this.services = services;
    this.#limit = {
      timeoutMs: answerTimeoutMs,
      // A turn has limits of its own, and some agents answer nothing else before its end.
      extendsTime: () => this.#openPromptCount > 0 || services.isAsking,
    };
    this.connection = new ClientConnection(
      createStdioTransport(process.stdout, process.stdin),
      {
        requests: {
          'session/request_permission': (params, context, message) =>
            this.#onPermission(params, context, message),
          ...servedRequests((method, message, context) => this.#serve(method, message, context)),
        },
        notifications: {
          'session/update': (_params, message) => this.#onUpdate(message, undefined),
          'elicitation/complete': (_params, message) => this.#onElicitationComplete(message),
        },
        otherRequest: (message, context) => this.#onExtension(message, context),
        otherNotification: (message) => this.#onExtensionNotification(message),
        invalidNotification: (message, problem) => {
          if (message.method !== 'session/update') return;
          this.#onUpdate(message, `${problem.path} ${problem.message}`.trim());
        },
        readyForMore: () => this.#readyForMore(),
      },
      // An agent whose output has ended reads no answers, so its end does not wait for them.
      { drainMs: 0, ...(tap === undefined ? {} : { tap }) },
    );
    void this.#endIfMute();
    this.#gone = this.#watchEnd();
  }

  /** From here on the session is known by its id; until then every update is taken for ours (B08). */
  ready({ preface, ...handshake }: AgentHandshake): RunningAgent {
    const { agentSessionId } = handshake;
    this.#agentSessionId = agentSessionId;
    this.#preface = preface;
    const { pid, startTime } = this.#process;
    return {
      ...handshake,
      pid,
      startTime,
      request: (method, params) => this.#request(method, params, agentSessionId),
      notify: (method, params) => {
        void this.connection.notifyOther(
          method,
          withMembers(params, { sessionId: agentSessionId }),
        );
      },
      prompt: (content) => this.#prompt(agentSessionId, content),
      cancel: () => this.#cancel(agentSessionId),
      end: () => this.end(),
    };
  }

  /** What is announced to this process. To be called once, for the handshake. */
  announce(): ClientCapabilities {
    this.#offered = this.services.capabilities;
    return this.#offered;
  }

  /** The agent is asked for its session; what it replays of that is in our log already. */
  beginReplay(): void {
    this.#replay.begin();
  }

  /** The agent has its session again, or does not get it: what it says from here on is new. */
  endReplay(): void {
    this.#replay.end();
  }

  /**
   * Resolves when the history that a load replays has all come, as far as can be told.
   *
   * @returns how many updates that were.
   */
  whenReplayed(entry: AgentEntry): Promise<number> {
    return this.#replay.whenQuiet(hasQuirk(entry, 'replays-after-load'));
  }

  /** Ends the process tree; resolves when `onExit` was told. */
  async end(): Promise<void> {
    this.#isToEnd = true;
    await this.#cancelling;
    await this.services.endAll();
    void this.#process.end(this.#ending);
    await this.#gone;
  }

  async #watchEnd(): Promise<void> {
    const exit = await this.#process.exited;
    // Its commands end in their own way before what is left is swept away.
    await this.services.endAll();
    // The next process of this session may start only when nothing of this one is left.
    await this.#process.end(this.#ending);
    // What the agent wrote before it ended is applied before its end is.
    await whenAllRead(this.#process.stdout, this.connection.closed, () => this.#isHeld);
    this.#process.dispose();
    await this.connection.close();
    const cause = this.#cause === undefined ? {} : { cause: this.#cause };
    this.#events.onExit({ ...exit, noiseCount: this.connection.noise.count, ...cause });
  }

  /** Ends an agent that lives on after its output has ended: it can neither answer nor be asked. */
  async #endIfMute(): Promise<void> {
    const { stdout } = this.#process;
    const outputEnded = new Promise<undefined>((resolve) =>
      stdout.once('end', () => resolve(undefined)),
    );
    const reason = await Promise.race([outputEnded, this.connection.closed]);
    // Given up by us; what fails because the process has ended is an error of the system's.
    if (isPeerError(reason?.error)) this.#cause = messageOf(reason.error);
    if (await this.#process.exitsWithin(this.#ending.eofGraceMs)) return;
    if (!this.#isToEnd) this.#cause ??= 'it closed its output and lived on';
    await this.#process.end(this.#ending);
  }

  #readyForMore(): void | Promise<void> {
    const ready = this.#events.readyForMore();
    if (ready === undefined) return;
    this.#isHeld = true;
    return ready.then(() => {
      this.#isHeld = false;
    });
  }

  async #prompt(sessionId: string, prompt: RawJson): Promise<PromptAnswer | undefined> {
    this.#promptCount++;
    this.#openPromptCount++;
    const preface = this.#preface;
    this.#preface = undefined;
    try {
      // The stop reason is judged by the session, which also keeps what the protocol does not know.
      const params = rawObject({ sessionId, prompt: withPreface(preface, prompt) });
      const { result } = await this.connection.requestOther('session/prompt', params);
      const stopReason = (result as { stopReason?: unknown } | null | undefined)?.stopReason;
      return { kind: 'result', stopReason };
    } catch (error) {
      return toPromptAnswer(error);
    } finally {
      this.#openPromptCount--;
    }
  }

  /**
   * Sends the cancel behind the answers to permission requests that were given just now, as the
   * handshake wants it: they go out by promise reactions, and a tick runs when those have run.
   */
  #cancel(sessionId: string): void {
    const promptCount = this.#promptCount;
    this.#cancelling = new Promise((resolve) => {
      process.nextTick(() => {
        // Otherwise the turn has ended meanwhile and another has begun, which nobody has cancelled.
        if (this.#promptCount === promptCount) this.#notifyCancel(sessionId);
        resolve();
      });
    });
  }

  #notifyCancel(sessionId: string): void {
    try {
      void this.connection.notify('session/cancel', { sessionId });
    } catch {
      // The agent does not read; the grace of the cancel ends it.
    }
  }

  #onUpdate(message: NotificationMessage, problem: string | undefined): void {
    const params = message.params as { sessionId?: unknown; update?: unknown } | null | undefined;
    if (this.#replay.isReplay(params?.update)) return;
    const text = paramText(message, 'update');
    const isForeign = this.#isForeign(params?.sessionId);
    const why = problem ?? (isForeign ? 'the update names a session that is not ours' : undefined);
    if (text === undefined) this.#events.onUpdate(new RawJson('null'), why ?? 'no update');
    else this.#events.onUpdate(new RawJson(text, params?.update), why);
  }

  /** Calls a method about the session under the agent's own id for it. */
  async #request(method: string, params: RawJson, sessionId: string): Promise<RawJson> {
    const own = withMembers(params, { sessionId });
    // What an extension does, and how long that takes, nobody but the agent knows.
    const limit = method.startsWith('_') ? {} : this.#limit;
    try {
      const response = await this.connection.requestOther(method, own, limit);
      return rawMember(response, 'result') ?? new RawJson('{}');
    } catch (error) {
      throw await explainExit(error, () => this.#process.exited);
    }
  }

  /** Answers what the agent asks of its client, under our id of the session. */
  async #serve(
    method: ServedMethod,
    message: RequestMessage,
    context: RequestContext,
  ): Promise<unknown> {
    const own = message.params as { sessionId?: unknown };
    if (this.#isForeign(own.sessionId)) throw unknownSession(own.sessionId);
    const params = {
      ...own,
      ...(own.sessionId === undefined ? {} : { sessionId: this.#sessionId }),
    };
    const raw = this.#underOurId(message);
    return this.services.handle({ method, params, raw, context, offered: this.#offered });
  }

  /** Methods that the protocol does not define go to whichever client of ours knows them. */
  #onExtension(message: RequestMessage, { signal }: RequestContext): Promise<RawJson> {
    const { method } = message;
    if (!method.startsWith('_')) {
      throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`, { method });
    }
    return this.services.requestExtension(method, this.#underOurId(message), signal);
  }

  #onExtensionNotification(message: NotificationMessage): void {
    const { method } = message;
    if (method.startsWith('_')) this.services.notifyExtension(method, this.#underOurId(message));
  }

  /** The exact params, with our id of the session where they name the agent's. */
  #underOurId(message: RequestMessage | NotificationMessage): RawJson {
    const raw = rawMember(message, 'params') ?? new RawJson('{}');
    const { sessionId } = (message.params ?? {}) as { sessionId?: unknown };
    if (sessionId === undefined || this.#isForeign(sessionId)) return raw;
    return withMembers(raw, { sessionId: this.#sessionId });
  }

  /** Whether an id names another session; until ours is known every id is taken for it (B08). */
  #isForeign(sessionId: unknown): boolean {
    return (
      this.#agentSessionId !== undefined &&
      sessionId !== undefined &&
      sessionId !== this.#agentSessionId
    );
  }

  #onElicitationComplete(message: NotificationMessage): void {
    this.services.elicitationComplete(rawMember(message, 'params') ?? new RawJson('{}'));
  }

  async #onPermission(
    params: RequestPermissionRequest,
    { signal }: RequestContext,
    message: RequestMessage,
  ): Promise<RequestPermissionResponse> {
    if (this.#isForeign(params.sessionId)) throw unknownSession(params.sessionId);
    const takenBack = new AbortController();
    // When the agent is gone, its exit says what becomes of what it asked.
    signal.addEventListener('abort', () => {
      if (!this.connection.isClosed) takenBack.abort();
    });
    const request = {
      toolCall: params.toolCall,
      toolCallRaw: new RawJson(paramText(message, 'toolCall') ?? '{}', params.toolCall),
      options: params.options,
      optionsRaw: new RawJson(paramText(message, 'options') ?? '[]', params.options),
    };
    return toResponse(await this.#events.onPermission(request, takenBack.signal));
  }
}

function toResponse(outcome: PermissionOutcome): RequestPermissionResponse {
  if (outcome.kind === 'cancelled') return { outcome: { outcome: 'cancelled' } };
  return { outcome: { outcome: 'selected', optionId: outcome.optionId } };
}

/** Without the code, which is for programs. */
function messageOf({ code, message }: PeerError): string {
  return message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
}

function unknownSession(sessionId: unknown): RpcError {
  const message = 'There is no session of that id here';
  return new RpcError(ErrorCode.ResourceNotFound, message, { sessionId });
}

/** The prompt's blocks behind one of ours. All blocks keep their exact text. */
function withPreface(preface: RawJson | undefined, prompt: RawJson): RawJson {
  if (preface === undefined) return prompt;
  const blocks = prompt.text.trim().slice(1, -1).trim();
  return new RawJson(blocks === '' ? `[${preface.text}]` : `[${preface.text},${blocks}]`);
}
