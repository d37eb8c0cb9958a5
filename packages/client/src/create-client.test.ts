import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SignalboxClient } from './client.ts';
import { createClient, createClientOn } from './create-client.ts';
import type { ClientOptions } from './options.ts';

const CLIENT = { url: 'http://127.0.0.1:4870', clientInfo: { name: 'test', version: '1' } };
const SECRET = 'sbx_secret';

const clients: SignalboxClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  vi.unstubAllGlobals();
});

/** A client whose requests and sockets are refused, with what it asked for. */
function createRefused(options: Partial<ClientOptions>, status = 401) {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const fetch = (url: string, { headers }: RequestInit): Promise<Response> => {
    asked.push({ url, headers: headers as Record<string, string> });
    return Promise.resolve(new Response('', { status }));
  };
  const log: string[] = [];
  const client = createClient({ ...CLIENT, fetch, log: (line) => log.push(line), ...options });
  clients.push(client);
  return { client, asked, log };
}

describe('the options of a client', () => {
  test.for([
    ['an address that is none', { url: 'box' }],
    ['a secret in the address', { url: `http://a?token=${SECRET}` }],
    ['no doors', { doors: [] }],
    ['an unknown door', { doors: ['window' as never] }],
    ['a token for a socket that sends none', { token: SECRET, doors: ['websocket'] }],
  ] as const)('may not have %s', ([_, options]) => {
    const create = (): SignalboxClient => createClient({ ...CLIENT, ...options });
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  test.for([
    { calls: { callMs: 0 } },
    { reconnect: { firstMs: 1.5 } },
    { liveness: { quietMs: Infinity } },
    { handshake: { openMs: -1 } },
    { events: { countMax: 2 ** 31 } },
  ])('may not have a limit like %o', (limits) => {
    expect(() => createClient({ ...CLIENT, limits })).toThrow(RangeError);
  });
});

describe('a token', () => {
  test('goes into a header and nowhere else (B170)', async () => {
    const { client, asked, log } = createRefused({ token: SECRET });
    await expect(client.whenOnline()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      url: 'http://127.0.0.1:4870/acp',
      headers: { Authorization: `Bearer ${SECRET}` },
    });
    expect(JSON.stringify([log, client.state])).not.toContain(SECRET);
  });

  test('is asked for anew for each attempt', async () => {
    const tokens = ['old', 'new'];
    const statuses = [503, 401];
    const asked: unknown[] = [];
    const client = createClient({
      ...CLIENT,
      doors: ['http'],
      token: () => tokens.shift() ?? 'none',
      random: () => 0,
      fetch: (_, { headers }) => {
        asked.push((headers as Record<string, string>)['Authorization']);
        return Promise.resolve(new Response('', { status: statuses.shift() ?? 500 }));
      },
    });
    clients.push(client);
    await expect(client.whenOnline()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(asked).toEqual(['Bearer old', 'Bearer new']);
  });
});

describe('a socket', () => {
  test('goes to the same endpoint, with who asks in its headers', async () => {
    const sockets: unknown[] = [];
    const createSocket = (...args: readonly unknown[]): never => {
      sockets.push(args.slice(0, 2));
      throw new Error('no sockets');
    };
    const { client } = createRefused({ token: SECRET, createSocket, agent: 'claude' });
    await expect(client.whenOnline()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(sockets).toEqual([
      ['ws://127.0.0.1:4870/acp/agents/claude', { Authorization: `Bearer ${SECRET}` }],
    ]);
  });

  test('of the platform is used where there is no token', async () => {
    const urls: string[] = [];
    vi.stubGlobal(
      'WebSocket',
      class {
        constructor(url: string) {
          urls.push(url);
          throw new Error('no sockets');
        }
      },
    );
    const { client } = createRefused({});
    await expect(client.whenOnline()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(urls).toEqual(['ws://127.0.0.1:4870/acp']);
  });

  test('takes the cookies of the server along, and keeps new ones', async () => {
    const kept: string[] = [];
    const cookies = {
      getCookieString: () => Promise.resolve('lb=a'),
      setCookie: (text: string) => Promise.resolve(kept.push(text)),
    };
    const seen: unknown[] = [];
    const client = createClientOn(
      { ...CLIENT, doors: ['websocket'] },
      {
        cookies,
        openSocket: (_, headers, onSetCookies) => {
          seen.push(headers);
          onSetCookies(['lb=b', 'other=1']);
          throw new Error('no sockets');
        },
      },
    );
    clients.push(client);
    await expect(client.whenOnline()).rejects.toMatchObject({ code: 'not_supported' });
    expect(seen).toEqual([{ Cookie: 'lb=a' }]);
    expect(kept).toEqual(['lb=b', 'other=1']);
  });
});
