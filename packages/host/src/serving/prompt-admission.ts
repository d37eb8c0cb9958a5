import type { RawJson } from '@signalbox/acp';
import type { Session } from '../session/session.ts';
import { refusalOf } from './prompt-content.ts';

/**
 * Lets through what a session's agent takes of a client's prompts. A block that it does not take would be
 * dropped by some agents without a word (B81, R-PRM-04).
 */
export class PromptAdmission {
  readonly #session: Pick<Session, 'state' | 'start'>;
  /** Set while the agent is being started to learn what it takes. */
  #starting: Promise<unknown> | undefined;

  constructor(session: Pick<Session, 'state' | 'start'>) {
    this.#session = session;
  }

  /**
   * Looks at a prompt. What no agent of the session is known to take is asked of one: it is started. Prompts that
   * come meanwhile wait, so that they stay in order.
   *
   * @param cancelled aborted when the client does not want the prompt any more.
   * @returns a promise only when the prompt has to wait.
   * @throws RpcError -32602, HostError when the agent does not start, or the reason of `cancelled`.
   */
  admit(content: RawJson, cancelled: AbortSignal): void | Promise<void> {
    const { agent, takenContent } = this.#session.state;
    const refusal = refusalOf(content, takenContent);
    if (this.#starting === undefined) {
      if (refusal === undefined) return;
      if (agent.kind === 'running') throw refusal;
    }
    return this.#admitLater(content, cancelled);
  }

  async #admitLater(content: RawJson, cancelled: AbortSignal): Promise<void> {
    this.#starting ??= this.#session.start().finally(() => {
      this.#starting = undefined;
    });
    try {
      await Promise.race([this.#starting, whenAborted(cancelled)]);
    } catch (error) {
      cancelled.throwIfAborted();
      // A prompt that any agent takes only had to wait; its own turn tells what is wrong.
      if (refusalOf(content, undefined) !== undefined) throw error;
    }
    const refusal = refusalOf(content, this.#session.state.takenContent);
    if (refusal !== undefined) throw refusal;
  }
}

/** Rejects with the signal's reason. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
