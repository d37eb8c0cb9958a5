import { randomUUID } from 'node:crypto';
import { isCoreError, type Records, type SessionId } from '@signalbox/core';
import { HostError } from '../host-error.ts';
import { isSameProcess, processStartTime } from '../agents/process-identity.ts';

/** Who runs a session: one host in one process, named so that a later one is not taken for it. */
interface Owner {
  readonly pid: number;
  readonly startTime: string | null;
  readonly host: string;
}

const PREFIX = 'owner/';

/** Hosts of this process that are open. */
const openHosts = new Set<string>();

/**
 * Which host runs which session. A session has one owner at a time; an owner that has ended without
 * giving its sessions back is noticed by whoever wants them next.
 */
export class Ownership {
  readonly #records: Records;
  readonly #host = randomUUID();
  readonly #self: string;
  /** Revisions of the records by which this host owns sessions. */
  readonly #owned = new Map<SessionId, number>();

  constructor(records: Records) {
    this.#records = records;
    const { pid } = process;
    const owner: Owner = { pid, startTime: processStartTime(pid), host: this.#host };
    this.#self = JSON.stringify(owner);
    openHosts.add(this.#host);
  }

  /** @throws HostError `session_in_use` when another living host owns the session. */
  async take(sessionId: SessionId): Promise<void> {
    const key = PREFIX + sessionId;
    const known = await this.#records.get(key);
    if (known !== undefined && known.value !== this.#self && isAlive(known.value)) {
      throw inUse(sessionId, `process ${parse(known.value).pid} runs it`);
    }
    try {
      const { revision } =
        known === undefined
          ? await this.#records.create(key, this.#self)
          : await this.#records.put(key, this.#self, known.revision);
      this.#owned.set(sessionId, revision);
    } catch (error) {
      if (!isCoreError(error, 'record_conflict')) throw error;
      throw inUse(sessionId, 'another process has just taken it');
    }
  }

  /** Gives a session back, unless somebody else has taken it over. */
  async release(sessionId: SessionId): Promise<void> {
    const revision = this.#owned.get(sessionId);
    if (revision === undefined) return;
    try {
      await this.#records.delete(PREFIX + sessionId, revision);
    } catch (error) {
      if (!isCoreError(error, 'record_conflict')) throw error;
    }
    this.#owned.delete(sessionId);
  }

  /** Sessions whose owner has ended without giving them back. */
  async orphans(): Promise<SessionId[]> {
    const found: SessionId[] = [];
    let after = '';
    for (;;) {
      const page = await this.#records.list(PREFIX, { after, limit: 200 });
      for (const { key, value } of page) {
        if (!isAlive(value)) found.push(key.slice(PREFIX.length) as SessionId);
      }
      const last = page[page.length - 1];
      if (last === undefined) return found;
      after = last.key;
    }
  }

  /** From now on whatever this host still owns is free. */
  close(): void {
    openHosts.delete(this.#host);
  }
}

function isAlive(value: string): boolean {
  const { pid, startTime, host } = parse(value);
  return pid === process.pid ? openHosts.has(host) : isSameProcess(pid, startTime);
}

function parse(value: string): Owner {
  return JSON.parse(value) as Owner;
}

function inUse(sessionId: SessionId, why: string): HostError {
  return new HostError('session_in_use', `Session ${sessionId} is in use: ${why}`, {
    hint: 'Wait until it has ended, or end that process.',
  });
}
