import { PeerError, RpcError } from '@signalbox/acp';
import { expect, test } from 'vitest';
import { toPromptAnswer } from './prompt-answer.ts';

test.for([
  [new RpcError(-32603, 'failed'), { code: -32603, message: 'failed' }],
  [new RpcError(1001, 'failed', 'why'), { code: 1001, message: 'failed: why' }],
  [new RpcError(1, 'failed', { details: 'why' }), { code: 1, message: 'failed: why' }],
  [new RpcError(1, 'failed', { message: 'failed' }), { code: 1, message: 'failed' }],
  [new RpcError(1, 'failed', null), { code: 1, message: 'failed' }],
  [new PeerError('too_large', 'big'), { code: -32603, message: 'too_large: big' }],
  [new PeerError('invalid_response', 'odd'), { code: -32603, message: 'invalid_response: odd' }],
  [new TypeError('our bug'), { code: -32603, message: 'our bug' }],
] as const)('%s ends the turn with %j', ([error, answer]) => {
  expect(toPromptAnswer(error)).toEqual({ kind: 'error', ...answer });
});

test('a connection that has ended is told by the exit of the agent', () => {
  expect(toPromptAnswer(new PeerError('closed', 'gone'))).toBeUndefined();
});
