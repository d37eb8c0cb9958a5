import type { Observation } from '../findings/observation.ts';
import { Notes } from '../passive/passive-check.ts';
import type { Side } from '../requirements/requirement.ts';
import { HTTP_AGENT_CHECKS } from './http-agent-checks.ts';
import { HTTP_CLIENT_CHECKS } from './http-client-checks.ts';
import { SOCKET_CHECKS } from './socket-checks.ts';
import type { WireCheck } from './wire-check.ts';
import type { WireLog } from './wire-log.ts';

/** Every check that needs nothing but what crossed the wire around the messages. */
export const WIRE_CHECKS: readonly WireCheck[] = [
  ...HTTP_AGENT_CHECKS,
  ...HTTP_CLIENT_CHECKS,
  ...SOCKET_CHECKS,
];

/** Whom the checks judge, and how the log came about. */
export interface WireCheckOptions {
  readonly side: Side;
  /** True where the other side breaks rules on purpose; only checks that allow for that are run. */
  readonly isHostile: boolean;
}

/** Runs the checks of one side over a log. */
export function runWireChecks(
  log: WireLog,
  { side, isHostile }: WireCheckOptions,
): readonly Observation[] {
  return WIRE_CHECKS.filter(
    ({ ids, toleratesHostilePeer }) =>
      ids[side] !== undefined && (!isHostile || toleratesHostilePeer),
  ).flatMap((check) => {
    const notes = new Notes(check.name);
    check.run(log, notes);
    return notes.observations().filter((each) => each.side === side);
  });
}
