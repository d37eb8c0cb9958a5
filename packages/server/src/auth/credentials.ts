import { isCoreError, type Records } from '@signalbox/core';
import { systemClock, type Clock } from '@signalbox/host';
import { ServerError } from '../server-error.ts';
import { BROWSER_LIFETIME_MS, isLive, toPrincipal, type Credential } from './credential.ts';
import { CredentialRecords, type StoredCredential } from './credential-records.ts';
import { LOGIN_CODE_TTL_MS, LOGIN_CODE_TTL_MS_MAX, LoginCodes } from './login-codes.ts';
import { ROLES, type Principal, type Role } from './principal.ts';
import { newSecret, toDigest } from './secret.ts';

/** Where credentials are kept. */
export interface CredentialsOptions {
  /** The journal's records. Several processes may use them at once. */
  readonly records: Records;
  readonly clock?: Clock;
}

/** A new token. */
export interface CreatedToken {
  /** `sbx_…`; told here and never again. */
  readonly secret: string;
  readonly credential: Credential;
}

/** A new login code. */
export interface CreatedLoginCode {
  readonly code: string;
  /** Ms since 1970. */
  readonly expiresAt: number;
}

/** A browser that has signed in. */
export interface SignedIn {
  /** What its cookie holds. */
  readonly secret: string;
  readonly principal: Principal;
}

/** How exact `lastUsedAt` is; a write for each request would cost more than it tells. */
const USE_NOTED_AFTER_MS = 3600_000;
const NAME_LENGTH_MAX = 100;
const PREFIXES = { token: 'sbx_', browser: 'sbb_' } as const;

/**
 * Who may use a server: tokens for programs, and browsers that signed in with a one-time code. Secrets
 * are given out once; only their SHA-256 is stored.
 */
export class Credentials {
  readonly #clock: Clock;
  readonly #records: CredentialRecords;
  readonly #codes: LoginCodes;
  readonly #listeners = new Set<(id: string) => void>();

  constructor({ records, clock = systemClock }: CredentialsOptions) {
    this.#clock = clock;
    this.#records = new CredentialRecords(records);
    this.#codes = new LoginCodes(records);
  }

  /**
   * Makes a token for a program.
   *
   * @param name what it is for, up to 100 characters.
   * @param expiresAt ms since 1970. Absent: it works until it is revoked.
   * @throws ServerError `options_invalid`.
   */
  async createToken(wanted: {
    readonly name: string;
    readonly role: Role;
    readonly expiresAt?: number;
  }): Promise<CreatedToken> {
    const { expiresAt } = wanted;
    if (expiresAt !== undefined && !(expiresAt > this.#clock.now())) {
      throw new ServerError('options_invalid', 'A token must expire in the future');
    }
    return this.#create('token', wanted);
  }

  /** Tokens, and browsers that are signed in, whether they still work or not. */
  list(): Promise<Credential[]> {
    return this.#records.all();
  }

  /** Takes a credential back and ends what it has opened. @returns whether there was one. */
  async revoke(id: string): Promise<boolean> {
    const known = await this.#records.get(id);
    await this.#records.delete(id);
    for (const listener of this.#listeners) listener(id);
    return known !== undefined;
  }

  /** Calls `listener` when this object revokes a credential. @returns ends that. */
  onRevoked(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Makes a code by which one browser can sign in once.
   *
   * @param role the most that the browser may do. @param name what the browser is called.
   * @param ttlMs how long it works: more than 0, at most a day.
   * @throws ServerError `options_invalid`.
   */
  async createLoginCode(wanted: {
    readonly role: Role;
    readonly name?: string;
    readonly ttlMs?: number;
  }): Promise<CreatedLoginCode> {
    const { role, name = 'browser', ttlMs = LOGIN_CODE_TTL_MS } = wanted;
    assertNameAndRole(name, role);
    if (!(ttlMs > 0 && ttlMs <= LOGIN_CODE_TTL_MS_MAX)) {
      throw new ServerError('options_invalid', 'A login code works for up to a day');
    }
    const expiresAt = this.#clock.now() + ttlMs;
    return { code: await this.#codes.create({ role, name, expiresAt }), expiresAt };
  }

  /** Signs a browser in. Undefined: the code is none, was used, or is too old. */
  async signIn(code: string): Promise<SignedIn | undefined> {
    const now = this.#clock.now();
    const grant = await this.#codes.use(code, now);
    if (grant === undefined) return undefined;
    const { name, role } = grant;
    const expiresAt = now + BROWSER_LIFETIME_MS;
    const { secret, credential } = await this.#create('browser', { name, role, expiresAt });
    return { secret, principal: toPrincipal(credential) };
  }

  /** Whose secret this is. Undefined: nobody's, or it does not work any more. */
  async verify(secret: string, kind: Principal['kind']): Promise<Principal | undefined> {
    if (!secret.startsWith(PREFIXES[kind])) return undefined;
    const stored = await this.#records.find(toDigest(secret));
    if (stored === undefined || !(await this.#use(stored))) return undefined;
    return stored.credential.kind === kind ? toPrincipal(stored.credential) : undefined;
  }

  /** Whether a credential still works; counts as a use of it. */
  async isLive(id: string): Promise<boolean> {
    const stored = await this.#records.get(id);
    return stored !== undefined && this.#use(stored);
  }

  /** Deletes what does not work any more. */
  async purge(): Promise<void> {
    const now = this.#clock.now();
    await this.#codes.purge(now);
    for (const credential of await this.list()) {
      if (!isLive(credential, now)) await this.#records.delete(credential.id);
    }
  }

  async #create(
    kind: Credential['kind'],
    { name, role, expiresAt }: { name: string; role: Role; expiresAt?: number },
  ): Promise<CreatedToken> {
    assertNameAndRole(name, role);
    const secret = newSecret(PREFIXES[kind]);
    const { id, digest } = toDigest(secret);
    const credential: Credential = {
      id,
      kind,
      name,
      role,
      createdAt: this.#clock.now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    await this.#records.create(credential, digest);
    return { secret, credential };
  }

  /** Notes that a credential is used. @returns whether it works. */
  async #use(stored: StoredCredential): Promise<boolean> {
    const { credential } = stored;
    const now = this.#clock.now();
    if (!isLive(credential, now)) return false;
    if (now - (credential.lastUsedAt ?? 0) < USE_NOTED_AFTER_MS) return true;
    try {
      await this.#records.put({ ...credential, lastUsedAt: now }, stored);
    } catch (error) {
      // Somebody else has noted it, or it was revoked this moment; a full disk keeps nobody out.
      if (isCoreError(error, 'record_conflict'))
        return (await this.#records.get(credential.id)) !== undefined;
      if (!isCoreError(error, 'journal_write_failed')) throw error;
    }
    return true;
  }
}

function assertNameAndRole(name: string, role: Role): void {
  if (name.length === 0 || name.length > NAME_LENGTH_MAX || !name.isWellFormed()) {
    throw new ServerError('options_invalid', `A name has 1 to ${NAME_LENGTH_MAX} characters`);
  }
  if (!ROLES.includes(role)) {
    throw new ServerError('options_invalid', `A role is one of ${ROLES.join(', ')}`);
  }
}
