import type { Records } from '@signalbox/core';
import type { Credential } from './credential.ts';
import { isSameDigest, type SecretDigest } from './secret.ts';

const PREFIX = 'server/credential/';
const PAGE_LENGTH = 200;

/** A credential as it is stored. */
export interface StoredCredential {
  readonly credential: Credential;
  /** SHA-256 of the secret. */
  readonly digest: string;
  readonly revision: number;
}

/** Credentials as records beside the logs, one each, found by the beginning of the secret's digest. */
export class CredentialRecords {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  async create(credential: Credential, digest: string): Promise<void> {
    await this.#records.create(PREFIX + credential.id, toValue(credential, digest));
  }

  async get(id: string): Promise<StoredCredential | undefined> {
    const record = await this.#records.get(PREFIX + id);
    if (record === undefined) return undefined;
    return { ...fromValue(record.value), revision: record.revision };
  }

  /** The credential with this secret. */
  async find({ id, digest }: SecretDigest): Promise<StoredCredential | undefined> {
    const stored = await this.get(id);
    return stored !== undefined && isSameDigest(stored.digest, digest) ? stored : undefined;
  }

  /** @throws CoreError `record_conflict` when it was changed or deleted meanwhile. */
  async put(credential: Credential, { digest, revision }: StoredCredential): Promise<void> {
    await this.#records.put(PREFIX + credential.id, toValue(credential, digest), revision);
  }

  async delete(id: string): Promise<void> {
    await this.#records.delete(PREFIX + id);
  }

  async all(): Promise<Credential[]> {
    const found: Credential[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await this.#records.list(PREFIX, {
        limit: PAGE_LENGTH,
        ...(after === undefined ? {} : { after }),
      });
      found.push(...page.map(({ value }) => fromValue(value).credential));
      after = page[page.length - 1]?.key;
      if (page.length < PAGE_LENGTH) return found;
    }
  }
}

function toValue(credential: Credential, digest: string): string {
  return JSON.stringify({ credential, digest });
}

function fromValue(value: string): { credential: Credential; digest: string } {
  return JSON.parse(value) as { credential: Credential; digest: string };
}
