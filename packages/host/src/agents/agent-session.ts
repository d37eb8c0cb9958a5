import {
  ClientConnection,
  memberText,
  RawJson,
  rawObject,
  type NotificationMessage,
  type RequestMessage,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type WireTap,
} from '@signalbox/acp';
import { createStdioTransport } from '@signalbox/acp/stdio';
import type { PermissionOutcome, PromptAnswer } from '@signalbox/core';
import type { AgentEvents, RunningAgent } from './agent-link.ts';
import type { AgentProcess, EndingLimits } from './agent-process.ts';
import { toPromptAnswer } from './prompt-answer.ts';
import { whenAllRead } from './when-all-read.ts';

/** Handshake results of an agent and its session. */
export type AgentHandshake = Pick<
  RunningAgent,
  'agentSessionId' | 'restoredBy' | 'initialized' | 'session'
>;

/** The connection to one agent process and the one session that lives in it. */
export class AgentSession {
  readonly connection: ClientConnection;
  readonly #process: AgentProcess;
  readonly #events: AgentEvents;
  readonly #ending: EndingLimits;
  /** Resolves when the process tree has ended, everything it wrote is applied and `onExit` is told. */
  readonly #gone: Promise<void>;
  #agentSessionId: string | undefined;
  #promptCount = 0;
  /** Resolves when the last cancel is sent. */
  #cancelling: Promise<void> | undefined;
  /** Whether the session has no room, so that nothing is read from the agent. */
  #isHeld = false;

  constructor(process: AgentProcess, events: AgentEvents, ending: EndingLimits, tap?: WireTap) {
    this.#process = process;
    this.#events = events;
    this.#ending = ending;
    this.connection = new ClientConnection(
      createStdioTransport(process.stdout, process.stdin),
      {
        requests: {
          'session/request_permission': (params, _context, message) =>
            this.#onPermission(params, message),
        },
        notifications: {
          'session/update': (_params, message) => this.#onUpdate(message, undefined),
        },
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
  ready(handshake: AgentHandshake): RunningAgent {
    this.#agentSessionId = handshake.agentSessionId;
    const { pid, startTime } = this.#process;
    return {
      ...handshake,
      pid,
      startTime,
      prompt: (content) => this.#prompt(handshake.agentSessionId, content),
      cancel: () => this.#cancel(handshake.agentSessionId),
      end: () => this.end(),
    };
  }

  /** Ends the process tree; resolves when `onExit` was told. */
  async end(): Promise<void> {
    await this.#cancelling;
    void this.#process.end(this.#ending);
    await this.#gone;
  }

  async #watchEnd(): Promise<void> {
    const exit = await this.#process.exited;
    // The next process of this session may start only when nothing of this one is left.
    await this.#process.end(this.#ending);
    // What the agent wrote before it ended is applied before its end is.
    await whenAllRead(this.#process.stdout, this.connection.closed, () => this.#isHeld);
    this.#process.dispose();
    await this.connection.close();
    this.#events.onExit({ ...exit, noiseCount: this.connection.noise.count });
  }

  /** Ends an agent that lives on after its output has ended: it can neither answer nor be asked. */
  async #endIfMute(): Promise<void> {
    const { stdout } = this.#process;
    const outputEnded = new Promise<void>((resolve) => stdout.once('end', resolve));
    await Promise.race([outputEnded, this.connection.closed]);
    const exits = await this.#process.exitsWithin(this.#ending.eofGraceMs);
    if (!exits) await this.#process.end(this.#ending);
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
    try {
      // The stop reason is judged by the session, which also keeps what the protocol does not know.
      const params = rawObject({ sessionId, prompt });
      const { result } = await this.connection.requestOther('session/prompt', params);
      const stopReason = (result as { stopReason?: unknown } | null | undefined)?.stopReason;
      return { kind: 'result', stopReason };
    } catch (error) {
      return toPromptAnswer(error);
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
    const text = memberText(memberText(message.text, 'params') ?? '', 'update');
    const isForeign =
      this.#agentSessionId !== undefined && params?.sessionId !== this.#agentSessionId;
    const why = problem ?? (isForeign ? 'the update names a session that is not ours' : undefined);
    if (text === undefined) this.#events.onUpdate(new RawJson('null'), why ?? 'no update');
    else this.#events.onUpdate(new RawJson(text, params?.update), why);
  }

  async #onPermission(
    params: RequestPermissionRequest,
    message: RequestMessage,
  ): Promise<RequestPermissionResponse> {
    const text = memberText(message.text, 'params') ?? '{}';
    const outcome = await this.#events.onPermission({
      toolCall: params.toolCall,
      toolCallRaw: new RawJson(memberText(text, 'toolCall') ?? '{}', params.toolCall),
      options: params.options,
      optionsRaw: new RawJson(memberText(text, 'options') ?? '[]', params.options),
    });
    return toResponse(outcome);
  }
}

function toResponse(outcome: PermissionOutcome): RequestPermissionResponse {
  if (outcome.kind === 'cancelled') return { outcome: { outcome: 'cancelled' } };
  return { outcome: { outcome: 'selected', optionId: outcome.optionId } };
}
