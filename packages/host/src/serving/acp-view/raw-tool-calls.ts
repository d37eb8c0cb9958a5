import { memberText, RawJson, rawObject } from '@signalbox/acp';
import type { StoredEvent, ToolCallEntry, Transcript, TranscriptEntry } from '@signalbox/core';

/**
 * The exact texts of what agents said of their tool calls, merged as the transcript merges them: absent
 * and null change nothing, the last text of each member counts. Unknown members and `_meta` stay
 * (R-EXT-09).
 */
export class RawToolCalls {
  /** Where the last tool call with this id stands in the transcript. */
  readonly #positions = new Map<string, number>();
  readonly #members = new Map<number, Map<string, RawJson>>();

  /** Takes news in that the transcript has just folded. */
  take(transcript: Transcript, { seq }: StoredEvent, toolCallId: string, news: RawJson): void {
    const position = this.#positionOf(transcript, seq, toolCallId);
    if (position === undefined) return;
    const members = this.#members.get(position) ?? new Map<string, RawJson>();
    this.#members.set(position, members);
    const value = news.value as Record<string, unknown>;
    for (const key of Object.keys(value)) {
      if (value[key] === null || key === 'sessionUpdate') continue;
      const text = memberText(news.text, key);
      if (text === undefined) continue;
      const member = new RawJson(text);
      members.set(key, key === '_meta' ? mergeMeta(members.get(key), member) : member);
    }
  }

  /** A whole tool call as one update. What the agent left open and is over is told as failed. */
  toUpdate(entry: ToolCallEntry, position: number): RawJson {
    const { toolCallId, title, status } = entry;
    const members = Object.fromEntries(this.#members.get(position) ?? []);
    return rawObject({
      sessionUpdate: 'tool_call',
      toolCallId,
      title,
      ...members,
      status: status === 'interrupted' ? 'failed' : status,
    });
  }

  #positionOf(transcript: Transcript, seq: number, toolCallId: string): number | undefined {
    const { entries } = transcript;
    // One event makes a tool call and a permission at most.
    for (let position = entries.length - 1; position >= entries.length - 2; position--) {
      if (isNews(entries[position], seq, toolCallId)) this.#positions.set(toolCallId, position);
    }
    return this.#positions.get(toolCallId);
  }
}

function isNews(entry: TranscriptEntry | undefined, seq: number, toolCallId: string): boolean {
  return entry?.kind === 'tool_call' && entry.firstSeq === seq && entry.toolCallId === toolCallId;
}

/** Each side of a conversation has keys of its own there, told once. */
function mergeMeta(known: RawJson | undefined, news: RawJson): RawJson {
  const members: Record<string, unknown> = {};
  for (const meta of [known, news]) {
    if (meta === undefined || typeof meta.value !== 'object' || meta.value === null) continue;
    for (const key of Object.keys(meta.value)) {
      members[key] = new RawJson(memberText(meta.text, key) ?? 'null');
    }
  }
  return rawObject(members);
}
