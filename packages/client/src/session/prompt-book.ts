import {
  ErrorCode,
  isPeerError,
  isRpcError,
  isStopReason,
  type ContentBlock,
  type ResponseMessage,
} from '@signalbox/acp';
import type { Transcript } from '@signalbox/core';
import { ClientError } from '../client-error.ts';
import { abortError } from '../connection/deadline.ts';
import type { Link } from '../connection/link.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import { promptNewsIn, turnEndOf, type PromptEnd, type PromptNews } from './prompt-end.ts';

/** A prompt that was handed over. */
export interface PromptHandle {
  /** The prompt's name in the log. Sending it again never runs it twice. */
  readonly promptId: string;
  /**
   * Resolves when the prompt is in the log: it runs, or waits for its turn, whatever becomes of this
   * client. Rejects when it was refused, with the server's `RpcError`, or when nobody can know any more.
   */
  readonly accepted: Promise<void>;
  /**
   * Resolves with what the log says about the end of the prompt, never with the mere end of a connection
   * (B151). A failed turn is a value here. Rejects like `accepted`.
   */
  readonly done: Promise<PromptEnd>;
}

/** A prompt on its way. */
export interface NewPrompt {
  readonly promptId: string;
  readonly content: readonly ContentBlock[];
  readonly whenBusy: 'queue' | 'refuse';
  readonly signal?: AbortSignal | undefined;
}

/** What a {@link PromptBook} works with. */
export interface PromptBookParts {
  readonly sessionId: string;
  /** Whether everything that the log has is known here. */
  readonly isCaughtUp: () => boolean;
  /** The caller of a prompt that is under way does not want it any more. */
  readonly cancel: () => void;
}

interface OpenPrompt extends NewPrompt {
  readonly accepted: Deferred<void>;
  readonly done: Deferred<PromptEnd>;
  readonly stopWatching: () => void;
  isAccepted: boolean;
  /** The connection over which it was sent last. */
  sentOver?: Link;
  /** The server's own answer, kept until the log had its say. */
  answer?: { readonly end: PromptEnd } | { readonly error: Error };
}

/**
 * The prompts of one client in one session that have not ended. Each is sent over every connection until
 * the log tells its end; the server knows it by its id and runs it once (B154).
 */
export class PromptBook {
  readonly #parts: PromptBookParts;
  readonly #open = new Map<string, OpenPrompt>();

  constructor(parts: PromptBookParts) {
    this.#parts = parts;
  }

  /** Whether a prompt of this id is under way. */
  has(promptId: string): boolean {
    return this.#open.has(promptId);
  }

  /** Takes a prompt in. It is sent by the next {@link send}. @throws ClientError `invalid_argument`. */
  add(prompt: NewPrompt): PromptHandle {
    const { promptId, signal } = prompt;
    if (this.#open.has(promptId)) {
      throw new ClientError('invalid_argument', `a prompt ${promptId} is under way already`);
    }
    const accepted = createDeferred<void>();
    const done = createDeferred<PromptEnd>();
    const onAbort = (): void => this.#onAbort(promptId);
    const stopWatching = (): void => signal?.removeEventListener('abort', onAbort);
    const open = { ...prompt, accepted, done, stopWatching, isAccepted: false };
    this.#open.set(promptId, open);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    return { promptId, accepted: accepted.promise, done: done.promise };
  }

  /** Sends what has not been sent over this connection yet, in the order in which it came. */
  send(link: Link, which: 'new' | 'all'): void {
    for (const prompt of [...this.#open.values()]) {
      if (prompt.sentOver === link || (which === 'new' && prompt.sentOver !== undefined)) continue;
      if (prompt.signal?.aborted === true && !prompt.isAccepted) {
        // The log does not have it, so it has not run and never will.
        this.#settle(prompt, { error: abortError(prompt.signal, 'the prompt') });
        continue;
      }
      prompt.sentOver = link;
      delete prompt.answer;
      void this.#send(prompt, link);
    }
  }

  /** The log says something about a prompt. */
  onNews({ promptId, end }: PromptNews): void {
    const prompt = this.#open.get(promptId);
    if (prompt === undefined) return;
    prompt.isAccepted = true;
    prompt.accepted.resolve();
    if (end !== undefined) this.#settle(prompt, { end });
  }

  /** The log was skipped over; its view says what it can about the prompts. */
  onSnapshot(view: Transcript): void {
    if (this.#open.size > 0) for (const news of promptNewsIn(view)) this.onNews(news);
  }

  /** Everything that the log had to say has been said, so that the server's answers count. */
  onCaughtUp(): void {
    for (const prompt of [...this.#open.values()]) this.#settleByAnswer(prompt);
  }

  /** Nobody will learn any more what becomes of the prompts. */
  fail(error: Error): void {
    for (const prompt of [...this.#open.values()]) this.#settle(prompt, { error });
  }

  async #send(prompt: OpenPrompt, link: Link): Promise<void> {
    const { promptId, content, whenBusy } = prompt;
    const params = {
      sessionId: this.#parts.sessionId,
      prompt: content,
      _meta: { 'signalbox/promptId': promptId, 'signalbox/whenBusy': whenBusy },
    };
    let answer: OpenPrompt['answer'];
    try {
      answer = toAnswer(await link.request('session/prompt', params));
    } catch (error) {
      // The next connection brings the answer.
      if (isGivenUp(error)) return;
      if (isTurnedAway(error)) {
        link.drop(error as Error);
        return;
      }
      const end = turnEndOf(error);
      answer = end === undefined ? { error: error as Error } : { end };
    }
    if (prompt.sentOver !== link || this.#open.get(promptId) !== prompt) return;
    prompt.answer = answer;
    if (this.#parts.isCaughtUp()) this.#settleByAnswer(prompt);
  }

  /** The server's answer counts where the log says nothing: its end of the prompt may have been skipped. */
  #settleByAnswer(prompt: OpenPrompt): void {
    const { answer } = prompt;
    if (answer === undefined) return;
    // A prompt that the log has ends in the log; what failed is only this way to hear of it.
    if ('error' in answer && prompt.isAccepted && isRpcError(answer.error)) return;
    this.#settle(prompt, answer);
  }

  #onAbort(promptId: string): void {
    const prompt = this.#open.get(promptId);
    if (prompt === undefined) return;
    if (prompt.sentOver !== undefined) {
      this.#parts.cancel();
      return;
    }
    const { signal } = prompt;
    if (signal !== undefined) this.#settle(prompt, { error: abortError(signal, 'the prompt') });
  }

  #settle(prompt: OpenPrompt, answer: NonNullable<OpenPrompt['answer']>): void {
    this.#open.delete(prompt.promptId);
    prompt.stopWatching();
    if ('error' in answer) {
      prompt.accepted.reject(answer.error);
      prompt.done.reject(answer.error);
    } else {
      prompt.accepted.resolve();
      prompt.done.resolve(answer.end);
    }
  }
}

/** Whether a prompt is without an answer because the connection or the server ends. */
function isGivenUp(error: unknown): boolean {
  if (isPeerError(error, 'closed')) return true;
  return isRpcError(error) && error.code === ErrorCode.RequestCancelled;
}

/** Whether the server had no room for the message, which says nothing about the next time. */
function isTurnedAway(error: unknown): boolean {
  if (!isRpcError(error)) return false;
  const { status } = (error.data ?? {}) as { status?: unknown };
  return typeof status === 'number' && (status === 429 || status >= 500);
}

function toAnswer({ result }: ResponseMessage): NonNullable<OpenPrompt['answer']> {
  const { stopReason } = (result ?? {}) as { stopReason?: unknown };
  if (isStopReason(stopReason)) return { end: { kind: 'stopped', stopReason } };
  const message = 'the server answered a prompt without a stop reason';
  return { error: new ClientError('invalid_response', message) };
}
