import { isRpcError } from '../../packages/client/src/index.ts';
import type { Follower } from './follower.ts';

/** Answers the permission requests that a client sees. What has been decided already is left alone. */
export class Approvals {
  readonly #follower: Follower;
  readonly #choose: (permissionId: string) => string | undefined;
  readonly #tried = new Set<string>();
  #failure: unknown;
  readonly #stop: () => void;

  /** @param choose an option for a request; undefined leaves it to others. */
  constructor(follower: Follower, choose: (permissionId: string) => string | undefined) {
    this.#follower = follower;
    this.#choose = choose;
    this.#stop = follower.onNews(({ type, ...news }) => {
      const isRequest = 'event' in news && news.event.type === 'permission.requested';
      // What was asked while this client was away is in its view when it is back.
      if (isRequest || type === 'caught_up') queueMicrotask(() => this.#look());
    });
  }

  /** @throws what went wrong with an answer, except that somebody was quicker. */
  assertNoFailure(): void {
    if (this.#failure === undefined) return;
    throw new Error('a permission request could not be answered', { cause: this.#failure });
  }

  stop(): void {
    this.#stop();
  }

  #look(): void {
    for (const { permissionId } of this.#follower.session.permissions) {
      if (this.#tried.has(permissionId)) continue;
      const optionId = this.#choose(permissionId);
      if (optionId === undefined) continue;
      this.#tried.add(permissionId);
      void this.#answer(permissionId, optionId);
    }
  }

  async #answer(permissionId: string, optionId: string): Promise<void> {
    try {
      await this.#follower.session.answerPermission(permissionId, optionId);
    } catch (error) {
      // The client that asked was closed: the next one asks again.
      if (this.#wasClosed(error)) this.#tried.delete(permissionId);
      else if (!isRpcError(error)) this.#failure = error;
    }
  }

  #wasClosed(error: unknown): boolean {
    return error instanceof Error && 'code' in error && error.code === 'closed';
  }
}
