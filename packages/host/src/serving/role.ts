import { RpcError } from '@signalbox/acp';
import { ServingErrorCode } from './serving-error-code.ts';

/**
 * What a client may do in a session. A `driver` may do everything, an `approver` may answer permission
 * requests and stop a turn, an `observer` sees everything and does nothing.
 */
export type Role = 'driver' | 'approver' | 'observer';

const RANK: Readonly<Record<Role, number>> = { observer: 0, approver: 1, driver: 2 };

export const ROLES: readonly Role[] = ['driver', 'approver', 'observer'];

/** Whether a client with this role may do what `needed` may. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}

/** The lesser of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return RANK[one] < RANK[other] ? one : other;
}

/** @throws RpcError -32012 when a client with this role may not do what `needed` may. */
export function assertRole(role: Role, needed: Role, what: string): void {
  if (isAtLeast(role, needed)) return;
  const message = `${what} needs the role ${needed}; this client is an ${role}`;
  throw new RpcError(ServingErrorCode.Forbidden, message, { failure: 'forbidden', role, needed });
}
