import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notificationText } from './encode-message.ts';
import { MessageParser, NotificationEncoder } from './message-codec.ts';
import { parseMessage, type NotificationMessage } from './message.ts';
import { RawJson } from './raw-json.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '\u0000', '€', '😀', '\uD800'),
});

/** Params as of streamed text, with the piece of text at several places and things around it. */
const params = fc.record({
  shape: fc.constantFrom(
    (piece: string) => ({ sessionId: 's"', update: { kind: 'chunk', content: { text: piece } } }),
    (piece: string) => ({ text: piece, n: 1.5, nested: { on: true, none: null }, id: '\\' }),
    (piece: string) => ({ nested: { text: piece }, list: [1] }),
    (piece: string) => ({ [piece]: 1 }),
    (piece: string) => [piece],
    (piece: string) => piece,
  ),
  piece: text,
});
/** Runs of one shape, as long as it takes to find a pattern, with other shapes between. */
const stream = fc
  .array(fc.tuple(params, fc.array(text, { minLength: 1, maxLength: 20 })), { maxLength: 4 })
  .map((runs) =>
    runs.flatMap(([{ shape, piece }, pieces]) =>
      [piece, ...pieces].map((each): unknown => shape(each)),
    ),
  );

describe('decoding a stream of notifications', () => {
  it('gives what decoding each frame alone gives, also for frames that are damaged', () => {
    const damage = fc.constantFrom('', '"', '\\', '\t', '","x":"', '{', '1');
    fc.assert(
      fc.property(
        stream,
        fc.infiniteStream(fc.tuple(damage, fc.nat(120), fc.nat(5))),
        (all, how) => {
          const parser = new MessageParser();
          for (const value of all) {
            const [inserted, at, chance] = how.next().value as [string, number, number];
            const frame = notificationText('m', value);
            const sent = chance > 0 ? frame : frame.slice(0, at) + inserted + frame.slice(at);
            expect(parser.parse(sent)).toEqual(parseMessage(sent));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives each message an object of its own', () => {
    const parser = new MessageParser();
    const updates = Array.from({ length: 50 }, (_, i) => {
      const frame = notificationText('m', { update: { content: { text: `piece ${i}` } } });
      const message = parser.parse(frame) as NotificationMessage;
      const { update } = message.params as { update: { content?: { text: string } } };
      const content = update.content;
      delete update.content;
      return content?.text;
    });
    expect(updates).toEqual(Array.from({ length: 50 }, (_, i) => `piece ${i}`));
  });

  it('gives what decoding each frame alone gives when one member of any kind varies', () => {
    const update = fc.oneof(
      fc.json(),
      fc.constantFrom('{"kind":"chunk"}', '{"a":1},"_meta":{}', '1,"update":2', ' 1 ', '"a"'),
    );
    const id = fc.constantFrom('"s"', '"s"', '"t"');
    fc.assert(
      fc.property(fc.array(fc.tuple(id, update), { maxLength: 60 }), (all) => {
        const parser = new MessageParser();
        for (const [sessionId, text] of all) {
          const params = `{"sessionId":${sessionId},"update":${text}}`;
          const frame = `{"jsonrpc":"2.0","method":"m","params":${params}}`;
          expect(parser.parse(frame)).toEqual(parseMessage(frame));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('still takes a request, a response and noise for what they are', () => {
    const parser = new MessageParser();
    for (let i = 0; i < 50; i++) parser.parse(notificationText('m', { text: `piece ${i}` }));
    expect(parser.parse('{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"a"}}').kind).toBe(
      'request',
    );
    expect(parser.parse('{"jsonrpc":"2.0","method":"m","params":{"text":"a"},"id":1}').kind).toBe(
      'request',
    );
    expect(parser.parse('{"jsonrpc":"2.0","method":"m","params":{"text":"a}}').kind).toBe(
      'malformed',
    );
    expect(parser.parse('{"jsonrpc":"2.0","method":"m","params":{"text":1}}')).toMatchObject({
      params: { text: 1 },
    });
  });
});

describe('encoding a stream of notifications', () => {
  it('gives what encoding each one alone gives', () => {
    fc.assert(
      fc.property(stream, (all) => {
        const encoder = new NotificationEncoder();
        for (const value of all)
          expect(encoder.encode('m', value)).toBe(notificationText('m', value));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[name: string, odd: unknown]>([
    ['another order of members', { b: 1, text: 't', a: 'x' }],
    ['a member more', { text: 't', a: 'x', b: 1, c: 1 }],
    ['a member less', { text: 't', a: 'x' }],
    ['an undefined member', { text: 't', a: 'x', b: undefined }],
    ['another value', { text: 't', a: 'y', b: 1 }],
    ['another type of value', { text: 't', a: 'x', b: '1' }],
    ['no string where the text was', { text: 5, a: 'x', b: 1 }],
    ['a toJSON member', { text: 't', a: 'x', b: 1, toJSON: () => 'custom' }],
    [
      'a hidden toJSON',
      Object.defineProperty({ text: 't', a: 'x', b: 1 }, 'toJSON', { value: () => 'custom' }),
    ],
    ['a prototype with members', Object.assign(Object.create({ b: 1 }), { text: 't', a: 'x' })],
    ['a boxed string', { text: Object('t') as unknown, a: 'x', b: 1 }],
    ['a list', ['t', 'x', 1]],
    ['raw JSON', new RawJson('{"text":"t","a":"x","b":1.0}')],
    ['null', null],
    ['nothing', undefined],
  ])('is not misled by %s', (_name, odd) => {
    const encoder = new NotificationEncoder();
    for (let i = 0; i < 50; i++) encoder.encode('m', { text: `piece ${i}`, a: 'x', b: 1 });
    expect(encoder.encode('m', odd)).toBe(notificationText('m', odd));
    expect(encoder.encode('n', { text: 't', a: 'x', b: 1 })).toBe(
      notificationText('n', { text: 't', a: 'x', b: 1 }),
    );
  });

  it('does not take the spelling of raw JSON over', () => {
    const encoder = new NotificationEncoder();
    for (let i = 0; i < 50; i++)
      encoder.encode('m', new RawJson(`{"text": "piece ${i}", "b": 1.0}`));
    expect(encoder.encode('m', { text: 't', b: 1 })).toBe(
      notificationText('m', { text: 't', b: 1 }),
    );
  });
});
