import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageParser } from './message-codec.ts';
import { parseMessage } from './message.ts';
import { UsualSpelling } from './usual-spelling.ts';

const idText = fc.constantFrom(
  '0',
  '1',
  '42',
  '007',
  '-1',
  '1.0',
  '1e2',
  '"1"',
  'null',
  '',
  '999999999999999',
  '9007199254740993',
);
const valueText = fc.oneof(
  fc.constantFrom('{}', '{ }', '[]', 'null', '5', '"a\\"}"', '', '{},"x":1', '{},"id":9', '{}}'),
  fc.json(),
);
const memberText = fc
  .tuple(fc.constantFrom('params', 'result', 'error'), valueText)
  .map(([key, value]) => `,"${key}":${value}`);
const methodText = fc.constantFrom('', ',"method":"a"', ',"method":"b"', ',"method":"\\u0061"');
const frame = fc
  .tuple(fc.constantFrom(' ', ''), idText, methodText, memberText, fc.constantFrom('', ' ', '}'))
  .map(([gap, id, method, member, end]) => {
    return `{"jsonrpc":"2.0",${gap}"id":${id}${method}${member}}${end}`;
  });

describe('decoding requests and responses in the usual spelling', () => {
  it('gives what decoding each frame alone gives, however it is spelled', () => {
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 10 }), (frames) => {
        const parser = new MessageParser();
        for (const text of frames) expect(parser.parse(text)).toEqual(parseMessage(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['a response', '{"jsonrpc":"2.0","id":7,"result":{"n":1.0}}'],
    ['a response that holds nothing', '{"jsonrpc":"2.0","id":0,"result":{}}'],
    ['a request', '{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":[1]}}'],
  ])('decodes the second one of %s itself', (_name, text) => {
    const usual = new UsualSpelling();
    usual.learn(parseMessage(text));
    expect(usual.read(text)).toEqual(parseMessage(text));
  });

  it.each([
    ['params that are no object', '{"jsonrpc":"2.0","id":1,"method":"m","params":5}'],
    ['a method that is another', '{"jsonrpc":"2.0","id":1,"method":"other","params":{}}'],
    ['a member behind the params', '{"jsonrpc":"2.0","id":1,"method":"m","params":{},"id":2}'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"m","params":{}}'],
    ['no params', '{"jsonrpc":"2.0","id":1,"method":"m"}'],
  ])('leaves %s alone', (_name, text) => {
    const usual = new UsualSpelling();
    usual.learn(parseMessage('{"jsonrpc":"2.0","id":0,"method":"m","params":{}}'));
    expect(usual.read(text)).toBeUndefined();
  });

  it('gives every result an object of its own', () => {
    const usual = new UsualSpelling();
    const text = '{"jsonrpc":"2.0","id":0,"result":{}}';
    const results = [usual.read(text), usual.read(text)].map((message) =>
      message?.kind === 'response' ? message.result : undefined,
    );
    expect(results[0]).not.toBe(results[1]);
  });
});
