/**
 * The most that somebody may do: a `driver` everything, an `approver` may answer permission requests and
 * stop turns, an `observer` may look.
 */
export type Role = 'driver' | 'approver' | 'observer';

/** Every role, the one that may do most first. */
export const ROLES: readonly Role[] = ['driver', 'approver', 'observer'];

/** Whoever is behind a request or a connection. */
export interface Principal {
  /** Names the credential; not secret. */
  readonly id: string;
  /** For people: what the token is for, or whose browser it is. */
  readonly name: string;
  readonly role: Role;
  readonly kind: 'browser' | 'token';
}

/** Everybody, where a server asks nobody who he is. */
export const ANYBODY: Principal = { id: 'anybody', name: 'local', role: 'driver', kind: 'token' };
