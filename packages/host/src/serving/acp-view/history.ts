import { memberText, RawJson } from '@signalbox/acp';
import {
  createTranscript,
  foldTranscript,
  requestOf,
  toStoredEvent,
  type EventOf,
  type PermissionId,
  type StoredEvent,
  type TerminalView,
  type Transcript,
} from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import type { Session } from '../../session/session.ts';
import { RawToolCalls } from './raw-tool-calls.ts';
import { SessionChoicesView } from './session-facts.ts';
import { cancelled } from '../to-rpc-error.ts';
import { isSound, kindOf } from './update-gate.ts';

const PAGE_LENGTH = 512;

/** Kinds of update of which only the last one counts. */
const STATE_KINDS: ReadonlySet<string> = new Set([
  'plan',
  'available_commands_update',
  'usage_update',
]);

/** An update of which only the last one counts, with its place. */
interface LastUpdate {
  readonly seq: number;
  readonly update: RawJson;
}

/**
 * A session up to a place in its log: the transcript, and beside it the exact texts of what a client is
 * told that opens the session. Built by one pass over the log.
 */
export class History {
  readonly transcript: Transcript = createTranscript();
  readonly toolCalls = new RawToolCalls();
  readonly choices = new SessionChoicesView();
  /** Prompts by the event that began their turn. */
  readonly prompts = new Map<number, RawJson>();
  /** Content blocks that are no text, by their decoded form in the transcript. */
  readonly blocks = new WeakMap<object, RawJson>();
  /** The last update of each kind of which only the last one counts. */
  readonly last = new Map<string, LastUpdate>();
  /** Permission requests that wait for an answer, in order. */
  readonly waiting = new Map<PermissionId, EventOf<'permission.requested'>>();

  /** The last event that is in here. */
  get seq(): number {
    return this.transcript.lastSeq;
  }

  /** Commands that the host ran or runs for the agent, by terminal id. */
  get terminals(): ReadonlyMap<string, TerminalView> {
    return this.transcript.terminals;
  }

  take(stored: StoredEvent): void {
    foldTranscript(this.transcript, stored);
    const { seq, event } = stored;
    switch (event.type) {
      case 'turn.started':
        this.prompts.set(seq, event.data.content);
        return;
      case 'agent.started':
        this.choices.onAgentStarted(event);
        return;
      case 'permission.requested': {
        if (event.data.deadline !== undefined) this.waiting.set(event.data.permissionId, event);
        const toolCallId = requestOf(event).toolCall?.toolCallId;
        if (toolCallId === undefined) return;
        this.toolCalls.take(this.transcript, stored, toolCallId, event.data.toolCall);
        return;
      }
      case 'permission.resolved':
        this.waiting.delete(event.data.permissionId);
        return;
      case 'update':
        if (isSound(event)) this.#takeUpdate(stored, event.data.update);
        return;
      default:
        return;
    }
  }

  #takeUpdate(stored: StoredEvent, update: RawJson): void {
    const { seq } = stored;
    const kind = kindOf(update);
    if (STATE_KINDS.has(kind)) this.last.set(kind, { seq, update });
    switch (kind) {
      case 'current_mode_update':
        this.choices.onMode(update);
        return;
      case 'config_option_update':
        this.choices.onConfigOptions(update);
        return;
      case 'tool_call':
      case 'tool_call_update': {
        const { toolCallId } = update.value as { toolCallId: string };
        this.toolCalls.take(this.transcript, stored, toolCallId, update);
        return;
      }
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.#takeBlock(update);
    }
  }

  #takeBlock(update: RawJson): void {
    const { content } = update.value as { content: { readonly type: string } };
    if (content.type === 'text') return;
    this.blocks.set(content, new RawJson(memberText(update.text, 'content') ?? '{}', content));
  }
}

/**
 * Reads a session's log up to where it stands now.
 *
 * @param isWanted whether anybody still waits for it: a client that keeps coming and going leaves no work behind.
 * @throws RpcError when nobody does.
 */
export async function readHistory(
  host: Pick<Host, 'readLog'>,
  session: Pick<Session, 'id' | 'headSeq'>,
  isWanted: () => boolean,
): Promise<History> {
  const history = new History();
  const head = session.headSeq;
  while (history.seq < head) {
    if (!isWanted()) throw cancelled();
    const page = await host.readLog(session.id, history.seq, PAGE_LENGTH);
    if (page.length === 0) break;
    for (const entry of page) if (entry.seq <= head) history.take(toStoredEvent(entry));
  }
  return history;
}
