import type { Clock } from '@signalbox/host';
import type { Credentials } from './credentials.ts';
import { ANYBODY } from './principal.ts';

/** What a {@link CredentialWatch} does. */
export interface CredentialWatchParts {
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** How often credentials in use are looked at, in ms. */
  readonly recheckMs: number;
  /** A credential does not work any more: everything that it has open is to be ended. */
  readonly onEnded: (id: string) => void;
  /** The credentials cannot be read; they are looked at again. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Watches the credentials behind open streams and connections. What this process revokes is told at
 * once; what another process revokes, and what runs out, within `recheckMs`.
 */
export class CredentialWatch {
  readonly #parts: CredentialWatchParts;
  /** How many streams and connections each credential has open. */
  readonly #uses = new Map<string, number>();
  readonly #stopListening: () => void;
  #cancelTimer: (() => void) | undefined;

  constructor(parts: CredentialWatchParts) {
    this.#parts = parts;
    this.#stopListening = parts.credentials.onRevoked((id) => parts.onEnded(id));
  }

  /** Watches a credential. @returns ends that; to be called once. */
  add(id: string): () => void {
    if (id === ANYBODY.id) return () => undefined;
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
    this.#cancelTimer ??= this.#arm();
    return () => {
      const left = (this.#uses.get(id) ?? 1) - 1;
      if (left > 0) this.#uses.set(id, left);
      else this.#uses.delete(id);
    };
  }

  /** Looks at the credentials in use now. */
  async recheck(): Promise<void> {
    const { credentials, onEnded, onFailed } = this.#parts;
    for (const id of [...this.#uses.keys()]) {
      try {
        if (!(await credentials.isLive(id))) onEnded(id);
      } catch (error) {
        onFailed(error);
        return;
      }
    }
  }

  close(): void {
    this.#stopListening();
    this.#cancelTimer?.();
    this.#uses.clear();
  }

  #arm(): () => void {
    const { clock, recheckMs } = this.#parts;
    return clock.setTimer(recheckMs, () => {
      this.#cancelTimer = undefined;
      void this.recheck().then(() => {
        if (this.#uses.size > 0) this.#cancelTimer ??= this.#arm();
      });
    });
  }
}
