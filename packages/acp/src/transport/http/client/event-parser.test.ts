import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventParser } from './event-parser.ts';

/** What a stream brought in all. */
interface Read {
  readonly frames: string[];
  readonly lastId: string | undefined;
  readonly hasComment: boolean;
}

/** The lines of one block, or a part of one. */
const line = fc.oneof(
  fc.constantFrom('id: 7', 'id: c1.0.12~3', 'id:8', 'id: ', 'id', 'id: a\0b'),
  fc.constantFrom('data: {"a":1}', 'data:x', 'data: ', 'data', 'data:  two', 'data: "ü😀"'),
  fc.constantFrom(': hi', ':', 'event: e', 'retry: 5', 'unknown: x', '\uFEFFid: 1', 'i', ' id: 1'),
);
const block = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(['id: 1', 'data: {"n":1}'], ['id: 2', 'data: {"n":2}']) },
  { weight: 2, arbitrary: fc.array(line, { maxLength: 5 }) },
);
const lineEnd = fc.oneof(
  { weight: 4, arbitrary: fc.constant('\n') },
  { weight: 1, arbitrary: fc.constantFrom('\r\n', '\r') },
);
const stream = fc
  .array(fc.tuple(block, lineEnd), { maxLength: 12 })
  .map((blocks) => blocks.map(([lines, end]) => [...lines, ''].join(end) + end).join(''));

describe('the parser of event streams', () => {
  it('gives what the grammar says, however the text is cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (text, places) => {
        expect(readBy(text, places)).toEqual(readByGrammar(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('tells of each piece what it brought, and the id of its last whole event', () => {
    const parser = new EventParser(1000);
    expect(parser.feed('id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\nda')).toEqual({
      frames: ['a', 'b'],
      lastId: '2',
      hasComment: false,
      end: undefined,
    });
    expect(parser.feed('ta: c\n').frames).toEqual([]);
    expect(parser.feed('\nid: 4\ndata: d\n\n')).toMatchObject({ frames: ['c', 'd'], lastId: '4' });
    expect(parser.feed(': closed\n\n')).toMatchObject({ hasComment: true, end: 'closed' });
  });

  it('puts the lines of an event on one line, and leaves out an event without data', () => {
    const parser = new EventParser(1000);
    const { frames, lastId } = parser.feed('data: {\ndata: }\n\nid: 9\ndata: \n\n');
    expect(frames).toEqual(['{ }']);
    expect(lastId).toBe('9');
  });

  it('refuses a message that is over the limit before its end has come', () => {
    const parser = new EventParser(1000);
    parser.feed(`id: 1\ndata: short\n\nid: 2\ndata: ${'x'.repeat(1500)}`);
    expect(() => parser.feed('x'.repeat(1500))).toThrow('too_large');
  });
});

function readBy(text: string, places: readonly number[]): Read {
  const parser = new EventParser(1_000_000);
  const cuts = [0, ...places.toSorted((a, b) => a - b), text.length];
  const frames: string[] = [];
  let lastId: string | undefined;
  let hasComment = false;
  for (let i = 1; i < cuts.length; i++) {
    const parsed = parser.feed(text.slice(cuts[i - 1], cuts[i]));
    frames.push(...parsed.frames);
    lastId = parsed.lastId ?? lastId;
    hasComment ||= parsed.hasComment;
  }
  return { frames, lastId, hasComment };
}

/** By a parser that knows nothing else. */
function readByGrammar(text: string): Read {
  const frames: string[] = [];
  let lastId: string | undefined;
  let hasComment = false;
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (data !== '') frames.push(data.replaceAll('\n', ' '));
      lastId = id ?? lastId;
    },
    onComment: () => (hasComment = true),
  });
  parser.feed(text);
  return { frames, lastId, hasComment };
}
