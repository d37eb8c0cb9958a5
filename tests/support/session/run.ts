import {
  INITIAL_STATE,
  reduce,
  step,
  type Effect,
  type SessionEvent,
  type SessionId,
  type SessionInput,
  type SessionSettings,
  type SessionState,
  type StepResult,
  type StoredEvent,
} from '@signalbox/core';
import { SETTINGS } from './inputs.ts';
import { findViolations } from './invariants.ts';

/** The first event of every log. */
export const CREATED: SessionEvent = {
  type: 'session.created',
  time: 1,
  data: { sessionId: 'S' as SessionId, cwd: '/work', agent: 'fake', command: ['fake'] },
};

/** A session without a host: inputs go in one by one, everything that comes out is kept. */
export class SessionRun {
  state: SessionState = reduce(INITIAL_STATE, CREATED);
  readonly log: SessionEvent[] = [CREATED];
  readonly effects: Effect[] = [];
  settings: SessionSettings;

  constructor(settings: Partial<SessionSettings> = {}) {
    this.settings = { ...SETTINGS, ...settings };
  }

  /** Decides an input and applies its events. Throws when an invariant of every step is broken. */
  feed(input: SessionInput): StepResult {
    const before = this.state;
    const { settings } = this;
    const result = step(before, input, settings);
    for (const event of result.events) this.state = reduce(this.state, event);
    this.log.push(...result.events);
    this.effects.push(...result.effects);
    const violations = findViolations({ before, input, settings, result, after: this.state });
    if (violations.length > 0) throw new Error(`${input.kind}: ${violations.join('; ')}`);
    return result;
  }

  /** Feeds several inputs. @returns what the last one led to. */
  feedAll(...inputs: readonly SessionInput[]): StepResult {
    let last: StepResult = { events: [], effects: [] };
    for (const input of inputs) last = this.feed(input);
    return last;
  }

  /** The log as a reader gets it. */
  stored(): StoredEvent[] {
    return this.log.map((event, index) => ({ seq: index + 1, event }));
  }
}

/** A run that has taken these inputs. */
export function runOf(...inputs: readonly SessionInput[]): SessionRun {
  const run = new SessionRun();
  run.feedAll(...inputs);
  return run;
}

/** Effects of one kind. */
export function effectsOf<K extends Effect['kind']>(
  { effects }: { readonly effects: readonly Effect[] },
  kind: K,
): Extract<Effect, { kind: K }>[] {
  return effects.filter((effect): effect is Extract<Effect, { kind: K }> => effect.kind === kind);
}

/** Events of one type. */
export function eventsOf<T extends SessionEvent['type']>(
  { events }: { readonly events: readonly SessionEvent[] },
  type: T,
): Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}
