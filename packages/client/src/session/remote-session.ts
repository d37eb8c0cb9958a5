import { isRpcError, type Clock, type ContentBlock, type ResponseMessage } from '@signalbox/acp';
import type { ContentRef, PermissionEntry, StoredEvent, Transcript } from '@signalbox/core';
import { ClientError } from '../client-error.ts';
import { callServer } from '../connection/call.ts';
import { createDeadline, orAborted } from '../connection/deadline.ts';
import type { Link } from '../connection/link.ts';
import { Listeners } from '../listeners.ts';
import type { AttachResult, SessionRole } from './attach-result.ts';
import type { EndReason } from './attachment.ts';
import type { LogItem } from './batch.ts';
import { cancelTurn } from './cancel-turn.ts';
import { EventBuffer, type EventBufferLimits } from './event-buffer.ts';
import { LogFollower, type LogFollowerParts } from './log-follower.ts';
import { promptNewsOf } from './prompt-end.ts';
import { PromptBook, type PromptHandle } from './prompt-book.ts';
import { assertPromptId, createName } from './prompt-id.ts';
import { readContent } from './read-content.ts';
import { gapError, readEvents, type OpenReader } from './read-events.ts';
import type { RemoteSessionEvent } from './session-event.ts';
import { WaitingPermissions } from './waiting-permissions.ts';

/** How long calls may take, with waiting for the connection, in ms. */
export interface CallTimeouts {
  /** What the server answers by itself. Default 60,000. */
  readonly callMs: number;
  /** What an agent has to answer, which may have to be started first. Default 300,000. */
  readonly agentCallMs: number;
}

export const DEFAULT_CALL_TIMEOUTS: CallTimeouts = { callMs: 60_000, agentCallMs: 300_000 };

/** A context snapshot: what another agent has to be told to go on. Made and read by the server only. */
export type ContextSnapshot = Readonly<Record<string, unknown>>;

/** How to hand over a prompt. */
export interface PromptOptions {
  /**
   * A name of your own for the prompt: 8 to 64 letters, digits, `-` and `_`. The same name again, also by
   * another client or after a restart, joins the prompt that has it and runs nothing.
   */
  readonly promptId?: string;
  /** What to do while a turn runs: wait for its end (`queue`, the default), or `refuse`. */
  readonly whenBusy?: 'queue' | 'refuse';
  /** Aborting cancels the session's turn as `cancel` does, once the server may have the prompt. */
  readonly signal?: AbortSignal;
}

/** What a {@link RemoteSession} works with. */
export interface RemoteSessionParts extends Omit<LogFollowerParts, 'hasView' | 'reader'> {
  readonly timeouts: CallTimeouts;
  readonly buffer: EventBufferLimits;
  readonly openReader: OpenReader;
  readonly onEvent: ((event: RemoteSessionEvent) => void) | undefined;
  /** Frees what belongs to the session alone. */
  readonly onClosed: () => Promise<void>;
}

/**
 * A session that lives on a server, as it is now and as it goes on. It follows the session's log, attaches
 * itself anew after every break of the connection, and misses and repeats nothing.
 */
export class RemoteSession {
  readonly id: string;
  readonly #parts: RemoteSessionParts;
  readonly #clock: Clock;
  readonly #follower: LogFollower;
  readonly #listeners: Listeners<RemoteSessionEvent>;
  readonly #prompts: PromptBook;
  readonly #buffers = new Set<EventBuffer>();
  readonly #permissions = new WaitingPermissions();
  #attached: AttachResult | undefined;
  #isDetached = true;

  /** Use `client.attach`. */
  constructor(parts: RemoteSessionParts) {
    const { sessionId, onEvent, clock } = parts;
    this.id = sessionId;
    this.#parts = parts;
    this.#clock = clock;
    this.#listeners = new Listeners((error, event) => this.#onThrown(error, event));
    if (onEvent !== undefined) this.#listeners.add(onEvent);
    this.#prompts = new PromptBook({
      sessionId,
      isCaughtUp: () => this.isCaughtUp,
      cancel: () => void this.cancel().catch((error: unknown) => this.#log('cancel', error)),
    });
    this.#follower = new LogFollower({
      ...parts,
      hasView: true,
      reader: {
        onItem: (item) => this.#onItem(item),
        onBatch: (items, before) => this.#onBatch(items, before),
        onAttached: (result, link) => this.#onAttached(result, link),
        onCaughtUp: (link) => this.#onCaughtUp(link),
        onDetached: () => this.#onDetached(),
        onEnded: (reason, error) => this.#onEnded(reason, error),
      },
    });
  }

  /** Attaches the session; called once, by the client. */
  async open(signal: AbortSignal | undefined): Promise<this> {
    const deadline = this.#deadline('session/attach', signal);
    try {
      await orAborted(this.#follower.start(), deadline.signal, 'session/attach');
      return this;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      deadline.clear();
    }
  }

  /**
   * The session for people. It changes in place; after a `snapshot` event it is another object, and with `viewBounds`
   * now and then after any event.
   */
  get view(): Transcript {
    return this.#follower.view;
  }

  /**
   * The place behind the last event that all listeners have been told of; keep it with what you made of
   * the events and attach with `after` later. Undefined before the first one.
   */
  get cursor(): string | undefined {
    return this.#follower.cursor;
  }

  /** Whether everything is known that the log had when the session was attached last. */
  get isCaughtUp(): boolean {
    return this.#follower.attachment.isCaughtUp;
  }

  /** Whether nothing more comes: the session has ended, or was closed here. */
  get isOver(): boolean {
    return this.#follower.attachment.isOver;
  }

  /** Whether events can come at the moment. */
  get isAttached(): boolean {
    return this.#follower.attachment.isAttached;
  }

  /** What this client may do here, as the server said. */
  get role(): SessionRole {
    return this.#attached?.role ?? 'observer';
  }

  /** The name of the session's agent. */
  get agent(): string {
    return this.#attached?.agent ?? '';
  }

  /** The folder that the session works in. */
  get cwd(): string {
    return this.#attached?.cwd ?? '';
  }

  /**
   * Permission requests that wait for an answer, the oldest first. One with a `cut` came in a snapshot without its
   * input, which was too long: read the event `firstSeq` of the log before you answer it.
   */
  get permissions(): readonly PermissionEntry[] {
    return this.#permissions.of(this.view);
  }

  /**
   * Hears of everything that happens. What a listener throws is told by an `error` event and harms nobody.
   *
   * @returns a function that ends that.
   */
  subscribe(listen: (event: RemoteSessionEvent) => void): () => void {
    return this.#listeners.add(listen);
  }

  /**
   * The events from now on, each once and in order. A reader may be as slow as it likes: up to 1,000 events
   * wait for it here, and what comes behind those is read from the log again, over a connection of its
   * own. The view never waits for a reader.
   *
   * Ends when the session was deleted, when it is closed here, and when `signal` is aborted.
   *
   * @throws ClientError `gap` when events are missing from the log, and what ended the session otherwise.
   */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<StoredEvent, void, undefined> {
    const { buffer: limits, openReader } = this.#parts;
    const buffer = new EventBuffer(limits);
    if (this.isOver) buffer.end();
    else this.#buffers.add(buffer);
    return readEvents(buffer, limits, openReader, options.signal);
  }

  /**
   * Hands over a prompt. It is sent at once, or when the connection is back; whatever the connection does,
   * the prompt runs once and its end is told.
   *
   * @param content text, or content blocks.
   * @throws ClientError `invalid_argument`. All else is told by the handle's promises.
   */
  prompt(content: string | readonly ContentBlock[], options: PromptOptions = {}): PromptHandle {
    const { promptId = createName(), whenBusy = 'queue', signal } = options;
    assertPromptId(promptId);
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    const handle = this.#prompts.add({ promptId, content: blocks, whenBusy, signal });
    this.#parts.connection.hurry();
    const { attachment } = this.#follower;
    if (attachment.isOver) {
      this.#prompts.fail(new ClientError('session_ended', `session ${this.id} has ended`));
    } else if (attachment.isAttached && attachment.link !== undefined) {
      this.#prompts.send(attachment.link, 'new');
    }
    return handle;
  }

  /**
   * Cancels the turn that runs, and drops the prompts that wait for it. Resolves when the server has the
   * request, or when the turn has ended without it; the log tells what comes of it.
   */
  cancel(options: { signal?: AbortSignal } = {}): Promise<void> {
    const deadline = this.#deadline('session/cancel', options.signal);
    const work = cancelTurn({
      sessionId: this.id,
      attachment: this.#follower.attachment,
      view: () => this.view,
      isOwn: (promptId) => this.#prompts.has(promptId),
      signal: deadline.signal,
    });
    return work.finally(() => deadline.clear());
  }

  /**
   * Answers a permission request with one of its options, or without one to say no. The log tells who
   * decided; when the answer had to be sent again, it may have been decided by the first one.
   *
   * @throws RpcError -32602 with `data.reason` `not_waiting` or `not_offered`.
   */
  async answerPermission(permissionId: string, optionId?: string): Promise<void> {
    let isRepeated = false;
    const params = { permissionId, ...(optionId === undefined ? {} : { optionId }) };
    const onRepeat = (): void => void (isRepeated = true);
    try {
      await this.#call('_signalbox/session/answer_permission', params, { onRepeat });
    } catch (error) {
      if (!isRepeated || reasonOf(error) !== 'not_waiting') throw error;
    }
  }

  /** Changes the agent's mode; the view's `currentModeId` follows. @throws RpcError of the agent. */
  async setMode(modeId: string): Promise<void> {
    await this.#call('session/set_mode', { modeId }, { isAgents: true });
  }

  /** Changes one of the agent's options; the view's `configOptions` follow. @throws RpcError of the agent. */
  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { value };
    await this.#call('session/set_config_option', { configId, ...typed }, { isAgents: true });
  }

  /**
   * What another agent would have to be told to go on with this session, for `client.restore`.
   *
   * @param options.bytesMax how large it may be, in UTF-8 bytes. Default: what the server thinks right.
   */
  async contextSnapshot(
    options: { bytesMax?: number; signal?: AbortSignal } = {},
  ): Promise<ContextSnapshot> {
    const { signal, ...params } = options;
    const { result } = await this.#call('_signalbox/session/snapshot', params, { signal });
    if (typeof result === 'object' && result !== null) return result as ContextSnapshot;
    throw new ClientError('invalid_response', `the snapshot of session ${this.id} is no object`);
  }

  /**
   * Reads a large string that stayed with the server (see `inlineBytesMax`), at most 1 MiB at a time, and
   * checks its digest.
   *
   * @param options.onPart is given each part; the next is read when it has returned. Then nothing is kept,
   *   and the promise resolves when everything was right.
   * @returns the whole string, when there is no `onPart`.
   * @throws ClientError `digest_mismatch`.
   */
  readContent(ref: ContentRef, options?: { signal?: AbortSignal }): Promise<string>;
  readContent(
    ref: ContentRef,
    options: { onPart: (text: string) => void | Promise<void>; signal?: AbortSignal },
  ): Promise<void>;
  async readContent(
    ref: ContentRef,
    options: { onPart?: (text: string) => void | Promise<void>; signal?: AbortSignal } = {},
  ): Promise<string | void> {
    const parts: string[] = [];
    const { signal, onPart = (text: string) => void parts.push(text) } = options;
    await readContent(
      ref,
      (params) => this.#call('_signalbox/content/read', params, { signal }),
      onPart,
    );
    if (options.onPart === undefined) return parts.join('');
  }

  /**
   * Attends to the session no longer; the session itself goes on. Prompts under way go on too, but their
   * handles reject with `closed`. May be called again.
   */
  async close(): Promise<void> {
    const error = new ClientError('closed', `session ${this.id} was closed by its owner`);
    this.#follower.close(error);
    this.#prompts.fail(error);
    for (const buffer of this.#buffers) buffer.end();
    await this.#parts.onClosed();
  }

  #onItem(item: LogItem): void {
    const { seq, firstSeq, event } = item;
    const place = firstSeq === undefined ? { seq } : { seq, firstSeq };
    this.#emit({ type: 'event', ...place, event });
    const news = promptNewsOf(event);
    if (news !== undefined) this.#prompts.onNews(news);
  }

  #onBatch(items: readonly LogItem[], before: string | undefined): void {
    for (const buffer of this.#buffers) {
      buffer.push(items, before);
      if (buffer.isOver) this.#buffers.delete(buffer);
    }
  }

  #onAttached(result: AttachResult, link: Link): void {
    this.#attached = result;
    if (result.gap !== undefined) {
      const error = gapError(this.id, result.gap);
      for (const buffer of this.#buffers) buffer.end(error);
      this.#emit({ type: 'gap', reason: result.gap });
    }
    if (result.snapshot !== undefined) {
      this.#prompts.onSnapshot(this.view);
      this.#emit({ type: 'snapshot' });
    }
    if (this.#isDetached) {
      this.#isDetached = false;
      this.#emit({ type: 'attached' });
    }
    this.#prompts.send(link, 'new');
  }

  #onCaughtUp(link: Link): void {
    this.#emit({ type: 'caught_up' });
    this.#prompts.onCaughtUp();
    this.#prompts.send(link, 'all');
  }

  #onDetached(): void {
    if (this.#isDetached) return;
    this.#isDetached = true;
    this.#emit({ type: 'detached' });
  }

  #onEnded(reason: EndReason, error: Error | undefined): void {
    const why =
      error ?? new ClientError('session_ended', `session ${this.id} has ended: ${reason}`);
    this.#emit({ type: 'ended', reason, ...(error === undefined ? {} : { error }) });
    this.#prompts.fail(why);
    // Only what may not be the end of the session must not look like it (B151).
    for (const buffer of this.#buffers) buffer.end(reason === 'failed' ? why : undefined);
    this.#parts.onClosed().catch((cause: unknown) => this.#log('close', cause));
  }

  async #call(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: {
      signal?: AbortSignal | undefined;
      isAgents?: boolean;
      mayRepeat?: boolean;
      onRepeat?: () => void;
    } = {},
  ): Promise<ResponseMessage> {
    const { signal, isAgents = false, mayRepeat = true, onRepeat } = options;
    const { callMs, agentCallMs } = this.#parts.timeouts;
    this.#parts.connection.hurry();
    const call = {
      method,
      params: { ...params, sessionId: this.id },
      timeoutMs: isAgents ? agentCallMs : callMs,
      mayRepeat,
      signal,
      ...(onRepeat === undefined ? {} : { onRepeat }),
    };
    return callServer(call, this.#clock, (ready) => this.#follower.attachment.whenAttached(ready));
  }

  #deadline(what: string, signal?: AbortSignal): ReturnType<typeof createDeadline> {
    return createDeadline(this.#clock, this.#parts.timeouts.callMs, what, signal);
  }

  #emit(event: RemoteSessionEvent): void {
    this.#listeners.emit(event);
  }

  #onThrown(error: unknown, event: RemoteSessionEvent): void {
    this.#log(`a listener failed at ${event.type}`, error);
    // A listener that cannot hear of errors is not told of its own.
    if (event.type !== 'error') this.#emit({ type: 'error', error });
  }

  #log(what: string, error: unknown): void {
    this.#parts.log(`session ${this.id}: ${what}: ${String(error)}`);
  }
}

function reasonOf(error: unknown): unknown {
  if (!isRpcError(error)) return undefined;
  return ((error.data ?? {}) as { reason?: unknown }).reason;
}
