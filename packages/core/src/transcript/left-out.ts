import type { ToolCallUpdate } from '@signalbox/acp';
import type { TurnId } from '../session/ids.ts';
import { isToolCallOver } from '../session/tool-call.ts';

/** What has to be known of a tool call whose entry was left out, to tell news about it from a new call. */
export interface LeftOutCall {
  readonly firstSeq: number;
  readonly turnId?: TurnId;
  /** Whether it has ended by what its agent said; otherwise we had given it up. */
  readonly isOver: boolean;
}

/** What news may still come about, although its entry was left out. Internal. */
export interface LeftOut {
  /** Calls by tool call id, the oldest first; at most {@link LEFT_OUT_CALLS_MAX}. */
  readonly calls: Map<string, LeftOutCall>;
  /** Older calls were left out than `calls` knows. */
  readonly hasForgotten: boolean;
  /** Ids of compactions; at most {@link LEFT_OUT_COMPACTIONS_MAX}. */
  readonly compactions: Set<string>;
}

/** Tool calls without an entry that are known by their ids, so that news about them shows nothing. */
export const LEFT_OUT_CALLS_MAX = 1000;
/** The same for compactions. */
export const LEFT_OUT_COMPACTIONS_MAX = 100;

/** Nothing was left out. */
export function createLeftOut(): LeftOut {
  return { calls: new Map(), hasForgotten: false, compactions: new Set() };
}

/** Takes note of news about a call that is not shown: it may be the call's end. */
export function noteLeftOutCall(leftOut: LeftOut, call: LeftOutCall, news: ToolCallUpdate): void {
  if (call.isOver || news.status == null || !isToolCallOver(news.status)) return;
  leftOut.calls.set(news.toolCallId, { ...call, isOver: true });
}
