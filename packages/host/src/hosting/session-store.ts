import type { Clock } from '@signalbox/acp';
import {
  encodeEvent,
  INITIAL_STATE,
  isCoreError,
  reduceAll,
  type Journal,
  type SessionEvent,
  type SessionId,
  type SessionSettings,
  type SessionState,
} from '@signalbox/core';
import type { AgentEntry } from '../agents/agent-entry.ts';
import { isHostError } from '../host-error.ts';
import type { HostProblem } from './host-options.ts';
import { ListWriter } from './list-writer.ts';
import type { OpenedLog } from './open-log.ts';
import { Ownership } from './ownership.ts';
import { recover } from './recover.ts';
import { SessionList } from './session-list.ts';
import { SessionSetups, type SessionSetup } from './session-setup.ts';

/** What a {@link SessionStore} is made of. */
export interface StoreParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: SessionSettings;
  readonly onProblem: (problem: HostProblem) => void;
}

/**
 * What a host has in the journal: the logs of its sessions, who owns them, and the list. A crash between
 * any two steps leaves an owner record, by which the next start finds the session and sets it right.
 */
export class SessionStore {
  readonly list: SessionList;
  readonly setups: SessionSetups;
  readonly #parts: StoreParts;
  readonly #ownership: Ownership;
  readonly #listWriter: ListWriter;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    const { records } = parts.journal;
    this.#ownership = new Ownership(records);
    this.list = new SessionList(records);
    this.setups = new SessionSetups(records);
    this.#listWriter = new ListWriter(this.list, (sessionId, error) =>
      parts.onProblem({ kind: 'list_failed', sessionId, error }),
    );
  }

  async exists(sessionId: SessionId): Promise<boolean> {
    return (await this.#parts.journal.head(sessionId)).seq > 0;
  }

  /** Begins the log of a new session, and owns it. */
  create(
    sessionId: SessionId,
    { name, command }: AgentEntry,
    cwd: string,
    setup: SessionSetup | undefined,
  ): Promise<OpenedLog> {
    return this.#owning(sessionId, async () => {
      if (setup !== undefined) await this.setups.put(sessionId, setup);
      const created: SessionEvent = {
        type: 'session.created',
        time: this.#parts.clock.now(),
        data: { sessionId, cwd, agent: name, command },
      };
      const at = { generation: 1, expectedSeq: 0 };
      const seq = await this.#parts.journal.append(sessionId, at, [{ body: encodeEvent(created) }]);
      const state = reduceAll(INITIAL_STATE, [created]);
      await this.#write(sessionId, state);
      return { state, seq, generation: 1, snapshotSeq: 0 };
    });
  }

  /** Owns a session that exists; what its last owner left under way is recorded as interrupted. */
  takeOver(sessionId: SessionId): Promise<OpenedLog> {
    return this.#owning(sessionId, async () => {
      const log = await this.#recover(sessionId);
      await this.#write(sessionId, log.state);
      return log;
    });
  }

  /** The list is to show this state. */
  noteChange(state: SessionState): void {
    this.#listWriter.note(state, this.#parts.clock.now());
  }

  /** Resolves when the list shows everything that was noted. */
  whenListed(): Promise<void> {
    return this.#listWriter.whenAllWritten();
  }

  /** Gives a session back that has ended in good order. */
  async giveBack(sessionId: SessionId, state: SessionState): Promise<void> {
    await this.#write(sessionId, state);
    await this.#release(sessionId);
  }

  /** Deletes a session for good. @throws HostError `session_in_use`. */
  async remove(sessionId: SessionId): Promise<void> {
    await this.#owning(sessionId, async () => {
      await this.#listWriter.whenWritten(sessionId);
      // The owner goes last: what a crash leaves half deleted, the next start deletes.
      await this.#parts.journal.delete(sessionId);
      await this.list.remove(sessionId);
      await this.setups.remove(sessionId);
    });
    await this.#release(sessionId);
  }

  /** Sets right what hosts left that have ended. */
  async recoverOrphans(): Promise<void> {
    for (const sessionId of await this.#ownership.orphans()) await this.setRight(sessionId);
  }

  /**
   * Records as interrupted what is under way in a session that nobody runs, and gives it back. A session
   * with which that fails stops no others; it stays ours, so that the next start tries again.
   */
  async setRight(sessionId: SessionId): Promise<void> {
    try {
      await this.#ownership.take(sessionId);
      const { seq, state } = await this.#recover(sessionId);
      // Without events it was being deleted, or was never quite made.
      if (seq === 0) await this.list.remove(sessionId);
      await this.giveBack(sessionId, state);
    } catch (error) {
      // Another host was quicker.
      if (isHostError(error, 'session_in_use')) return;
      this.#parts.onProblem({ kind: 'recovery_failed', sessionId, error });
      // Trying again would not help; and like this anybody can delete it.
      if (isCoreError(error, 'journal_corrupt')) await this.#release(sessionId);
    }
  }

  /** From now on whatever is still owned is free. The journal is left open. */
  close(): void {
    this.#ownership.close();
  }

  /** Works on a session as its owner; gives it back if that fails. */
  async #owning<T>(sessionId: SessionId, work: () => Promise<T>): Promise<T> {
    await this.#ownership.take(sessionId);
    try {
      return await work();
    } catch (error) {
      await this.#release(sessionId);
      throw error;
    }
  }

  #recover(sessionId: SessionId): Promise<OpenedLog> {
    const { journal, settings, clock, onProblem } = this.#parts;
    return recover(journal, sessionId, settings, clock.now(), (error) =>
      onProblem({ kind: 'snapshot_failed', sessionId, error }),
    );
  }

  async #write(sessionId: SessionId, state: SessionState): Promise<void> {
    this.noteChange(state);
    await this.#listWriter.whenWritten(sessionId);
  }

  async #release(sessionId: SessionId): Promise<void> {
    try {
      await this.#ownership.release(sessionId);
    } catch (error) {
      this.#parts.onProblem({ kind: 'release_failed', sessionId, error });
    }
  }
}
