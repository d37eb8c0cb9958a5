import type { Role } from '@signalbox/host';
import { UsageError } from '../usage-error.ts';

const ROLES: readonly Role[] = ['driver', 'approver', 'observer'];

/** The role that the command line names. @throws UsageError. */
export function toRole(named: string = 'driver'): Role {
  const role = ROLES.find((known) => known === named);
  if (role !== undefined) return role;
  throw new UsageError(`--role ${named}: there are ${ROLES.join(', ')}`);
}
