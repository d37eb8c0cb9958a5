import {
  toStoredEvent,
  type PermissionEntry,
  type PermissionId,
  type TerminalView,
  type Transcript,
} from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import type { Session } from '../../session/session.ts';
import { History } from './history.ts';

/** How a session stands: all that a client has to know which is not told what happened in it. */
export interface Standing extends Pick<History, 'choices' | 'last' | 'waiting'> {
  /** The last event that is in here. */
  readonly seq: number;
  /** Commands that the host ran or runs for the agent, by terminal id. */
  readonly terminals: ReadonlyMap<string, TerminalView>;
  readonly transcript: Pick<Transcript, 'usage' | 'title' | 'entries'>;
}

/**
 * Reads how a session stands now: a few events of its log, however long that is. Of the commands those are
 * there that run or that one of the newest tool calls shows.
 */
export async function readStanding(
  host: Pick<Host, 'readOutline' | 'readLog'>,
  { id }: Pick<Session, 'id'>,
): Promise<Standing> {
  const { transcript, landmarks } = await host.readOutline(id);
  const { lastSeq, usage, title } = transcript;
  // What is read here goes on while a client is told of it.
  const entries = [...transcript.entries];
  const terminals = new Map(transcript.terminals);
  const asked = new Map<PermissionId, PermissionEntry>();
  for (const entry of entries) {
    if (entry.kind === 'permission') asked.set(entry.permissionId, entry);
  }
  const waiting = [...asked.values()].filter(({ outcome }) => outcome === undefined);
  const seqs = new Set([...Object.values(landmarks), ...waiting.map(({ firstSeq }) => firstSeq)]);
  const told = new History();
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    const [entry] = await host.readLog(id, seq - 1, 1);
    if (entry !== undefined) told.take(toStoredEvent(entry));
  }
  const { choices, last, waiting: requests } = told;
  return {
    seq: lastSeq,
    choices,
    last,
    waiting: requests,
    terminals,
    transcript: { usage, title, entries },
  };
}
