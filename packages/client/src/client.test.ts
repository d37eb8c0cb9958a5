import { RpcError, WebSocketError } from '@signalbox/acp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClientKit, type ClientKit } from '../../../tests/support/client/client-kit.ts';
import { settled } from '../../../tests/support/client/settled.ts';
import { LogServer } from '../../../tests/support/client/log-server.ts';

let kit: ClientKit;
let calls: (readonly [string, unknown])[];

beforeEach(() => {
  kit = createClientKit();
  kit.dontWait();
  calls = [];
});

afterEach(async () => {
  await kit.client.close();
  expect(kit.clock.timerCount).toBe(0);
});

/** Answers a method, and keeps what it was called with. */
function answer(method: string, result: unknown, server: LogServer = kit.server): void {
  server.answers.set(method, (params) => {
    calls.push([method, params]);
    return result;
  });
}

/** A server that cannot be reached so many times. */
function away(times: number): LogServer {
  const server = new LogServer();
  server.refusals.push(...Array<Error>(times).fill(new Error('connection refused')));
  return server;
}

describe('a client', () => {
  test('lists sessions by pages', async () => {
    answer('_signalbox/session/list', { sessions: [{ sessionId: 'one' }], next: 'n' });
    const wanted = { after: 'a', limit: 1, order: 'newest' } as const;
    const page = await kit.client.sessions.list({ ...wanted, prefix: 'o' });
    expect(page).toEqual({ sessions: [{ sessionId: 'one' }], next: 'n' });
    expect(calls[0]?.[1]).toEqual({ ...wanted, prefix: 'o' });
    answer('_signalbox/session/list', {});
    const list = kit.client.sessions.list();
    await expect(list).rejects.toMatchObject({ code: 'invalid_response' });
  });

  test('calls again over a new connection when doing it twice is harmless', async () => {
    kit.server.answers.set('_signalbox/session/list', () => {
      answer('_signalbox/session/list', { sessions: [] });
      kit.server.connection.break();
      return new Promise(() => undefined);
    });
    expect(await kit.client.sessions.list()).toEqual({ sessions: [] });
  });

  test('calls no more with what is too large for the server, and with all else (B145)', async () => {
    let count = 0;
    const whenBothCame = new Promise<void>((resolve) => {
      kit.server.answers.set('_signalbox/session/list', () => {
        if (++count === 2) resolve();
        if (count > 2) return { sessions: [] };
        return new Promise(() => undefined);
      });
    });
    // What has more bytes has fewer characters.
    const small = kit.client.sessions.list({ prefix: 'x'.repeat(150) });
    const large = kit.client.sessions.list({ prefix: '\u20ac'.repeat(100) });
    await whenBothCame;
    kit.server.connection.fail(new WebSocketError('closed', 'too large', { closeCode: 1009 }));
    await expect(large).rejects.toMatchObject({ code: 'too_large' });
    expect(await small).toEqual({ sessions: [] });
    expect(count).toBe(3);
  });

  test('makes a session', async () => {
    answer('session/new', { sessionId: 'new', modes: null });
    const made = await kit.client.newSession({ cwd: '/project' });
    expect(made).toEqual({ sessionId: 'new', modes: null });
    expect(calls[0]?.[1]).toEqual({ cwd: '/project', mcpServers: [] });
  });

  test('makes no second session when it does not know whether there is one', async () => {
    kit.server.answers.set('session/new', () => {
      kit.server.connection.break();
      return new Promise(() => undefined);
    });
    const making = kit.client.newSession({ cwd: '/project' });
    await expect(making).rejects.toMatchObject({ code: 'connection_lost' });
    expect(kit.server.count('session/new')).toBe(1);
  });

  test('makes a session with another agent at that one’s endpoint', async () => {
    const own = new LogServer();
    const other = new LogServer();
    const agents: (string | undefined)[] = [];
    const doorsTo = (agent: string | undefined) => {
      agents.push(agent);
      return [(agent === undefined ? own : other).door()];
    };
    kit = createClientKit({ agent: 'own', doorsTo }, own);
    answer('session/new', { sessionId: 'there' }, other);
    answer('session/new', { sessionId: 'here' });
    expect(await kit.client.newSession({ cwd: '/', agent: 'fake' })).toEqual({
      sessionId: 'there',
    });
    await other.connection.peer.closed;
    expect(await kit.client.newSession({ cwd: '/', agent: 'own' })).toEqual({ sessionId: 'here' });
    expect(agents).toEqual([undefined, 'fake']);
  });

  test('tells what the server says', async () => {
    const refusal = new RpcError(-32000, 'Authentication required', { failure: 'auth_required' });
    kit.server.answers.set('session/new', () => Promise.reject(refusal));
    await expect(kit.client.newSession({ cwd: '/' })).rejects.toMatchObject({
      code: -32000,
      message: 'Authentication required',
      data: { failure: 'auth_required' },
    });
  });

  test('deletes a session', async () => {
    answer('session/delete', {});
    await kit.client.deleteSession('one');
    expect(calls).toEqual([['session/delete', { sessionId: 'one' }]]);
  });

  test('restores a session from a context', async () => {
    answer('_signalbox/session/restore', { sessionId: 'again' });
    const snapshot = { format: 'x' };
    expect(await kit.client.restore(snapshot, { cwd: '/b', agent: 'other' })).toEqual({
      sessionId: 'again',
    });
    expect(calls[0]?.[1]).toEqual({ snapshot, cwd: '/b', agent: 'other' });
    answer('_signalbox/session/restore', {});
    await expect(kit.client.restore(snapshot)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  test('waits for the connection with its calls, and does not wait longer than it has to', async () => {
    const slow = createClientKit({}, away(5));
    answer('_signalbox/session/list', { sessions: [] }, slow.server);
    slow.dontWait();
    expect(await slow.client.sessions.list()).toEqual({ sessions: [] });
    await slow.client.close();
  });

  test('gives a call up when its time is over, and says why there was no connection', async () => {
    const alone = createClientKit({}, away(99));
    const list = alone.client.sessions.list();
    list.catch(() => undefined);
    for (let n = 0; n < 60; n++) {
      alone.clock.advance(1000);
      await settled();
    }
    await expect(list).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('connection refused') as unknown,
    });
    await alone.client.close();
  });

  test('gives a call up when the caller does', async () => {
    kit.server.answers.set('_signalbox/session/list', () => new Promise(() => undefined));
    const abort = new AbortController();
    const list = kit.client.sessions.list({ signal: abort.signal });
    await kit.server.whenHeard('_signalbox/session/list');
    abort.abort();
    await expect(list).rejects.toMatchObject({ code: 'aborted' });
  });

  test('that is closed refuses calls', async () => {
    await kit.client.close();
    await kit.client.close();
    await expect(kit.client.sessions.list()).rejects.toMatchObject({ code: 'closed' });
    const elsewhere = kit.client.newSession({ cwd: '/', agent: 'fake' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'closed' });
    expect(kit.client.state).toEqual({ kind: 'closed' });
  });

  test('says who it is', async () => {
    const server = new LogServer();
    answer('initialize', undefined, server);
    const named = createClientKit({}, server);
    await expect(named.client.whenOnline()).rejects.toThrow();
    expect(calls.at(-1)?.[1]).toMatchObject({
      protocolVersion: 1,
      clientInfo: { name: 'test', version: '1' },
      clientCapabilities: { _meta: { signalbox: { view: 'log' } } },
    });
    await named.client.close();
  });
});
