import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RawJson } from '@signalbox/acp';
import { anyLog } from '../../../../tests/support/transcript/any-log.ts';
import { utf8Length } from '../text/utf8.ts';
import {
  CONTENT_MEMBERS,
  INLINE_BYTES_MIN,
  REF_DEPTH_MAX,
  REF_MEMBER,
  refOf,
  withReferences,
  type ContentRef,
} from './content-ref.ts';
import type { SessionEvent } from './event.ts';
import { decodeEvent, encodeEvent } from './event-text.ts';
import { stringAt } from './string-at.ts';

const LONG = 'é"'.repeat(INLINE_BYTES_MIN);
const digest = (text: string): string => `len:${text.length}`;
const options = { inlineBytesMax: INLINE_BYTES_MIN, digest };

/** The text of an update. */
function textOf(update: string): string {
  return encodeEvent({ type: 'update', time: 1, data: { v: 1, update: new RawJson(update) } });
}

function pointers(text: string): string[] {
  return withReferences(text, options).refs.map(({ pointer }) => pointer);
}

/** The value with what the references stand for in their places. */
function resolved(value: unknown, text: string): unknown {
  const ref = refOf(value);
  if (ref !== undefined) return stringAt(text, ref.pointer);
  if (Array.isArray(value)) return value.map((item) => resolved(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, resolved(member, text)]);
  return Object.fromEntries(members);
}

describe('references', () => {
  const long = fc.constantFrom(
    '',
    'x',
    LONG,
    `${LONG}😀\ud800\\`,
    'a'.repeat(INLINE_BYTES_MIN + 1),
  );
  const key = fc.constantFrom(...CONTENT_MEMBERS, 'id', 'a/b~', '', 'é"');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      long,
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }));

  test('stand exactly where long strings were, and lead back to them', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify({ type: 'x', data: { value, output: value } });
        const { text: short, refs } = withReferences(text, options);
        expect(resolved(JSON.parse(short), text)).toEqual(JSON.parse(text));
        for (const { pointer, bytes, digest: stated } of refs) {
          const found = stringAt(text, pointer) ?? '';
          expect([utf8Length(found), digest(found)]).toEqual([bytes, stated]);
          expect(bytes).toBeGreaterThan(INLINE_BYTES_MIN);
        }
        const literals = refs.map(({ pointer }) => JSON.stringify(stringAt(text, pointer)));
        const added = refs.map((ref) => JSON.stringify({ [REF_MEMBER]: ref }));
        const sum = (texts: string[]) => texts.join('').length;
        expect(short.length).toBe(text.length - sum(literals) + sum(added));
      }),
      { numRuns: 300 },
    );
  });

  test('leave all other text as it is', () => {
    const quoted = JSON.stringify(LONG);
    const text = textOf(
      `{"sessionUpdate":"tool_call_update", "toolCallId" : "c","rawInput":{"n":1.0,"n":-0, "cmd":${quoted}}}`,
    );
    const { text: short, refs } = withReferences(text, { ...options, seq: 7 });
    const ref = { seq: 7, pointer: '/data/update/rawInput/cmd', bytes: 768, digest: 'len:512' };
    expect(refs).toEqual([ref]);
    expect(short).toBe(text.replace(quoted, `{"$signalbox/ref":${JSON.stringify(ref)}}`));
    expect(decodeEvent(short)).toMatchObject({ type: 'update' });
  });

  test('are only made of what holds content', () => {
    const update = {
      sessionUpdate: LONG,
      toolCallId: LONG,
      title: LONG,
      kind: LONG,
      status: LONG,
      rawInput: { a: [LONG], id: LONG },
      rawOutput: LONG,
      locations: [{ path: LONG }],
      content: [
        { type: 'content', content: { type: 'text', text: LONG } },
        { type: 'content', content: { type: 'image', mimeType: LONG, data: LONG, uri: LONG } },
        { type: 'content', content: { type: 'resource', resource: { uri: LONG, blob: LONG } } },
        { type: 'diff', path: LONG, oldText: LONG, newText: LONG },
        { type: 'terminal', terminalId: LONG },
      ],
      entries: [{ content: LONG }],
    };
    expect(pointers(textOf(JSON.stringify(update)))).toEqual([
      '/data/update/rawInput/a/0',
      '/data/update/rawInput/id',
      '/data/update/rawOutput',
      '/data/update/content/0/content/text',
      '/data/update/content/1/content/data',
      '/data/update/content/2/content/resource/blob',
      '/data/update/content/3/oldText',
      '/data/update/content/3/newText',
    ]);
  });

  test('are not made of references again, nor of what is shorter than its pointer', () => {
    const key = 'k'.repeat(INLINE_BYTES_MIN * 2);
    const text = textOf(JSON.stringify({ rawInput: { [key]: 'x'.repeat(400), a: LONG } }));
    const once = withReferences(text, options);
    expect(once.refs.map(({ pointer }) => pointer)).toEqual(['/data/update/rawInput/a']);
    const longer = JSON.stringify({ data: { rawInput: { [REF_MEMBER]: { pointer: LONG } } } });
    expect(withReferences(longer, options)).toEqual({ text: longer, refs: [] });
    expect(withReferences(once.text, options)).toEqual({ text: once.text, refs: [] });
  });

  test('are made in a time that does not grow with the depth, nor with the keys, of many strings', () => {
    const many = Array.from({ length: 20_000 }, () => 'x'.repeat(INLINE_BYTES_MIN + 1)).join('","');
    const deep = `${'['.repeat(50_000)}"${many}"${']'.repeat(50_000)}`;
    const longKey = `{"${'k'.repeat(500_000)}":["${many}"]}`;
    for (const rawInput of [deep, longKey]) {
      // One after the other they would take many minutes.
      expect(pointers(textOf(`{"rawInput":${rawInput}}`))).toEqual([]);
    }
    const again = `{"rawInput":${'['.repeat(50_000)}{${'"a":"",'.repeat(200_000)}"a":""}${']'.repeat(50_000)}}`;
    const pointer = `/data/update/rawInput${'/0'.repeat(50_000)}/a`;
    expect(stringAt(textOf(again), pointer)).toBeUndefined();
  });

  test('lead as deep as they may', () => {
    const within = (depth: number): string =>
      textOf(
        `{"rawInput":${'['.repeat(depth)}${JSON.stringify(LONG.repeat(8))}${']'.repeat(depth)}}`,
      );
    const envelope = ['data', 'update', 'rawInput'].length;
    const [pointer = ''] = pointers(within(REF_DEPTH_MAX - envelope));
    expect(stringAt(within(REF_DEPTH_MAX - envelope), pointer)).toBe(LONG.repeat(8));
    expect(pointers(within(REF_DEPTH_MAX - envelope + 1))).toEqual([]);
  });

  test('are not made in an event that is short throughout', () => {
    fc.assert(
      fc.property(anyLog, ({ events }) => {
        for (const event of events) {
          const text = encodeEvent(event);
          const short = { ...options, inlineBytesMax: 1000 };
          expect(withReferences(text, short)).toEqual({ text, refs: [] });
        }
      }),
      { numRuns: 20 },
    );
  });

  test.for([0, 255, NaN, Infinity, 300.5])('cannot have the limit %d', (inlineBytesMax) => {
    const make = () => withReferences('{}', { inlineBytesMax, digest });
    expect(make).toThrow(expect.objectContaining({ code: 'limit_invalid' }));
  });

  const ref: ContentRef = { pointer: '/a', bytes: 1, digest: 'd' };
  test.for([
    [{ [REF_MEMBER]: ref }, ref],
    [{ [REF_MEMBER]: { ...ref, seq: 3 } }, { ...ref, seq: 3 }],
    [{ [REF_MEMBER]: { ...ref, pointer: 5 } }, undefined],
    [{ [REF_MEMBER]: { ...ref, seq: 'x' } }, undefined],
    [{ [REF_MEMBER]: { ...ref, bytes: 1.5 } }, undefined],
    [{ [REF_MEMBER]: { pointer: '/a', bytes: 1 } }, undefined],
    [{ [REF_MEMBER]: null }, undefined],
    [{}, undefined],
    [null, undefined],
    ['x', undefined],
  ] as const)('are told from other values: %j', ([value, expected]) => {
    expect(refOf(value)).toEqual(expected);
  });
});

describe('the string at a pointer', () => {
  const text =
    '{"a":{"b/c":["x","\\u00e9"],"~":"t"},"a~b":5,"":{"":"e"},"d":"1","d":"2","":{"":"f"}}';

  test.for([
    ['/a/b~1c/0', 'x'],
    ['/a/b~1c/1', 'é'],
    ['/a/~0', 't'],
    ['/d', '2'],
    ['//', 'f'],
    ['', undefined],
    ['/a', undefined],
    ['/a~0b', undefined],
    ['/a/b~1c/2', undefined],
    ['/a/b~1c/00', undefined],
    ['/a/b~1c/-1', undefined],
    ['a', undefined],
    ['/a/~2', undefined],
    ['/a/~', undefined],
    ['/constructor/name', undefined],
  ] as const)('%s is %s', ([pointer, expected]) => {
    expect(stringAt(text, pointer)).toBe(expected);
  });

  test('is the whole value where that is a string', () => {
    expect(stringAt('"x"', '')).toBe('x');
  });

  test('takes no more time for a long pointer into a deep value', () => {
    const deep = 100_000;
    const value = `${'['.repeat(deep)}"x"${']'.repeat(deep)}`;
    // Deeper than any reference leads, so it is not even looked for.
    expect(stringAt(value, '/0'.repeat(deep))).toBeUndefined();
  });
});

test('an event that was shortened is an event of the same kind', () => {
  const content = new RawJson(JSON.stringify([{ type: 'text', text: LONG }]));
  const event = { type: 'turn.started', time: 1, data: { content } } as unknown as SessionEvent;
  const short = decodeEvent(withReferences(encodeEvent(event), options).text);
  expect(short.type).toBe('turn.started');
});
