import { once } from 'node:events';
import type { PermissionId, PolicyLevel } from '@signalbox/core';
import type { Session } from '@signalbox/host';
import { toJsonLine } from '../render/json-line.ts';
import { Follower } from './follow.ts';
import type { RunOutput } from './run-output.ts';
import { denyUnattended } from './unattended.ts';

/**
 * `--json`: one event a line on stdout, exactly as it is in the log. Nobody is asked anything: what
 * policy does not decide is denied, and stderr says so.
 */
export function createJsonOutput(session: Session, _level: PolicyLevel): RunOutput {
  const follower = new Follower(session);
  const asked = new Set<PermissionId>();
  return {
    show: (afterSeq, signal) =>
      follower.follow(afterSeq, signal, async (event, entry) => {
        if (!process.stdout.write(toJsonLine(session.id, entry))) {
          await once(process.stdout, 'drain');
        }
        if (event.type === 'permission.requested' && event.data.deadline !== undefined) {
          asked.add(event.data.permissionId);
          denyUnattended(session, event.data.permissionId);
        }
      }),
    whenShown: (seq) => follower.whenReached(seq),
    notice: (text) => process.stderr.write(`${text}\n`),
    finish: () => {
      if (asked.size === 0) return;
      process.stderr.write(
        `${asked.size} permission request(s) were denied because nobody could be asked; ` +
          `--yes allows them.\n`,
      );
    },
  };
}
