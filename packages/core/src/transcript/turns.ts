import type { EventOf, TurnEnd } from '../session/event.ts';
import { toBlocks } from './blocks.ts';
import { closeMessage, placeOf, push, type Draft } from './draft.ts';
import { createEcho } from './echo.ts';
import { interruptToolCalls } from './tool-calls.ts';
import type { Interruption } from './tool-call-entry.ts';

/** A prompt waits for the turn under way. */
export function foldPromptQueued(draft: Draft, event: EventOf<'prompt.queued'>): void {
  const { promptId, content, by } = event.data;
  draft.queue = [...draft.queue, { promptId, content, by }];
}

/** A prompt that waited will not run. It stays visible, because somebody wrote it. */
export function foldPromptDropped(
  draft: Draft,
  seq: number,
  event: EventOf<'prompt.dropped'>,
): void {
  const { promptId, by } = event.data;
  const prompt = draft.queue.find((queued) => queued.promptId === promptId);
  if (prompt === undefined) return;
  draft.queue = draft.queue.filter((queued) => queued !== prompt);
  const blocks = toBlocks(prompt.content);
  const place = placeOf('prompt_dropped', { seq, event });
  const cut = prompt.cut === undefined ? {} : { cut: { blocks: prompt.cut } };
  push(draft, { ...place, kind: 'prompt_dropped', promptId, blocks, by, ...cut });
}

/** A turn begins with what the user said. */
export function foldTurnStarted(draft: Draft, seq: number, event: EventOf<'turn.started'>): void {
  const { turnId, time } = event;
  if (turnId === undefined) return;
  const { promptId, content, by } = event.data;
  const blocks = toBlocks(content);
  closeMessage(draft);
  draft.queue = draft.queue.filter((queued) => queued.promptId !== promptId);
  draft.turn = { kind: 'running', turnId, promptId, startedAt: time };
  draft.index.echo = createEcho(blocks);
  draft.index.turns.set(turnId, { from: draft.entries.length });
  const place = placeOf('user_message', { seq, event });
  push(draft, { ...place, kind: 'user_message', promptId, by, blocks });
}

/** What is still open is over for whoever looks; the agent may correct that until the turn's end. */
export function foldCancelRequested(
  draft: Draft,
  seq: number,
  event: EventOf<'turn.cancel_requested'>,
): void {
  if (draft.turn.kind !== 'running') return;
  const { by, graceEndsAt } = event.data;
  draft.turn = { ...draft.turn, cancel: { by, graceEndsAt } };
  interruptToolCalls(draft, seq, 'cancelled', draft.turn.turnId);
}

/** A turn ends, and nothing of it stays open. */
export function foldTurnFinished(draft: Draft, seq: number, event: EventOf<'turn.finished'>): void {
  const { turn } = draft;
  if (turn.kind !== 'running' || event.turnId !== turn.turnId) return;
  const { promptId, end } = event.data;
  const place = placeOf('turn_end', { seq, event });
  closeMessage(draft);
  interruptToolCalls(draft, seq, toInterruption(end), turn.turnId);
  const durationMs = event.time - turn.startedAt;
  const position = push(draft, { ...place, kind: 'turn_end', promptId, end, durationMs });
  const range = draft.index.turns.get(turn.turnId);
  if (range !== undefined) range.to = position;
  draft.index.echo = undefined;
  draft.turn = { kind: 'idle' };
}

function toInterruption(end: TurnEnd): Interruption {
  if (end.kind === 'stopped') return end.stopReason === 'cancelled' ? 'cancelled' : 'turn_ended';
  const isAgentGone = end.failure === 'agent_exited' || end.failure === 'interrupted';
  return isAgentGone ? 'agent_exited' : 'turn_ended';
}
