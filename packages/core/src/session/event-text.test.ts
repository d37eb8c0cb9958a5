import { RawJson } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import { agentStarted, asks, OPTIONS, prompt } from '../../../../tests/support/session/inputs.ts';
import {
  delicateRequest,
  delicateToolCall,
  delicateUnknown,
  DELICATE_VALUES,
} from '../../../../tests/support/session/raw-texts.ts';
import { runOf } from '../../../../tests/support/session/run.ts';
import type { CoreError } from '../core-error.ts';
import type { SessionEvent } from './event.ts';
import { decodeEvent, encodeEvent } from './event-text.ts';

function roundTrip<E extends SessionEvent>(event: E): E {
  return decodeEvent(encodeEvent(event)) as E;
}

describe('the text of an event', () => {
  test.for(DELICATE_VALUES)('keeps %s in an update exactly', (value) => {
    for (const update of [delicateToolCall('c', value), delicateUnknown(value)]) {
      const event = { type: 'update', time: 1, data: { v: 1, update } } as const;
      expect(roundTrip(event).data.update.text).toBe(update.text);
    }
  });

  test.for(DELICATE_VALUES)('keeps %s in the arguments of an action exactly', (value) => {
    const run = runOf(prompt(1), agentStarted(), asks('A1', OPTIONS, delicateRequest('c', value)));
    const event = run.log.at(-1);
    if (event?.type !== 'permission.requested') throw new Error('no request');
    const { data } = roundTrip(event);
    expect(data.toolCall.text).toBe(event.data.toolCall.text);
    expect(data.options.text).toBe(event.data.options.text);
    expect(data.action.rawInput?.text).toBe(value === 'null' ? undefined : value);
    expect(data.action).toEqual(event.data.action);
  });

  test.for(DELICATE_VALUES)(
    'keeps %s in a prompt and in what an agent said at its start',
    (value) => {
      const content = new RawJson(`[{"type":"text","text":"x","_meta":{"v":${value}}}]`);
      const by = { kind: 'host' } as const;
      const promptId = prompt(1).promptId;
      const data = { promptId, content, by };
      for (const type of ['turn.started', 'prompt.queued'] as const) {
        expect(roundTrip({ type, time: 1, data }).data.content.text).toBe(content.text);
      }
      const started = agentStarted().started;
      const session = new RawJson(`{"sessionId":"s","_meta":${value}}`);
      const event = { type: 'agent.started', time: 1, data: { ...started, session } } as const;
      expect(roundTrip(event).data.session.text).toBe(session.text);
    },
  );

  test('is one line, whatever an agent writes', () => {
    const end = { kind: 'failed', failure: 'agent_error', message: 'a\nb\r\u2028\ud800' } as const;
    const promptId = prompt(1).promptId;
    const text = encodeEvent({ type: 'turn.finished', time: 1, data: { promptId, end } });
    expect(text).not.toContain('\n');
    expect(text.isWellFormed()).toBe(true);
    expect(decodeEvent(text)).toMatchObject({ data: { end } });
  });

  test('is the same for an event that was read from it', () => {
    const run = runOf(prompt(1), agentStarted(), asks('A1'), prompt(2));
    for (const event of run.log) {
      const text = encodeEvent(event);
      expect(encodeEvent(decodeEvent(text))).toBe(text);
      expect(decodeEvent(text)).toEqual(event);
    }
  });

  test.for(['', '{', 'null', '5', '{}', '{"type":"update"}', '{"type":"update","data":null}'])(
    'that is %j is corrupt',
    (text) => {
      const read = () => decodeEvent(text);
      expect(read).toThrow(expect.objectContaining({ code: 'journal_corrupt' }) as CoreError);
    },
  );
});
