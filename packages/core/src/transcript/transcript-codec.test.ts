import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RawJson } from '@signalbox/acp';
import { anyLog } from '../../../../tests/support/transcript/any-log.ts';
import { LogWriter } from '../../../../tests/support/transcript/log.ts';
import { DELICATE_VALUES } from '../../../../tests/support/session/raw-texts.ts';
import type { CoreError } from '../core-error.ts';
import { createTranscript, foldTranscript, toTranscript } from './fold.ts';
import { decodeTranscript, encodeTranscript } from './transcript-codec.ts';
import type { Transcript } from './transcript.ts';

/** What comes out at the other end of a connection. */
function sent(transcript: Transcript): Transcript {
  return decodeTranscript(asJson(transcript));
}

function asJson(transcript: Transcript): Record<string, unknown> {
  return JSON.parse(JSON.stringify(encodeTranscript(transcript))) as Record<string, unknown>;
}

const malformed = expect.objectContaining({ code: 'transcript_malformed' }) as CoreError;

describe('a transcript that was sent', () => {
  test('is the same, wherever in its log it is, and all that follows is folded alike', () => {
    fc.assert(
      fc.property(anyLog, ({ stored, transcript: whole }) => {
        const transcript = createTranscript();
        for (const [at, event] of stored.entries()) {
          const decoded = sent(transcript);
          expect(decoded).toEqual(transcript);
          for (const next of stored.slice(at)) foldTranscript(decoded, next);
          expect(decoded).toEqual(whole);
          foldTranscript(transcript, event);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('has the same JSON when it is sent on', () => {
    fc.assert(
      fc.property(anyLog, ({ transcript }) => {
        expect(encodeTranscript(sent(transcript))).toEqual(encodeTranscript(transcript));
      }),
    );
  });

  test.for(DELICATE_VALUES)('keeps %s exactly', (value) => {
    const log = new LogWriter().start('T');
    const content = new RawJson(`[{"type":"text","text":"x","_meta":{"v":${value}}}]`);
    log.update(
      `{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","rawInput":${value},"rawOutput":[${value}]}`,
    );
    log.update(`{"sessionUpdate":"quantum_update","state":${value}}`);
    log.queue('P-2', 'x');
    const [queued] = log.transcript.queue;
    const transcript = { ...log.transcript, queue: [{ ...queued!, content }] };
    const decoded = sent(transcript);
    expect(decoded.queue[0]?.content.text).toBe(content.text);
    expect(decoded.entries).toMatchObject([
      {},
      value === 'null' ? {} : { rawInput: { text: value }, rawOutput: { text: `[${value}]` } },
      { raw: { text: `{"sessionUpdate":"quantum_update","state":${value}}` } },
    ]);
  });

  test('does not change when the original goes on', () => {
    const log = new LogWriter().start('T').say('a').call('c');
    const encoded = encodeTranscript(log.transcript);
    const before = structuredClone(encoded);
    log.say('b').callUpdate('c', { status: 'completed' }).terminal('t').end();
    expect(encoded).toEqual(before);
  });

  test('has no member that is undefined', () => {
    const encoded = encodeTranscript(new LogWriter().start('T').say('a').transcript);
    expect(asJson(new LogWriter().start('T').say('a').transcript)).toStrictEqual(encoded);
  });
});

describe('what is no transcript of ours', () => {
  const log = new LogWriter().created().agentStarted().start('T', 'go').echo('g').say('a', 'id');
  log.call('c', { rawInput: { x: 1 } }).ask('A', { toolCallId: 'c', title: 'Run' });
  log.update({ sessionUpdate: 'odd' }).terminal('t').terminalEnded('t').queue('Q', 'x');
  const cost = { amount: 1, currency: 'USD' };
  log.update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost }).end().start('U').say('b');
  const good = asJson(log.transcript);

  test.for([undefined, null, 5, 'x', [], {}, { format: 'transcript/2' }])(
    '%j is refused',
    (value) => {
      expect(() => decodeTranscript(value)).toThrow(malformed);
    },
  );

  test('is refused with what is wrong and where', () => {
    const entries = [{ ...(good['entries'] as object[])[0], time: 'soon' }];
    expect(() => decodeTranscript({ ...good, entries })).toThrow(
      'this is not a transcript of the format transcript/1: /entries/0/time must be a number',
    );
  });

  test('is refused when anything in it is something else', () => {
    const leaves = leavesOf(good);
    expect(leaves.length).toBeGreaterThan(100);
    for (const path of leaves) {
      const changed = structuredClone(good);
      const holder = path.slice(0, -1).reduce<unknown>((value, key) => child(value, key), changed);
      (holder as Record<string, unknown>)[path.at(-1) ?? ''] = { odd: true };
      expect(() => decodeTranscript(changed), path.join('/')).toThrow(malformed);
    }
  });

  test('is refused when a member is not there that every transcript has', () => {
    const optional = ['usage', 'title', 'currentModeId', 'omitted'];
    for (const key of Object.keys(good).filter((name) => !optional.includes(name))) {
      const { [key]: _, ...rest } = good;
      expect(() => decodeTranscript(rest), key).toThrow(malformed);
    }
  });

  test.for([
    { echoed: 0, openMessage: 0 },
    { echoed: 0, openMessage: 99 },
    { echoed: 0, openMessage: 1.5 },
    { echoed: 99 },
    {},
  ])('is refused when what it is in the middle of is %j', (folding) => {
    expect(() => decodeTranscript({ ...good, folding })).toThrow(malformed);
  });

  test('is refused when a running turn has no prompt, or an idle one an echo', () => {
    const entries = (good['entries'] as { turnId?: string }[]).filter(
      ({ turnId }) => turnId !== 'U',
    );
    const folding = { echoed: 0 };
    expect(() => decodeTranscript({ ...good, entries, folding })).toThrow(malformed);
    expect(() => decodeTranscript({ ...good, turn: { kind: 'idle' }, folding })).toThrow(malformed);
  });

  test('is refused when an entry is there twice', () => {
    const entries = good['entries'] as object[];
    expect(() => decodeTranscript({ ...good, entries: [...entries, entries[0]] })).toThrow(
      malformed,
    );
  });
});

test('an empty transcript can be sent', () => {
  expect(sent(createTranscript())).toEqual(toTranscript([]));
});

/** The paths of all strings, numbers and booleans in a value. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [path];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

function child(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}
