import type { RawJson, ToolCallUpdate } from '@signalbox/acp';
import type { EventOf, SessionEvent, TurnEnd } from './event.ts';
import type { PromptId } from './ids.ts';
import { knowPrompt, knowPromptEnd } from './known-prompts.ts';
import { requestOf } from './request-of.ts';
import { hear, holdFor, settlingOf } from './settling.ts';
import { beginTurn, noteLate, noteSpoken, noteToolCall, NOTHING_SPOKEN } from './spoken-ids.ts';
import type { SessionState } from './state.ts';
import { takenContentOf } from './taken-content.ts';
import { isToolCallOver, mergeToolCall } from './tool-call.ts';
import { updateOf } from './update-of.ts';

/** How a prompt ends that was dropped before its turn began. */
const DROPPED: TurnEnd = { kind: 'stopped', stopReason: 'cancelled' };

/** Tool calls of one turn that are kept for decisions; an agent that opens more is not followed. */
const OPEN_TOOL_CALLS_MAX = 256;

/** Applies one event of the log. The only thing that changes a session's state; pure. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.created': {
      const { sessionId, cwd, agent, command } = event.data;
      return { ...state, sessionId, cwd, agentName: agent, command };
    }
    case 'agent.started': {
      const { pid, startTime, agentSessionId, restoredBy, initialized } = event.data;
      const agent = { kind: 'running', pid, startTime, agentSessionId, restoredBy } as const;
      const takenContent = takenContentOf(initialized.value);
      const started = { ...state, agent, takenContent, lastAgentSessionId: agentSessionId };
      if (state.turn.kind !== 'running') return started;
      return { ...started, turn: { ...state.turn, hasStartedAgent: true } };
    }
    case 'agent.exited':
      return { ...state, agent: { kind: 'absent' }, settling: undefined, spoken: NOTHING_SPOKEN };
    case 'prompt.queued': {
      const { promptId, content, by } = event.data;
      const knownPrompts = knowPrompt(state.knownPrompts, promptId, content);
      return { ...state, knownPrompts, queue: [...state.queue, { promptId, content, by }] };
    }
    case 'prompt.held': {
      const { quietMs, endsAt } = event.data;
      return { ...state, settling: holdFor(state.settling, { quietMs, endsAt }) };
    }
    case 'prompt.dropped':
      return dropPrompt(state, event.data.promptId);
    case 'turn.started':
      return startTurn(state, event);
    case 'update':
      return reduceUpdate(state, event);
    case 'permission.requested':
      return addPermission(hear(state, event), event);
    case 'file.accessed':
      return hear(state, event);
    case 'terminal.started': {
      const runningTerminals = [...withoutTerminal(state, event), event.data.terminalId];
      return { ...hear(state, event), runningTerminals };
    }
    case 'terminal.exited':
      return { ...state, runningTerminals: withoutTerminal(state, event) };
    case 'permission.resolved':
      return removePermission(state, event);
    case 'turn.cancel_requested': {
      if (state.turn.kind !== 'running') return state;
      return { ...state, turn: { ...state.turn, cancel: event.data } };
    }
    case 'turn.finished':
      return finishTurn(state, event);
    default:
      // An event of a newer version: it stays in the log, and what it means is not known here.
      return state;
  }
}

/** Folds many events. */
export function reduceAll(state: SessionState, events: readonly SessionEvent[]): SessionState {
  return events.reduce(reduce, state);
}

function dropPrompt(state: SessionState, promptId: PromptId): SessionState {
  const queue = withoutPrompt(state, promptId);
  return {
    ...state,
    queue,
    settling: queue.length === 0 ? holdFor(state.settling) : state.settling,
    knownPrompts: knowPromptEnd(state.knownPrompts, promptId, DROPPED),
  };
}

function withoutPrompt(state: SessionState, promptId: string): SessionState['queue'] {
  return state.queue.filter((prompt) => prompt.promptId !== promptId);
}

function withoutTerminal(
  state: SessionState,
  { data }: EventOf<'terminal.started' | 'terminal.exited'>,
): SessionState['runningTerminals'] {
  return state.runningTerminals.filter((terminalId) => terminalId !== data.terminalId);
}

function startTurn(state: SessionState, event: EventOf<'turn.started'>): SessionState {
  const { promptId, content } = event.data;
  if (event.turnId === undefined) return state;
  return {
    ...state,
    queue: withoutPrompt(state, promptId),
    knownPrompts: knowPrompt(state.knownPrompts, promptId, content),
    toolCalls: new Map(),
    settling: undefined,
    spoken: beginTurn(state.spoken),
    turnCount: state.turnCount + 1,
    turn: {
      kind: 'running',
      turnId: event.turnId,
      promptId,
      content,
      startedAt: event.time,
      hasStartedAgent: false,
    },
  };
}

function finishTurn(state: SessionState, event: EventOf<'turn.finished'>): SessionState {
  if (event.turnId === undefined) return state;
  const { promptId, end } = event.data;
  return {
    ...state,
    turn: { kind: 'idle' },
    toolCalls: new Map(),
    lastTurn: { turnId: event.turnId, promptId, end },
    settling: settlingOf(state, event),
    knownPrompts: knowPromptEnd(state.knownPrompts, promptId, end),
  };
}

function addPermission(state: SessionState, event: EventOf<'permission.requested'>): SessionState {
  const { permissionId, action, deadline } = event.data;
  const { toolCall, options } = requestOf(event);
  const permissions = new Map(state.permissions);
  permissions.set(permissionId, {
    permissionId,
    turnId: event.turnId,
    action,
    options,
    deadline: deadline ?? event.time,
  });
  // The request is itself news about the tool call, sometimes the first (B72).
  const raw = event.data.toolCall;
  if (toolCall === undefined) return { ...state, permissions };
  const spoken = noteToolCall(state.spoken, toolCall.toolCallId);
  return { ...followToolCall(state, toolCall, raw), permissions, spoken };
}

function removePermission(
  state: SessionState,
  event: EventOf<'permission.resolved'>,
): SessionState {
  const { permissionId, withdrawal } = event.data;
  const permissions = new Map(state.permissions);
  permissions.delete(permissionId);
  const { turn } = state;
  if (withdrawal !== 'turn_cancelled' || turn.kind !== 'running') return { ...state, permissions };
  if (turn.cancel === undefined || turn.turnId !== event.turnId) return { ...state, permissions };
  const cancel = { ...turn.cancel, hasWithdrawn: true } as const;
  return { ...state, permissions, turn: { ...turn, cancel } };
}

function reduceUpdate(state: SessionState, event: EventOf<'update'>): SessionState {
  const update = updateOf(event);
  const heard = event.data.by === undefined ? hear(state, event) : state;
  if (update === undefined) return heard;
  const isLate = state.turn.kind === 'running' && event.turnId === undefined;
  if (isLate) return withSpoken(heard, noteLate(state.spoken, update));
  const noted = withSpoken(heard, noteSpoken(state.spoken, update));
  switch (update.sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update':
      return followToolCall(noted, update, event.data.update);
    case 'session_info_update':
      // One of the few updates in which null has a meaning of its own: the title is cleared.
      if (update.title === undefined) return noted;
      return { ...noted, title: update.title ?? undefined };
    default:
      return noted;
  }
}

/** Most updates name nothing new. */
function withSpoken(state: SessionState, spoken: SessionState['spoken']): SessionState {
  return spoken === state.spoken ? state : { ...state, spoken };
}

function followToolCall(state: SessionState, news: ToolCallUpdate, raw: RawJson): SessionState {
  const known = state.toolCalls.get(news.toolCallId);
  const merged = mergeToolCall(known, news, raw);
  if (isToolCallOver(merged.status)) {
    if (known === undefined) return state;
    const toolCalls = new Map(state.toolCalls);
    toolCalls.delete(news.toolCallId);
    return { ...state, toolCalls };
  }
  if (known === undefined && state.toolCalls.size >= OPEN_TOOL_CALLS_MAX) return state;
  return { ...state, toolCalls: new Map(state.toolCalls).set(news.toolCallId, merged) };
}
