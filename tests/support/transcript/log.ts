import { RawJson, validateUpdate, type PermissionOption } from '@signalbox/acp';
import {
  createTranscript,
  decodeEvent,
  encodeEvent,
  foldTranscript,
  toTranscript,
  type Action,
  type EventOf,
  type PermissionOutcome,
  type PermissionWithdrawal,
  type RestoredBy,
  type SessionId,
  type SessionEvent,
  type SessionEventType,
  type StoredEvent,
  type Transcript,
  type TurnEnd,
} from '@signalbox/core';
import {
  ALICE,
  checkRequest,
  OPTIONS,
  permissionId,
  promptId,
  raw,
  turnId,
} from '../session/inputs.ts';

export const END_TURN: TurnEnd = { kind: 'stopped', stopReason: 'end_turn' };
export const CANCELLED: TurnEnd = { kind: 'stopped', stopReason: 'cancelled' };

/** Writes a log by hand, one fact a call, in a turn as long as one has been started. */
export class LogWriter {
  readonly events: SessionEvent[] = [];
  /** What a page sees that has followed the log from its start. */
  readonly transcript: Transcript = createTranscript();
  #turn: string | undefined;
  #time = 0;

  /** The log as a reader gets it. */
  get stored(): StoredEvent[] {
    return this.events.map((event, index) => ({ seq: index + 1, event }));
  }

  /** What a page sees after a reload: everything has been text in between. */
  rebuilt(): Transcript {
    const read = this.events.map((event) => decodeEvent(encodeEvent(event)));
    return toTranscript(read.map((event, index) => ({ seq: index + 1, event })));
  }

  start(turn: string, text: string | RawJson = `prompt of ${turn}`, prompt = `P-${turn}`): this {
    this.#turn = turn;
    const content = text instanceof RawJson ? text : raw([{ type: 'text', text }]);
    return this.#add('turn.started', { promptId: promptId(prompt), content, by: ALICE });
  }

  end(end: TurnEnd = END_TURN): this {
    const data = { promptId: promptId(`P-${this.#turn ?? ''}`), end };
    this.#add('turn.finished', data);
    this.#turn = undefined;
    return this;
  }

  cancel(): this {
    return this.#add('turn.cancel_requested', { by: ALICE, graceEndsAt: 99 });
  }

  /** An update; as text to keep what JSON.stringify would not. */
  update(update: object | string, problem?: string): this {
    const text = typeof update === 'string' ? update : JSON.stringify(update);
    const data = { v: 1, update: new RawJson(text) } as const;
    // A connection checks and repairs what arrives; the text stays as it is.
    validateUpdate(data.update.value);
    return this.#add('update', problem === undefined ? data : { ...data, problem });
  }

  say(text: string, messageId?: string | null): this {
    return this.chunk('agent_message_chunk', { type: 'text', text }, messageId);
  }

  think(text: string, messageId?: string): this {
    return this.chunk('agent_thought_chunk', { type: 'text', text }, messageId);
  }

  echo(text: string, messageId?: string): this {
    return this.chunk('user_message_chunk', { type: 'text', text }, messageId);
  }

  chunk(sessionUpdate: string, content: object, messageId?: string | null): this {
    return this.update({
      sessionUpdate,
      content,
      ...(messageId === undefined ? {} : { messageId }),
    });
  }

  call(toolCallId: string, more: object = {}): this {
    return this.update({ sessionUpdate: 'tool_call', toolCallId, title: 'Run', ...more });
  }

  callUpdate(toolCallId: string, more: object = {}): this {
    return this.update({ sessionUpdate: 'tool_call_update', toolCallId, ...more });
  }

  ask(
    id: string,
    toolCall: object,
    options: readonly PermissionOption[] = OPTIONS,
    action: Partial<Action> = {},
  ): this {
    const request = { toolCall: raw(toolCall), options: raw(options) };
    checkRequest(request.toolCall, request.options);
    return this.#add('permission.requested', {
      permissionId: permissionId(id),
      ...request,
      action: { kind: 'other', title: '', paths: [], cwd: '/work', ...action },
      deadline: 1000,
    });
  }

  resolve(id: string, outcome: PermissionOutcome, withdrawal?: PermissionWithdrawal): this {
    const data = { permissionId: permissionId(id), outcome, by: ALICE };
    const whole = withdrawal === undefined ? data : { ...data, withdrawal };
    return this.#add('permission.resolved', whole);
  }

  choose(id: string, optionId: string): this {
    return this.resolve(id, { kind: 'selected', optionId });
  }

  agentStarted(session: object = { sessionId: 's' }, restoredBy: RestoredBy = 'new'): this {
    return this.#add('agent.started', {
      pid: 1,
      startTime: null,
      agentSessionId: 's',
      restoredBy,
      initialized: raw({ protocolVersion: 1 }),
      session: raw(session),
    });
  }

  agentExited(): this {
    const exit = { code: 1, signal: null, stderrTail: '', noiseCount: 0, isExpected: false };
    return this.#add('agent.exited', exit);
  }

  queue(prompt: string, text: string): this {
    const content = raw([{ type: 'text', text }]);
    return this.#add('prompt.queued', { promptId: promptId(prompt), content, by: ALICE });
  }

  drop(prompt: string): this {
    return this.#add('prompt.dropped', { promptId: promptId(prompt), by: ALICE });
  }

  /** The first event of a log. */
  created(agent = 'fake', cwd = '/work'): this {
    return this.#add('session.created', {
      ...{ sessionId: 'S' as SessionId, cwd, agent, command: [agent] },
    });
  }

  accessed(kind: 'read' | 'write', path: string, digestAfter: string | null = null): this {
    const digests = { digestBefore: null, digestAfter };
    return this.#add('file.accessed', { kind, path, realPath: path, bytes: 1, ...digests });
  }

  terminal(terminalId: string): this {
    const command = { argv: ['ls'], isShellLine: false, cwd: '/work', env: [] };
    return this.#add('terminal.started', { terminalId, ...command });
  }

  terminalEnded(terminalId: string, output = 'x'): this {
    const exit = { exitCode: 0, signal: null, outputBytes: output.length, truncated: false };
    return this.#add('terminal.exited', { terminalId, ...exit, output });
  }

  /** Something that is about another turn than the one under way, or about none. */
  late(turn: string | undefined, write: (log: this) => unknown): this {
    const current = this.#turn;
    this.#turn = turn;
    write(this);
    this.#turn = current;
    return this;
  }

  #add<T extends SessionEventType>(type: T, data: EventOf<T>['data']): this {
    this.#time += 10;
    const event = { type, time: this.#time, data } as SessionEvent;
    const placed = this.#turn === undefined ? event : { ...event, turnId: turnId(this.#turn) };
    this.events.push(placed);
    foldTranscript(this.transcript, { seq: this.events.length, event: placed });
    return this;
  }
}
