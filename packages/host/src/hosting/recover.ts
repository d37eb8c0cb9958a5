import {
  encodeEvent,
  reduceAll,
  step,
  type Journal,
  type SessionId,
  type SessionSettings,
} from '@signalbox/core';
import { isSameProcess } from '../agents/process-identity.ts';
import { signalGroup, sweepSession } from '../agents/process-tree.ts';
import { openLog, type OpenedLog } from './open-log.ts';

/**
 * Takes a session over: what was under way when its last owner ended is recorded as interrupted, and
 * what that owner left running is ended. Safe to repeat. The caller owns the session.
 *
 * @param onProblem told of a snapshot that cannot be read.
 * @returns the log as it stands now, under the generation of the new owner.
 */
export async function recover(
  journal: Journal,
  sessionId: SessionId,
  settings: SessionSettings,
  now: number,
  onProblem: (error: unknown) => void,
): Promise<OpenedLog> {
  const log = await openLog(journal, sessionId, onProblem);
  const { state, seq } = log;
  const generation = log.generation + 1;
  const { agent } = state;
  // Agents that did not notice the end of their host. A pid that was given out again is left alone.
  if (agent.kind === 'running' && isSameProcess(agent.pid, agent.startTime)) {
    signalGroup(agent.pid, 'SIGKILL');
  }
  // An agent that was only starting is not in the log.
  await sweepSession(sessionId);
  const input = { kind: 'recover', at: now } as const;
  const { events } = step(state, input, settings);
  if (events.length === 0) return { ...log, generation };
  const entries = events.map((event) => ({ body: encodeEvent(event) }));
  const head = await journal.append(sessionId, { generation, expectedSeq: seq }, entries);
  return { ...log, state: reduceAll(state, events), seq: head, generation };
}
