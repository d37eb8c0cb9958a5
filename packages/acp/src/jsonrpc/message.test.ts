import { describe, expect, it } from 'vitest';
import { parseMessage, rawMember } from './message.ts';

const call = (id: string, rest = '"method":"m"'): string => `{"jsonrpc":"2.0","id":${id},${rest}}`;

describe('parseMessage', () => {
  it.each(['0', '-1', '""', '"1"', '2147483648', '9007199254740993', '1.0', '"\\u0031"', '-0'])(
    'keeps the exact text of the id %s',
    (id) => {
      expect(parseMessage(call(id))).toMatchObject({ kind: 'request', idText: id, method: 'm' });
    },
  );

  it.each(['null', '1.5', 'true', '{}', '[]', '1e400'])(
    'refuses a request with the id %s, to be answered with id null',
    (id) => {
      expect(parseMessage(call(id))).toMatchObject({
        kind: 'malformed',
        answer: { code: -32600, idText: 'null' },
      });
    },
  );

  it.each([
    ['not JSON', '{oops', -32700, 'null'],
    ['nothing', '', -32700, 'null'],
    ['a frame that is cut off', '{"jsonrpc":"2.0","id":1', -32700, 'null'],
    ['a number', '42', -32600, 'null'],
    ['null', 'null', -32600, 'null'],
    ['a string', '"x"', -32600, 'null'],
    ['a batch', `[${call('1')}]`, -32600, 'null'],
    ['an empty batch', '[]', -32600, 'null'],
    ['an object without anything', '{}', -32600, 'null'],
    ['an id alone', '{"jsonrpc":"2.0","id":5}', -32600, 'null'],
    ['a request without jsonrpc', '{"id":5,"method":"m"}', -32600, '5'],
    ['a request of another jsonrpc', '{"jsonrpc":"1.0","id":"a","method":"m"}', -32600, '"a"'],
    ['a method that is a number', call('7', '"method":5'), -32600, '7'],
    ['a method that is null', call('7', '"method":null'), -32600, '7'],
    ['params that are a number', call('7', '"method":"m","params":5'), -32600, '7'],
    ['params that are text', call('7', '"method":"m","params":"p"'), -32600, '7'],
  ])('says how to answer %s', (_name, text, code, idText) => {
    expect(parseMessage(text)).toMatchObject({ kind: 'malformed', answer: { code, idText }, text });
  });

  it.each([
    ['a notification without jsonrpc', '{"method":"m"}'],
    ['a notification whose params are a number', '{"jsonrpc":"2.0","method":"m","params":5}'],
    ['a response without jsonrpc', '{"id":1,"result":{}}'],
    ['a response of another jsonrpc', '{"jsonrpc":"1.0","id":1,"error":{}}'],
    ['a response with both', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}'],
  ])('never asks to answer %s', (_name, text) => {
    expect(parseMessage(text)).toMatchObject({ kind: 'malformed', answer: undefined });
  });

  it('says which request a broken response was meant for', () => {
    expect(parseMessage('{"id":1,"result":{}}')).toMatchObject({ responseId: 1 });
    expect(parseMessage('{"jsonrpc":"2.0","id":2,"result":{},"error":{}}')).toMatchObject({
      responseId: 2,
    });
  });

  it.each([
    ['params absent', '{"jsonrpc":"2.0","method":"m"}', undefined],
    ['params null', '{"jsonrpc":"2.0","method":"m","params":null}', null],
    ['params a list', '{"jsonrpc":"2.0","method":"m","params":[]}', []],
    ['unknown members', '{"jsonrpc":"2.0","method":"m","params":{"a":1},"x":1}', { a: 1 }],
  ])('takes a notification with %s', (_name, text, params) => {
    expect(parseMessage(text)).toEqual({ kind: 'notification', method: 'm', params, text });
  });

  it.each([
    ['a result', '"result":{"a":1}', { result: { a: 1 }, isError: false }],
    ['a null result', '"result":null', { result: null, isError: false }],
    ['a result and a null error', '"result":1,"error":null', { result: 1, isError: false }],
    ['an error', '"error":{"code":1}', { error: { code: 1 }, isError: true }],
    ['a null error alone', '"error":null', { isError: true }],
    ['an error and a null id', '"error":{"code":1},"id":null', { id: null, isError: true }],
  ])('takes a response with %s', (_name, rest, expected) => {
    expect(parseMessage(`{"jsonrpc":"2.0","id":3,${rest}}`)).toMatchObject({
      kind: 'response',
      ...expected,
    });
  });

  it('takes the last one of duplicate members, as JSON.parse does', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":1,"method":"a","method":"b","id":2}')).toMatchObject(
      {
        idText: '2',
        method: 'b',
      },
    );
  });
});

describe('rawMember', () => {
  it('gives the exact text, with digits and key order kept', () => {
    const message = parseMessage(
      call('1', '"method":"m","params":{"b":1.0,"a":12345678901234567890}'),
    );
    expect(rawMember(message, 'params')?.text).toBe('{"b":1.0,"a":12345678901234567890}');
    expect(rawMember(message, 'result')).toBeUndefined();
  });
});
