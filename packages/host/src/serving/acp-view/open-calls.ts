import { rawObject, type RawJson, type ToolCallUpdate } from '@signalbox/acp';
import {
  requestOf,
  type EventOf,
  type StoredEvent,
  type Transcript,
  type TurnId,
} from '@signalbox/core';
import { isSound, kindOf } from './update-gate.ts';

/** Tool calls that are remembered. Of more, those of which was heard first are forgotten. */
const CALLS_MAX = 1024;

const OVER: ReadonlySet<unknown> = new Set(['completed', 'failed']);
const OPEN: ReadonlySet<unknown> = new Set(['pending', 'in_progress']);

interface KnownCall {
  /** The event that began it. */
  readonly firstSeq: number;
  /** Undefined outside of any turn. */
  readonly turnId: TurnId | undefined;
  readonly title: string;
  /** Whether the agent has ended it. */
  readonly isOver: boolean;
}

/**
 * The tool calls of a session, as far as one client has been told of them. Agents leave calls open when they
 * end a turn, are cancelled or die; whoever was told of one would show it as running for ever (B75,
 * R-TOOL-14). The transcript, which clients are told when they load the session, judges alike.
 */
export class OpenCalls {
  /** The last call with each id. */
  readonly #calls = new Map<string, KnownCall>();

  /** The client is told, or knows, what is in a transcript. */
  take({ entries }: Pick<Transcript, 'entries'>): void {
    for (const entry of entries) {
      if (entry.kind !== 'tool_call') continue;
      const { toolCallId, firstSeq, turnId, title, status } = entry;
      this.#begin(toolCallId, { firstSeq, turnId, title, isOver: OVER.has(status) });
    }
  }

  /**
   * What comes next is told, maybe again, behind this event. How calls stand may be known here from later on,
   * so what the events before say counts more.
   *
   * @param before the last events up to there.
   */
  startAgain(afterSeq: number, before: readonly StoredEvent[]): void {
    const older = [...this.#calls].filter(([, { firstSeq }]) => firstSeq <= afterSeq);
    this.#calls.clear();
    for (const { seq, event } of before) {
      if (event.type === 'update' && isSound(event)) this.onUpdate(seq, event);
      else if (event.type === 'permission.requested') this.onPermissionRequested(seq, event);
    }
    for (const [id, call] of older) if (!this.#calls.has(id)) this.#calls.set(id, call);
  }

  onUpdate(seq: number, { turnId, data: { update } }: EventOf<'update'>): void {
    const kind = kindOf(update);
    if (kind !== 'tool_call' && kind !== 'tool_call_update') return;
    const news = update.value as ToolCallUpdate;
    const last = this.#calls.get(news.toolCallId);
    const mayBeLate = kind === 'tool_call_update' && !OPEN.has(news.status);
    if (!mayBeLate || last?.turnId === turnId) this.#note(seq, turnId, news);
    else if (last === undefined) this.#noteEnd(seq, turnId, news);
    else if (last.isOver && news.title != null) this.#note(seq, turnId, news);
    else this.#noteEnd(seq, last.turnId, news);
  }

  /** Of some calls nobody hears but by what is asked about them. */
  onPermissionRequested(seq: number, event: EventOf<'permission.requested'>): void {
    const { toolCall } = requestOf(event);
    if (toolCall !== undefined) this.#note(seq, event.turnId, toolCall);
  }

  /** @returns updates that end what the agent has left open: nothing else in the protocol says so. */
  onTurnFinished({ turnId }: EventOf<'turn.finished'>): RawJson[] {
    const open = [...this.#calls].filter(([, call]) => call.turnId === turnId && !call.isOver);
    open.sort(([, a], [, b]) => a.firstSeq - b.firstSeq);
    return open.map(([toolCallId, { title }]) => {
      const name = title === '' ? undefined : title;
      const end = { sessionUpdate: 'tool_call_update', toolCallId, title: name, status: 'failed' };
      return rawObject(end);
    });
  }

  #note(seq: number, turnId: TurnId | undefined, news: ToolCallUpdate): void {
    const { toolCallId, title, status } = news;
    const last = this.#calls.get(toolCallId);
    const known = last?.turnId === turnId ? last : undefined;
    const isOver = OVER.has(status) || (known?.isOver === true && !OPEN.has(status));
    const { firstSeq = seq } = known ?? {};
    const call = { firstSeq, turnId, title: title ?? known?.title ?? '', isOver };
    if (known === undefined) this.#begin(toolCallId, call);
    else this.#calls.set(toolCallId, call);
  }

  /** News without an end tells nothing of a call that is not known, nor of one of another turn. */
  #noteEnd(seq: number, turnId: TurnId | undefined, news: ToolCallUpdate): void {
    if (OVER.has(news.status)) this.#note(seq, turnId, news);
  }

  #begin(toolCallId: string, call: KnownCall): void {
    this.#calls.delete(toolCallId);
    this.#calls.set(toolCallId, call);
    if (this.#calls.size <= CALLS_MAX) return;
    for (const oldest of this.#calls.keys()) {
      this.#calls.delete(oldest);
      return;
    }
  }
}
