import { RpcError, WebSocketError } from '@signalbox/acp';
import { describe, expect, test } from 'vitest';
import { ClientError } from '../client-error.ts';
import type { DoorKind } from './door.ts';
import { judgeFailure, RETRY_AFTER_MS_MAX } from './verdict.ts';

function refusedWith(status: number, retryAfterMs?: number): Error {
  const details = retryAfterMs === undefined ? { status } : { status, retryAfterMs };
  return new WebSocketError('refused', 'refused', details);
}

describe('a failed attempt', () => {
  test.for([
    [401, 'http', 'permanent', 'unauthorized'],
    [401, 'websocket', 'permanent', 'unauthorized'],
    [403, 'http', 'permanent', 'forbidden'],
    [404, 'poll', 'permanent', 'not_found'],
    [410, 'http', 'permanent', 'gone'],
    [403, 'websocket', 'refused', 'forbidden'],
    [404, 'websocket', 'refused', 'not_found'],
    [426, 'websocket', 'refused', 'not_supported'],
    [405, 'http', 'refused', 'not_supported'],
    [501, 'http', 'refused', 'not_supported'],
  ] as const)('with status %i at %s is %s: %s', ([status, door, kind, code]) => {
    expect(judgeFailure(refusedWith(status), door)).toMatchObject({ kind, error: { code } });
  });

  test.for([408, 425, 429, 500, 502, 503, 504])('with status %i may pass', (status) => {
    for (const door of ['websocket', 'http', 'poll'] satisfies DoorKind[]) {
      expect(judgeFailure(refusedWith(status), door).kind).toBe('transient');
    }
  });

  test('is judged by the status behind it', () => {
    const error = new Error('the connection ended', { cause: refusedWith(401) });
    const outer = new ClientError('unreachable', 'ended early', { cause: error });
    expect(judgeFailure(outer, 'http').kind).toBe('permanent');
  });

  test('waits as long as the server asks, within reason', () => {
    expect(judgeFailure(refusedWith(503, 7000), 'http')).toMatchObject({ retryAfterMs: 7000 });
    const long = judgeFailure(refusedWith(429, 1e9), 'http');
    expect(long).toMatchObject({ retryAfterMs: RETRY_AFTER_MS_MAX });
  });

  test('without a status may pass: the server is away, or a browser hides why', () => {
    expect(judgeFailure(new Error('ECONNREFUSED'), 'http').kind).toBe('transient');
    expect(judgeFailure('odd', 'http').kind).toBe('transient');
    const closed = new WebSocketError('unreachable', 'closed', { closeCode: 1006 });
    expect(judgeFailure(closed, 'websocket').kind).toBe('transient');
  });

  test('with an error of the server itself may pass: its agent may start later', () => {
    expect(judgeFailure(new RpcError(-32603, 'no agent'), 'http').kind).toBe('transient');
  });

  test('is permanent when the server is none of ours', () => {
    for (const code of ['protocol_version', 'not_supported'] as const) {
      const error = new ClientError(code, 'no');
      expect(judgeFailure(error, 'websocket')).toEqual({ kind: 'permanent', error });
    }
  });

  test('is a refusal of the door when no socket can be made at all', () => {
    const error = new WebSocketError('not_created', 'forbidden by the page');
    expect(judgeFailure(error, 'websocket').kind).toBe('refused');
  });
});
