import { RawJson, validateResult, type InitializeResponse } from '@signalbox/acp';
import { isCoreError, type Records } from '@signalbox/core';
import type { AgentEntry } from '../agents/agent-entry.ts';

/** What is remembered of what an agent says of itself. */
export interface AgentRecord {
  /** Its answer to `initialize` when it was last asked, exactly. */
  readonly asked: string;
  /** The same from the last start of a session, where it may have been told of another client. */
  readonly started?: string;
}

interface StoredRecord extends AgentRecord {
  readonly v: 1;
  /** How the agent was started: another command is another agent. */
  readonly command: readonly string[];
}

/** Reads what is remembered of an agent; undefined when there is nothing that still counts. */
export async function readAgentRecord(
  records: Records,
  { name, command }: AgentEntry,
): Promise<AgentRecord | undefined> {
  const record = await records.get(keyOf(name));
  if (record === undefined) return undefined;
  const stored = JSON.parse(record.value) as StoredRecord;
  const isSame = stored.v === 1 && JSON.stringify(stored.command) === JSON.stringify(command);
  return isSame && toInitialized(stored.asked) !== undefined ? stored : undefined;
}

/** Remembers what an agent says of itself. The last writer wins. */
export async function writeAgentRecord(
  records: Records,
  { name, command }: AgentEntry,
  { asked, started }: AgentRecord,
): Promise<void> {
  const key = keyOf(name);
  const stored: StoredRecord = {
    v: 1,
    command,
    asked,
    ...(started === undefined ? {} : { started }),
  };
  const value = JSON.stringify(stored);
  for (;;) {
    const known = await records.get(key);
    try {
      if (known === undefined) await records.create(key, value);
      else await records.put(key, value, known.revision);
      return;
    } catch (error) {
      if (!isCoreError(error, 'record_conflict')) throw error;
    }
  }
}

/** The checked answer to `initialize`; undefined for what is none. */
export function toInitialized(text: string): InitializeResponse | undefined {
  const { value } = new RawJson(text);
  return validateResult('initialize', value) === undefined
    ? (value as InitializeResponse)
    : undefined;
}

function keyOf(name: string): string {
  return `agent/${name}`;
}
