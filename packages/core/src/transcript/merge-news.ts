import { memberText, type RawJson, type ToolCallUpdate } from '@signalbox/acp';
import { isToolCallOver, rawMemberOf, type ToolCallStatus } from '../session/tool-call.ts';
import { placeOf } from './draft.ts';
import type { StoredEvent } from './stored-event.ts';
import { cutWithout, type EntryCut } from './text-cut.ts';
import type { ToolCallEntry } from './tool-call-entry.ts';

/** A call of which nothing is known but its id. */
export function createToolCall(stored: StoredEvent, toolCallId: string): ToolCallEntry {
  return {
    ...placeOf('tool_call', stored),
    kind: 'tool_call',
    toolCallId,
    title: '',
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
  };
}

/**
 * Merges news into what is shown of a call: absent and null change nothing, given lists replace.
 *
 * @param isLive whether the call's turn still runs, so that a call we have given up may go on.
 */
export function mergeNews(
  known: ToolCallEntry,
  news: ToolCallUpdate,
  raw: RawJson,
  seq: number,
  isLive: boolean,
): ToolCallEntry {
  const { interruption, cut, ...rest } = known;
  const status = nextStatus(known.status, news.status, isLive);
  const name = news.name ?? known.name;
  const newInput = rawMemberOf(raw, 'rawInput', news.rawInput);
  const newOutput = rawMemberOf(raw, 'rawOutput', news.rawOutput);
  const rawInput = newInput ?? known.rawInput;
  const rawOutput = newOutput ?? known.rawOutput;
  const renewed: (keyof EntryCut)[] = [];
  if (news.content != null) renewed.push('content');
  if (newInput !== undefined) renewed.push('rawInput');
  if (newOutput !== undefined) renewed.push('rawOutput');
  return {
    ...rest,
    lastSeq: seq,
    title: news.title ?? known.title,
    toolKind: news.kind ?? unknownKind(raw) ?? known.toolKind,
    status,
    content: news.content ?? known.content,
    locations: news.locations ?? known.locations,
    ...(name === undefined ? {} : { name }),
    ...(rawInput === undefined ? {} : { rawInput }),
    ...(rawOutput === undefined ? {} : { rawOutput }),
    ...cutWithout(cut, renewed),
    ...(status === 'interrupted' && interruption !== undefined ? { interruption } : {}),
  };
}

/** A call that has ended does not go back; one that we have given up does only while its turn runs. */
function nextStatus(
  known: ToolCallEntry['status'],
  given: ToolCallStatus | null | undefined,
  isLive: boolean,
): ToolCallEntry['status'] {
  if (given == null) return known;
  if (isToolCallOver(given)) return given;
  if (known === 'interrupted') return isLive ? given : known;
  return isToolCallOver(known) ? known : given;
}

/** A kind that the protocol does not know is removed when news is checked; its text is still there. */
function unknownKind(raw: RawJson): string | undefined {
  const text = memberText(raw.text, 'kind');
  return text?.startsWith('"') === true ? (JSON.parse(text) as string) : undefined;
}
