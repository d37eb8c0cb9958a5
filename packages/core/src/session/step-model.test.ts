import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStory, tell } from '../../../../tests/support/session/any-story.ts';
import { eventsOf } from '../../../../tests/support/session/run.ts';
import { toTranscript } from '../transcript/fold.ts';
import type { SessionEvent } from './event.ts';
import { decodeEvent, encodeEvent } from './event-text.ts';
import { reduceAll } from './reduce.ts';
import { INITIAL_STATE } from './state.ts';

describe('a session, whatever happens', () => {
  test('starts and ends turns one after the other, each once', () => {
    fc.assert(
      fc.property(anyStory, (happenings) => {
        const { log } = tell(happenings);
        const ends = log.flatMap(({ type, turnId }) =>
          type === 'turn.started' || type === 'turn.finished' ? [`${type} ${turnId}`] : [],
        );
        const turns = eventsOf({ events: log }, 'turn.started').map(({ turnId }) => turnId);
        expect(new Set(turns).size).toBe(turns.length);
        const inOrder = turns.flatMap((turn) => [`turn.started ${turn}`, `turn.finished ${turn}`]);
        expect(ends).toEqual(inOrder);
      }),
      { numRuns: 500 },
    );
  });

  test('answers every permission request once, and no permission outlives its turn', () => {
    fc.assert(
      fc.property(anyStory, (happenings) => {
        const { log, effects } = tell(happenings);
        const open = new Map<string, string | undefined>();
        for (const event of log) {
          if (event.type === 'permission.requested') {
            open.set(event.data.permissionId, event.turnId);
          }
          if (event.type === 'permission.resolved') {
            expect(open.delete(event.data.permissionId)).toBe(true);
          }
          if (event.type === 'turn.finished')
            expect([...open.values()]).not.toContain(event.turnId);
        }
        const told = effects.flatMap((e) =>
          e.kind === 'answer_permission' ? [e.permissionId] : [],
        );
        expect(new Set(told).size).toBe(told.length);
      }),
      { numRuns: 500 },
    );
  });

  test('tells everybody who prompted what became of it, once', () => {
    fc.assert(
      fc.property(anyStory, (happenings) => {
        // After the host died nobody is there to be told.
        const { log, effects } = tell(happenings.filter(({ what }) => what !== 'host dies'));
        const told = effects.flatMap((e) =>
          e.kind === 'settle_prompt' || e.kind === 'refuse_prompt' ? [e.promptId] : [],
        );
        expect(new Set(told).size).toBe(told.length);
        const taken = log.flatMap((event) =>
          event.type === 'turn.started' || event.type === 'prompt.queued'
            ? [event.data.promptId]
            : [],
        );
        for (const promptId of taken) expect(told).toContain(promptId);
      }),
      { numRuns: 500 },
    );
  });

  test('starts nothing that had been queued before a cancel', () => {
    fc.assert(
      fc.property(anyStory, (happenings) => {
        const { log } = tell(happenings);
        const stopped = new Set<string>();
        const waiting = new Set<string>();
        for (const event of log) {
          if (event.type === 'prompt.queued') waiting.add(event.data.promptId);
          if (event.type === 'turn.cancel_requested' && event.data.by.kind === 'client') {
            for (const promptId of waiting) stopped.add(promptId);
          }
          if (event.type === 'prompt.dropped') {
            waiting.delete(event.data.promptId);
            stopped.add(event.data.promptId);
          }
          if (event.type === 'turn.started') {
            waiting.delete(event.data.promptId);
            expect(stopped).not.toContain(event.data.promptId);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('is the same when it is rebuilt from the text of its log, state and transcript', () => {
    fc.assert(
      fc.property(anyStory, (happenings) => {
        const run = tell(happenings);
        const texts = run.log.map(encodeEvent);
        const read = texts.map(decodeEvent);
        expect(reduceAll(INITIAL_STATE, read)).toEqual(run.state);
        const live = toTranscript(run.stored());
        const rebuilt = toTranscript(read.map((event, index) => ({ seq: index + 1, event })));
        expect(rebuilt).toEqual(live);
        expect(read.map(encodeEvent)).toEqual(texts);
        expect(read.flatMap(rawTexts)).toEqual(run.log.flatMap(rawTexts));
      }),
      { numRuns: 300 },
    );
  });

  test('shows no open tool call and no open request once all is at rest', () => {
    fc.assert(
      fc.property(anyStory, (happenings) => {
        const run = tell(happenings);
        for (const entry of toTranscript(run.stored()).entries) {
          if (entry.turnId === undefined) continue;
          if (entry.kind === 'tool_call') {
            expect(['pending', 'in_progress']).not.toContain(entry.status);
          }
          if (entry.kind === 'permission') expect(entry.outcome).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The texts in an event that are somebody else's. */
function rawTexts(event: SessionEvent): string[] {
  switch (event.type) {
    case 'update':
      return [event.data.update.text];
    case 'turn.started':
    case 'prompt.queued':
      return [event.data.content.text];
    case 'permission.requested': {
      const { toolCall, options, action } = event.data;
      return [toolCall.text, options.text, action.rawInput?.text ?? ''];
    }
    default:
      return [];
  }
}
