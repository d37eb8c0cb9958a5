import type { Principal, Role } from './principal.ts';

/** How long the cookie of a browser works at most, and how long without being used, in ms. */
export const BROWSER_LIFETIME_MS = 30 * 24 * 3600_000;
export const BROWSER_IDLE_MS = 7 * 24 * 3600_000;

/** What is known of a token, or of a browser that has signed in. The secret is not. */
export interface Credential {
  readonly id: string;
  readonly kind: 'browser' | 'token';
  readonly name: string;
  readonly role: Role;
  /** Ms since 1970. */
  readonly createdAt: number;
  /** To within an hour. Absent: never. */
  readonly lastUsedAt?: number;
  /** When it stops working in any case. Absent: never. */
  readonly expiresAt?: number;
}

/** Whether a credential works at a time. */
export function isLive(
  { kind, createdAt, lastUsedAt, expiresAt }: Credential,
  now: number,
): boolean {
  if (expiresAt !== undefined && now >= expiresAt) return false;
  return kind === 'token' || now < (lastUsedAt ?? createdAt) + BROWSER_IDLE_MS;
}

export function toPrincipal({ id, name, role, kind }: Credential): Principal {
  return { id, name, role, kind };
}
