import type { PermissionId } from '@signalbox/core';
import { isHostError, type Session } from '@signalbox/host';

/** Denies a request that nobody is there to decide. Losing to another answer is no failure. */
export function denyUnattended(session: Session, permissionId: PermissionId): void {
  const by = { kind: 'policy', rule: 'nobody to ask' } as const;
  session.answerPermission(permissionId, undefined, by).catch((error: unknown) => {
    if (!isHostError(error)) throw error as Error;
  });
}
