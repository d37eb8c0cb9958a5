import { RawJson, STOP_REASONS } from '@signalbox/acp';
import type { Action } from '../policy/action.ts';
import {
  list,
  Misfit,
  number,
  object,
  oneOf,
  onlyTrue,
  optional,
  tagged,
  text,
  type Read,
} from '../shape/read.ts';
import type { Actor, TurnEnd } from './event.ts';
import type { PromptId } from './ids.ts';
import type { QueuedPrompt } from './state.ts';

/** JSON that is kept as its exact text. */
export const jsonText: Read<RawJson> = (value, path) => {
  const json = text()(value, path);
  try {
    return new RawJson(json, JSON.parse(json));
  } catch {
    throw new Misfit(path, 'must be the text of a JSON value');
  }
};

/** Who did something. */
export const actor: Read<Actor> = tagged<Actor>('kind', {
  client: object({ kind: oneOf('client'), name: text() }),
  policy: object({ kind: oneOf('policy'), rule: text() }),
  deadline: object({ kind: oneOf('deadline') }),
  agent: object({ kind: oneOf('agent') }),
  host: object({ kind: oneOf('host') }),
});

/** How a turn ended. */
export const turnEnd: Read<TurnEnd> = tagged<TurnEnd>('kind', {
  stopped: object<Extract<TurnEnd, { kind: 'stopped' }>>({
    kind: oneOf('stopped'),
    stopReason: oneOf(...STOP_REASONS),
    forced: optional(onlyTrue),
  }),
  failed: object<Extract<TurnEnd, { kind: 'failed' }>>({
    kind: oneOf('failed'),
    failure: oneOf(
      ...(['agent_start', 'agent_exited', 'agent_error', 'auth_required'] as const),
      ...(['invalid_response', 'turn_idle', 'interrupted'] as const),
    ),
    message: text(),
    code: optional(number()),
  }),
});

/** What an agent asked leave for. */
export const action: Read<Action> = object<Action>({
  kind: text(),
  title: text(),
  paths: list(text()),
  cwd: text(),
  rawInput: optional(jsonText),
});

/** A prompt that waits. */
export const queuedPrompt: Read<QueuedPrompt> = object<QueuedPrompt>({
  promptId: text<PromptId>(),
  content: jsonText,
  by: actor,
});
