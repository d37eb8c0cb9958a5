import { createMemoryJournal, type Records } from '@signalbox/core';
import { SimulatedClock } from '@signalbox/host';
import { beforeEach, describe, expect, it } from 'vitest';
import { isServerError } from '../server-error.ts';
import { BROWSER_IDLE_MS, BROWSER_LIFETIME_MS } from './credential.ts';
import { Credentials } from './credentials.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

let records: Records;
let clock: SimulatedClock;
let credentials: Credentials;

beforeEach(() => {
  records = createMemoryJournal().records;
  clock = new SimulatedClock();
  credentials = new Credentials({ records, clock });
});

/** Everything that is stored. */
async function stored(): Promise<string> {
  return JSON.stringify(await records.list(''));
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isServerError(error) ? error.code : error;
}

describe('a token', () => {
  it('is told once, is 256 random bits, and is not stored', async () => {
    const { secret, credential } = await credentials.createToken({ name: 'ci', role: 'driver' });
    expect(secret).toMatch(/^sbx_[A-Za-z0-9_-]{43}$/);
    expect(await stored()).not.toContain(secret);
    expect(await stored()).not.toContain(secret.slice(4));
    expect(JSON.stringify(await credentials.list())).not.toContain(secret);
    expect(await credentials.list()).toEqual([credential]);
  });

  it('says who it is, until it is revoked', async () => {
    const { secret, credential } = await credentials.createToken({ name: 'ci', role: 'approver' });
    const { id } = credential;
    expect(await credentials.verify(secret, 'token')).toEqual({
      id,
      name: 'ci',
      role: 'approver',
      kind: 'token',
    });
    expect(await credentials.revoke(id)).toBe(true);
    expect(await credentials.verify(secret, 'token')).toBeUndefined();
    expect(await credentials.revoke(id)).toBe(false);
  });

  it('is nobody’s when one character differs, and no cookie', async () => {
    const { secret } = await credentials.createToken({ name: 'ci', role: 'driver' });
    const last = secret.endsWith('A') ? 'B' : 'A';
    expect(await credentials.verify(secret.slice(0, -1) + last, 'token')).toBeUndefined();
    expect(await credentials.verify('', 'token')).toBeUndefined();
    expect(await credentials.verify(secret, 'browser')).toBeUndefined();
  });

  it('works until it expires', async () => {
    const expiresAt = clock.now() + DAY;
    const wanted = { name: 'ci', role: 'driver', expiresAt } as const;
    const { secret, credential } = await credentials.createToken(wanted);
    clock.advance(DAY - 1);
    expect(await credentials.verify(secret, 'token')).toBeDefined();
    expect(await credentials.isLive(credential.id)).toBe(true);
    clock.advance(1);
    expect(await credentials.verify(secret, 'token')).toBeUndefined();
    expect(await credentials.isLive(credential.id)).toBe(false);
    await credentials.purge();
    expect(await credentials.list()).toEqual([]);
  });

  it('is used, which is noted to within an hour', async () => {
    const { secret } = await credentials.createToken({ name: 'ci', role: 'driver' });
    const usedAt = clock.now();
    await credentials.verify(secret, 'token');
    clock.advance(HOUR - 1);
    await credentials.verify(secret, 'token');
    expect((await credentials.list())[0]?.lastUsedAt).toBe(usedAt);
    clock.advance(1);
    await credentials.verify(secret, 'token');
    expect((await credentials.list())[0]?.lastUsedAt).toBe(usedAt + HOUR);
  });

  it('has a name, a role, and ends in the future', async () => {
    const wrong = [
      { name: '', role: 'driver' },
      { name: 'x'.repeat(101), role: 'driver' },
      { name: '\ud800', role: 'driver' },
      { name: 'x', role: 'root' as 'driver' },
      { name: 'x', role: 'driver', expiresAt: clock.now() },
    ] as const;
    for (const wanted of wrong) {
      expect(await codeOf(credentials.createToken(wanted))).toBe('options_invalid');
    }
  });

  it('tells listeners of its end', async () => {
    const { credential } = await credentials.createToken({ name: 'ci', role: 'driver' });
    const heard: string[] = [];
    const stop = credentials.onRevoked((id) => heard.push(id));
    await credentials.revoke(credential.id);
    stop();
    await credentials.revoke(credential.id);
    expect(heard).toEqual([credential.id]);
  });
});

describe('a login code', () => {
  it('signs one browser in, once', async () => {
    const { code, expiresAt } = await credentials.createLoginCode({ role: 'observer' });
    expect(code).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(expiresAt).toBe(clock.now() + 5 * 60_000);
    expect(await stored()).not.toContain(code);
    const signedIn = await credentials.signIn(code);
    expect(signedIn?.principal).toMatchObject({
      name: 'browser',
      role: 'observer',
      kind: 'browser',
    });
    expect(await credentials.verify(signedIn?.secret ?? '', 'browser')).toEqual(
      signedIn?.principal,
    );
    expect(await credentials.verify(signedIn?.secret ?? '', 'token')).toBeUndefined();
    expect(await credentials.signIn(code)).toBeUndefined();
  });

  it('signs only one of many in that use it at the same time', async () => {
    const { code } = await credentials.createLoginCode({ role: 'driver' });
    const tries = await Promise.all(Array.from({ length: 20 }, () => credentials.signIn(code)));
    expect(tries.filter((signedIn) => signedIn !== undefined)).toHaveLength(1);
  });

  it('works for as long as was said, and leaves nothing behind', async () => {
    const { code } = await credentials.createLoginCode({ role: 'driver', ttlMs: 1000 });
    await credentials.createLoginCode({ role: 'driver', ttlMs: 1000 });
    clock.advance(1000);
    expect(await credentials.signIn(code)).toBeUndefined();
    await credentials.purge();
    expect(await records.list('')).toEqual([]);
  });

  it('works for a day at most', async () => {
    for (const ttlMs of [0, -1, Number.NaN, DAY + 1]) {
      const created = credentials.createLoginCode({ role: 'driver', ttlMs });
      expect(await codeOf(created)).toBe('options_invalid');
    }
  });

  it('is not guessed', async () => {
    expect(await credentials.signIn('AAAAAAAAAAAAAAAAAAAAAA')).toBeUndefined();
    expect(await credentials.signIn('')).toBeUndefined();
  });
});

describe('a browser that is signed in', () => {
  async function signIn(): Promise<string> {
    const { code } = await credentials.createLoginCode({ role: 'driver' });
    return (await credentials.signIn(code))?.secret ?? '';
  }

  it('is signed out when it has not been used for a week', async () => {
    const secret = await signIn();
    clock.advance(BROWSER_IDLE_MS - 1);
    expect(await credentials.verify(secret, 'browser')).toBeDefined();
    clock.advance(BROWSER_IDLE_MS - 1);
    expect(await credentials.verify(secret, 'browser')).toBeDefined();
    clock.advance(BROWSER_IDLE_MS);
    expect(await credentials.verify(secret, 'browser')).toBeUndefined();
  });

  it('is signed out after a month in any case', async () => {
    const secret = await signIn();
    for (let day = 1; day < BROWSER_LIFETIME_MS / DAY; day++) {
      clock.advance(DAY);
      expect(await credentials.verify(secret, 'browser')).toBeDefined();
    }
    clock.advance(DAY);
    expect(await credentials.verify(secret, 'browser')).toBeUndefined();
  });
});
