import { expect, it } from 'vitest';
import { METHODS } from '../../protocol/v1/methods.ts';
import { readEnvelope } from './envelope.ts';
import { isSessionScoped } from './session-methods.ts';
import { parseEventId, STREAM_START, toEventId } from './stream-position.ts';

it.each([
  [
    '{"jsonrpc":"2.0","id":7,"result":{"sessionId":"s"}}',
    { kind: 'response', idText: '7', isError: false },
  ],
  ['{"jsonrpc":"2.0","id":"a,b","error":{}}', { kind: 'response', idText: '"a,b"', isError: true }],
  [
    '{"jsonrpc":"2.0","id":"\\"x\\",\\"result\\":1","result":2}',
    { kind: 'response', idText: '"\\"x\\",\\"result\\":1"', isError: false },
  ],
  [
    '{"result":null,"id":9007199254740993,"jsonrpc":"2.0"}',
    { kind: 'response', idText: '9007199254740993', isError: false },
  ],
  ['{"id":1,"result":{},"error":null}', { kind: 'response', idText: '1', isError: false }],
  [
    '{"jsonrpc":"2.0","id":1,"method":"m","params":{"sessionId":"s"}}',
    { kind: 'request', idText: '1', method: 'm', sessionId: 's' },
  ],
  [
    '{"method":"m","params":{"sessionId":5},"id":"x"}',
    { kind: 'request', idText: '"x"', method: 'm' },
  ],
  ['{"method":"m","params":[]}', { kind: 'notification', method: 'm' }],
  ['{"method":"m","params":null}', { kind: 'notification', method: 'm' }],
  ['{"id":1}', { kind: 'other' }],
  ['[1]', { kind: 'other' }],
  ['null', { kind: 'other' }],
  ['not JSON', { kind: 'other' }],
])('the envelope of %s is read', (frame, envelope) => {
  expect(readEnvelope(frame)).toEqual(envelope);
});

it('every method of the protocol whose params name a session needs the header', () => {
  const scoped = Object.entries(METHODS).filter(
    ([, { side, sessionScoped }]) => side === 'agent' && sessionScoped,
  );
  expect(scoped.length).toBeGreaterThan(5);
  expect(scoped.map(([name]) => name).filter((name) => !isSessionScoped(name))).toEqual([]);
});

it('an event id is read as it was written, and nothing else is taken for one', () => {
  for (const position of [STREAM_START, { cursor: 'c1.0-_A', number: 12 }]) {
    expect(parseEventId(toEventId(position))).toEqual(position);
  }
  const others = ['', '~', 'c', '~01', '~1 ', 'c~1~2', `${'c'.repeat(513)}~1`, 'ü~1', 'a\nb~1'];
  expect(others.map(parseEventId).filter((position) => position !== undefined)).toEqual([]);
});
