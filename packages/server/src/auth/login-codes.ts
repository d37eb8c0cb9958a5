import { isCoreError, type Records } from '@signalbox/core';
import type { Role } from './principal.ts';
import { isSameDigest, newLoginCode, toDigest } from './secret.ts';

/** How long a login code works if nothing else is said, and at most, in ms. */
export const LOGIN_CODE_TTL_MS = 5 * 60_000;
export const LOGIN_CODE_TTL_MS_MAX = 24 * 3600_000;

const PREFIX = 'server/login-code/';

/** What a login code stands for. */
export interface LoginGrant {
  readonly role: Role;
  /** What the browser is called. */
  readonly name: string;
  /** Ms since 1970. */
  readonly expiresAt: number;
}

interface StoredCode {
  readonly digest: string;
  readonly grant: LoginGrant;
  readonly isUsed?: true;
}

/** Codes by which browsers sign in: each works once, and not for long. */
export class LoginCodes {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  /** @returns the code, which is told nowhere else. */
  async create(grant: LoginGrant): Promise<string> {
    const code = newLoginCode();
    const { id, digest } = toDigest(code);
    await this.#records.create(PREFIX + id, toValue({ digest, grant }));
    return code;
  }

  /** Uses a code up. Undefined: it is none, was used, or is too old. Of several callers one wins. */
  async use(code: string, now: number): Promise<LoginGrant | undefined> {
    const { id, digest } = toDigest(code);
    const record = await this.#records.get(PREFIX + id);
    if (record === undefined) return undefined;
    const stored = fromValue(record.value);
    if (stored.isUsed === true || !isSameDigest(stored.digest, digest)) return undefined;
    try {
      // Deleting alone would not tell who was first.
      await this.#records.put(record.key, toValue({ ...stored, isUsed: true }), record.revision);
    } catch (error) {
      if (isCoreError(error, 'record_conflict')) return undefined;
      throw error;
    }
    await this.#records.delete(record.key);
    return now < stored.grant.expiresAt ? stored.grant : undefined;
  }

  /** Deletes codes that are too old. */
  async purge(now: number): Promise<void> {
    for (const { key, value } of await this.#records.list(PREFIX)) {
      const { grant, isUsed } = fromValue(value);
      if (isUsed === true || now >= grant.expiresAt) await this.#records.delete(key);
    }
  }
}

function toValue(stored: StoredCode): string {
  return JSON.stringify(stored);
}

function fromValue(value: string): StoredCode {
  return JSON.parse(value) as StoredCode;
}
