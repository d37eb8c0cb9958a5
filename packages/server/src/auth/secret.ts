import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random bytes in a token or the cookie of a browser. */
const SECRET_BYTES = 32;
/** Random bytes in a login code, which lives for minutes and works once. */
const CODE_BYTES = 16;
/** Hex digits of a digest that name it: enough that no two meet, and of no use for guessing. */
const ID_LENGTH = 16;

/** A digest of a secret: what is stored instead of it. */
export interface SecretDigest {
  /** Its beginning, by which it is found. */
  readonly id: string;
  readonly digest: string;
}

/** A new secret of 256 random bits. `prefix` tells people and scanners what it is. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url');
}

/** A new login code of 128 random bits. */
export function newLoginCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}

/** Secrets are random, so a plain hash of them cannot be turned back; no salt is needed. */
export function toDigest(secret: string): SecretDigest {
  const digest = createHash('sha256').update(secret).digest('hex');
  return { id: digest.slice(0, ID_LENGTH), digest };
}

/** Whether two digests are equal; takes the same time wherever they differ. */
export function isSameDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
