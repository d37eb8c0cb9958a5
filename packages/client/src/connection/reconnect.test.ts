import { WebSocketError } from '@signalbox/acp';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createClientKit,
  whenState,
  type ClientKit,
} from '../../../../tests/support/client/client-kit.ts';
import { settled } from '../../../../tests/support/client/settled.ts';
import { completeLimits } from '../limits.ts';
import { INITIALIZED, LogServer } from '../../../../tests/support/client/log-server.ts';
import { ScriptedLog } from '../../../../tests/support/client/scripted-log.ts';

let kit: ClientKit;

afterEach(async () => {
  await kit.client.close();
  // Nothing that was started is left.
  expect(kit.clock.timerCount).toBe(0);
});

function kinds(): string[] {
  return kit.states.map(({ kind }) => kind);
}

function refusing(...errors: readonly (Error | undefined)[]): LogServer {
  const server = new LogServer();
  server.refusals.push(...errors);
  return server;
}

function httpError(status: number): Error {
  return new WebSocketError('refused', `HTTP status ${status}`, { status });
}

const away = new Error('connection refused');

describe('a client', () => {
  test('connects at once and is online when the server has answered', async () => {
    kit = createClientKit();
    await kit.client.whenOnline();
    expect(kinds()).toEqual(['connecting', 'online']);
    expect(kit.server.heard).toEqual(['initialize']);
  });

  test('tries again with growing waits for as long as the server is away', async () => {
    kit = createClientKit({}, refusing(...Array<Error>(10).fill(away)));
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      const { retryAt, reason } = await whenState(kit, 'waiting');
      expect(reason).toBe(away);
      waits.push(retryAt - kit.clock.now());
      kit.clock.advance(retryAt - kit.clock.now());
    }
    await kit.client.whenOnline();
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000, 15_000]);
  });

  test('makes one attempt at a time', async () => {
    kit = createClientKit({}, refusing(away, away));
    await whenState(kit, 'waiting');
    for (let n = 0; n < 5; n++) kit.client.wake();
    kit.clock.advance(60_000);
    for (let n = 0; n < 5; n++) kit.client.wake();
    await whenState(kit, 'waiting');
    expect(kit.server.attempts).toHaveLength(2);
  });

  test.for([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [410, 'gone'],
  ] as const)(
    'gives up after status %i, says why, and tells everybody who waits',
    async ([status, code]) => {
      kit = createClientKit({}, refusing(away, httpError(status)));
      kit.dontWait();
      const waiting = kit.client.whenOnline();
      await expect(waiting).rejects.toMatchObject({ code });
      expect(kit.client.state).toMatchObject({ kind: 'failed', error: { code } });
      expect(kit.client.state).toHaveProperty(
        'error.message',
        expect.stringContaining(`${status}`),
      );
      await expect(kit.client.sessions.list()).rejects.toMatchObject({ code });
      kit.client.wake();
      kit.clock.advance(600_000);
      expect(kit.server.attempts).toHaveLength(2);
    },
  );

  test.for([
    ['another version', { ...INITIALIZED, protocolVersion: 99 }, 'protocol_version'],
    ['no logs', { protocolVersion: 1, agentCapabilities: {} }, 'not_supported'],
    ['nothing', null, 'protocol_version'],
  ] as const)('gives up on a server that speaks %s', async ([_, answer, code]) => {
    const server = new LogServer();
    server.answers.set('initialize', () => answer);
    kit = createClientKit({}, server);
    await expect(kit.client.whenOnline()).rejects.toMatchObject({ code });
    expect(server.connection.peer.isClosed).toBe(true);
  });

  test('backs off from a server that lets it in and drops it at once', async () => {
    kit = createClientKit();
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) {
      await whenState(kit, 'online');
      kit.server.connection.break();
      const { retryAt } = await whenState(kit, 'waiting');
      waits.push(retryAt - kit.clock.now());
      kit.clock.advance(retryAt - kit.clock.now());
    }
    expect(waits).toEqual([500, 1000, 2000, 4000]);
  });

  test('is back at once after a connection that had lasted', async () => {
    kit = createClientKit();
    await kit.client.whenOnline();
    kit.clock.advance(10_000);
    kit.server.connection.break();
    const { retryAt, attempt } = await whenState(kit, 'waiting');
    expect(attempt).toBe(1);
    expect(retryAt - kit.clock.now()).toBe(250);
  });

  test('does not try again what has no way out, until it is connected anew', async () => {
    const log = new ScriptedLog('one');
    const server = new LogServer();
    server.add(log);
    server.answers.set('session/set_mode', () => ({}));
    kit = createClientKit({}, server);
    kit.dontWait();
    const session = await kit.client.attach('one');
    server.connection.shut();
    await session.setMode('code');
    await session.close();
    expect(server.connections).toHaveLength(2);
    expect(server.count('session/set_mode one')).toBe(1);
  });

  test('gives up an attempt whose door does not open within 10 s, and closes what opens later', async () => {
    const server = new LogServer();
    const door = server.door();
    let open!: () => void;
    let signal: AbortSignal | undefined;
    const slow = {
      kind: door.kind,
      connect: async (given: AbortSignal) => {
        signal = given;
        await new Promise<void>((resolve) => (open = resolve));
        return door.connect(given);
      },
    };
    kit = createClientKit({}, server, [slow]);
    kit.clock.advance(10_000);
    const { reason } = await whenState(kit, 'waiting');
    expect(reason).toMatchObject({ code: 'timeout' });
    expect(signal?.aborted).toBe(true);
    open();
    await settled();
    await server.connection.peer.closed;
    expect(server.heard).toEqual([]);
  });

  test('gives up an attempt that is not answered within 30 s', async () => {
    const server = new LogServer();
    server.answers.set('initialize', () => new Promise(() => undefined));
    kit = createClientKit({}, server);
    await server.whenHeard('initialize');
    kit.clock.advance(30_000);
    const { reason } = await whenState(kit, 'waiting');
    expect(reason).toMatchObject({ code: 'timeout' });
    await server.connection.peer.closed;
  });

  test('finds out that a silent connection is dead, and makes another one (B148)', async () => {
    const server = new LogServer();
    server.answers.set('_signalbox/ping', () => new Promise(() => undefined));
    kit = createClientKit({}, server);
    await kit.client.whenOnline();
    kit.clock.advance(30_000);
    await server.whenHeard('_signalbox/ping');
    expect(kit.client.state.kind).toBe('online');
    kit.clock.advance(10_000);
    const { retryAt } = await whenState(kit, 'waiting');
    kit.clock.advance(retryAt - kit.clock.now());
    await kit.client.whenOnline();
    await server.connections[0]?.peer.closed;
    expect(server.connections).toHaveLength(2);
  });

  test('keeps a silent connection whose server answers, even if it knows no pings', async () => {
    const server = new LogServer();
    server.answers.delete('_signalbox/ping');
    kit = createClientKit({}, server);
    await kit.client.whenOnline();
    for (let n = 1; n <= 5; n++) {
      kit.clock.advance(30_000);
      await server.whenHeard('_signalbox/ping', n);
      await kit.client.sessions.list().catch(() => undefined);
    }
    expect(server.connections).toHaveLength(1);
  });

  test('that is woken finds a dead connection within two seconds (B178)', async () => {
    const server = new LogServer();
    server.answers.set('_signalbox/ping', () => new Promise(() => undefined));
    kit = createClientKit({}, server);
    await kit.client.whenOnline();
    kit.client.wake();
    kit.clock.advance(2000);
    await whenState(kit, 'waiting');
  });

  test('that is woken tries again without waiting longer, but not more often than each second', async () => {
    kit = createClientKit({}, refusing(...Array<Error>(8).fill(away)));
    for (let n = 0; n < 6; n++) {
      const { retryAt } = await whenState(kit, 'waiting');
      kit.clock.advance(retryAt - kit.clock.now());
    }
    const { retryAt } = await whenState(kit, 'waiting');
    expect(retryAt - kit.clock.now()).toBe(15_000);
    kit.client.wake();
    expect(await whenState(kit, 'waiting')).toMatchObject({ retryAt: kit.clock.now() + 1000 });
    kit.clock.advance(1000);
    await whenState(kit, 'waiting');
    kit.clock.advance(5000);
    kit.client.wake();
    expect(kit.client.state.kind).toBe('connecting');
    await kit.client.whenOnline();
  });

  test('that is closed while it connects leaves nothing behind', async () => {
    const server = new LogServer();
    const door = server.door();
    const signals: AbortSignal[] = [];
    const connect = (signal: AbortSignal): ReturnType<typeof door.connect> => {
      signals.push(signal);
      return door.connect(signal);
    };
    kit = createClientKit({}, server, [{ kind: 'websocket', connect }]);
    const waiting = kit.client.whenOnline();
    const closing = kit.client.close();
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await closing;
    await server.connections[0]?.peer.closed;
    expect(signals[0]?.aborted).toBe(true);
    expect(kinds()).toEqual(['connecting', 'closed']);
  });

  test('that is closed by a listener of its state makes no further attempt', async () => {
    kit = createClientKit({}, refusing(away));
    kit.client.subscribe(({ kind }) => {
      if (kind === 'waiting') void kit.client.close();
    });
    await whenState(kit, 'closed');
    kit.clock.advance(600_000);
    expect(kit.server.attempts).toHaveLength(1);
  });

  test('goes on when a listener of its state throws', async () => {
    kit = createClientKit();
    kit.client.subscribe(() => {
      throw new Error('oops');
    });
    await kit.client.whenOnline();
    expect(kit.lines).toContain("a listener of the connection's state failed: Error: oops");
  });
});

describe('a client with several doors', () => {
  test('polls where streams are held back, and asks for nothing before it knows that (B169)', async () => {
    const server = new LogServer();
    server.answers.set('_signalbox/ping', (_params, { door }) =>
      door === 'poll' ? {} : new Promise(() => undefined),
    );
    server.answers.set('session/new', () => ({ sessionId: 's' }));
    kit = createClientKit({}, server, [server.door('http'), server.door('poll')]);
    const made = kit.client.newSession({ cwd: '/' });
    for (let attempt = 1; attempt <= 2; attempt++) {
      await server.whenHeard('_signalbox/ping', attempt);
      kit.clock.advance(10_000);
      const { retryAt, reason } = await whenState(kit, 'waiting');
      expect(reason).toMatchObject({ code: 'timeout' });
      kit.clock.advance(retryAt - kit.clock.now());
    }
    expect(await made).toMatchObject({ sessionId: 's' });
    expect(server.attempts).toEqual(['http', 'http', 'poll']);
    expect(server.count('session/new')).toBe(1);
  });

  function threeDoors(server: LogServer) {
    return [server.door('websocket'), server.door('http'), server.door('poll')];
  }

  test('falls back from door to door, and remembers what worked', async () => {
    const server = refusing(away, away, away, away);
    kit = createClientKit({}, server, threeDoors(server));
    kit.dontWait();
    expect(await whenState(kit, 'online')).toMatchObject({ door: 'poll' });
    server.connection.break();
    await whenState(kit, 'connecting');
    await whenState(kit, 'online');
    expect(server.attempts).toEqual(['websocket', 'websocket', 'http', 'http', 'poll', 'poll']);
  });

  test('goes on to the next door when connections by one do not last (B169)', async () => {
    const server = new LogServer();
    kit = createClientKit({}, server, threeDoors(server));
    kit.dontWait();
    for (let n = 1; n <= 3; n++) {
      await whenState(kit, 'online', () => server.attempts.length === n);
      kit.clock.advance(5000);
      server.connection.break();
    }
    expect(await whenState(kit, 'online', () => server.attempts.length === 4)).toMatchObject({
      door: 'http',
    });
    expect(server.attempts).toEqual(['websocket', 'websocket', 'websocket', 'http']);
  });

  test('goes to the next door at once when one is refused', async () => {
    const server = refusing(httpError(404));
    kit = createClientKit({}, server, threeDoors(server));
    expect(await whenState(kit, 'online')).toMatchObject({ door: 'http' });
    expect(kinds()).toEqual(['connecting', 'connecting', 'online']);
  });

  test('goes back to a better door later, while the present one goes on working', async () => {
    const server = refusing(httpError(403), undefined, away);
    const limits = completeLimits({ reconnect: { betterDoorMs: 10_000 } });
    kit = createClientKit({ limits }, server, threeDoors(server));
    await kit.client.whenOnline();
    // The first time it still does not open.
    kit.clock.advance(10_000);
    await settled();
    let answer!: (value: object) => void;
    server.answers.set('_signalbox/session/list', () => new Promise((done) => (answer = done)));
    const listing = kit.client.sessions.list();
    await server.whenHeard('_signalbox/session/list');
    kit.clock.advance(10_000);
    await whenState(kit, 'online', ({ door }) => door === 'websocket');
    expect(server.attempts).toEqual(['websocket', 'http', 'websocket', 'websocket']);
    expect(kinds()).toEqual(['connecting', 'connecting', 'online', 'online']);
    expect(server.connections[0]?.peer.isClosed).toBe(false);
    answer({ sessions: [] });
    expect(await listing).toEqual({ sessions: [] });
    await server.connections[0]?.peer.closed;
  });

  test('closes the door that it has left when it is closed itself', async () => {
    const server = refusing(httpError(403));
    const limits = completeLimits({ reconnect: { betterDoorMs: 10_000 } });
    kit = createClientKit({ limits }, server, threeDoors(server));
    await kit.client.whenOnline();
    server.answers.set('session/new', () => new Promise(() => undefined));
    const making = kit.client.newSession({ cwd: '/project' });
    await server.whenHeard('session/new');
    kit.clock.advance(10_000);
    await whenState(kit, 'online', ({ door }) => door === 'websocket');
    const closing = kit.client.close();
    await expect(making).rejects.toMatchObject({ code: 'connection_lost' });
    await closing;
    await Promise.all(server.connections.map(({ peer }) => peer.closed));
    expect(server.connections).toHaveLength(2);
  });

  test('ends calls over the door that it has left when they take too long', async () => {
    const server = refusing(httpError(403));
    const limits = completeLimits({ reconnect: { betterDoorMs: 10_000, retireMs: 5000 } });
    kit = createClientKit({ limits }, server, threeDoors(server));
    await kit.client.whenOnline();
    const made = { sessionId: 'made' };
    const answers = [() => new Promise<object>(() => undefined), () => made];
    server.answers.set('session/new', () => answers.shift()?.());
    const making = kit.client.newSession({ cwd: '/project' });
    await server.whenHeard('session/new');
    kit.clock.advance(10_000);
    await whenState(kit, 'online', ({ door }) => door === 'websocket');
    kit.clock.advance(5000);
    await expect(making).rejects.toMatchObject({ code: 'connection_lost' });
    expect(await kit.client.newSession({ cwd: '/project' })).toEqual(made);
  });
});
