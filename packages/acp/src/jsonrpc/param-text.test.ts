import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageParser } from './message-codec.ts';
import { memberText } from './member-text.ts';
import type { NotificationMessage } from './message.ts';
import { paramText } from './param-text.ts';

/** Frames as agents send them, with one member that varies and is spelled in many ways. */
const frame = fc
  .tuple(
    fc.constantFrom(
      '{"n":1.0}',
      '{ "n" : 1 }',
      '[1, 2]',
      '"te\\"xt"',
      'null',
      '{"update":{"n":1}}',
    ),
    fc.constantFrom('', ' '),
    fc.constantFrom('"s"', '"\\u0073"', '"other"'),
    fc.constantFrom('', ',"n":1', ',"update":2', ',"o":{}'),
  )
  .map(([update, gap, id, more]) => {
    return `{"jsonrpc":"2.0","method":"m","params":{"sessionId":${id},"update":${gap}${update}${gap}${more}}}`;
  });
const stream = fc
  .array(fc.tuple(frame, fc.nat({ max: 12 })), { maxLength: 8 })
  .map((runs) => runs.flatMap(([text, count]) => Array.from({ length: count }, () => text)));

describe('the exact text of a param', () => {
  it('is the same whether the message was decoded by a pattern or not', () => {
    fc.assert(
      fc.property(stream, fc.constantFrom('update', 'sessionId', 'n', 'x'), (frames, key) => {
        const parser = new MessageParser();
        for (const text of frames) {
          const message = parser.parse(text) as NotificationMessage;
          const params = memberText(text, 'params') ?? '';
          expect(paramText(message, key)).toBe(memberText(params, key));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is that of the member within which something varies', () => {
    const parser = new MessageParser();
    for (let i = 0; i < 50; i++) {
      const update = `{"big":12345678901234567890,"content":{"text":"piece ${i}"}}`;
      const params = `{"sessionId":"s","update":${update}}`;
      const message = parser.parse(`{"jsonrpc":"2.0","method":"m","params":${params}}`);
      expect(paramText(message as NotificationMessage, 'update')).toBe(update);
    }
  });

  it('is undefined where the params are none, or no object', () => {
    const of = (params: string) =>
      paramText(new MessageParser().parse(`{"jsonrpc":"2.0","method":"m"${params}}`) as never, 'a');
    expect(of('')).toBeUndefined();
    expect(of(',"params":[{"a":1}]')).toBeUndefined();
    expect(of(',"params":{"b":{"a":1}}')).toBeUndefined();
  });
});
