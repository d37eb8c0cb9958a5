import { isPeerError } from '@signalbox/acp';
import { afterEach, describe, expect, test } from 'vitest';
import { createClientKit, type ClientKit } from '../../../tests/support/client/client-kit.ts';
import { settled } from '../../../tests/support/client/settled.ts';
import { capabilitiesOf, type ClientRequestHandlers } from './agent-requests.ts';

let kit: ClientKit;

afterEach(() => kit.client.close());

async function connect(handlers: ClientRequestHandlers) {
  kit = createClientKit({ handlers });
  await kit.client.whenOnline();
  return kit.server.connection.peer;
}

const READ = { sessionId: 'one', path: '/a' };

describe('what agents ask of a client', () => {
  test.for(['fs/read_text_file', 'terminal/create', 'elicitation/create', 'unknown/method'])(
    '%s is declined unless it is handled',
    async (method) => {
      const peer = await connect({});
      await expect(peer.request(method, READ)).rejects.toMatchObject({ code: -32601 });
    },
  );

  test('is answered by its handler', async () => {
    const peer = await connect({
      'fs/read_text_file': ({ path }) => ({ content: `content of ${path}` }),
    });
    const { result } = await peer.request('fs/read_text_file', READ);
    expect(result).toEqual({ content: 'content of /a' });
    await expect(peer.request('fs/read_text_file', { path: 1 })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('leave for waits for the log, and is not declined', async () => {
    const peer = await connect({});
    const abort = new AbortController();
    let isAnswered = false;
    const asking = peer
      .request('session/request_permission', READ, { signal: abort.signal })
      .finally(() => (isAnswered = true));
    asking.catch(() => undefined);
    await settled();
    await settled();
    expect(isAnswered).toBe(false);
    abort.abort();
    await expect(asking).rejects.toMatchObject({ code: -32800 });
  });

  test('leave is still open when the connection ends', async () => {
    const peer = await connect({});
    const asking = peer.request('session/request_permission', READ);
    asking.catch(() => undefined);
    await settled();
    await kit.client.close();
    await expect(asking).rejects.toSatisfy((error) => isPeerError(error, 'closed'));
  });
});

describe('what is offered to agents', () => {
  const handle = (): never => {
    throw new Error('not in this test');
  };

  test('is nothing by itself, but that sessions are read from their logs', () => {
    expect(capabilitiesOf({}, {}, 'me')).toEqual({
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      _meta: { signalbox: { view: 'log', clientId: 'me' } },
    });
  });

  test('follows from the handlers, and from what else is said', () => {
    const terminal = {
      'terminal/create': handle,
      'terminal/output': handle,
      'terminal/wait_for_exit': handle,
      'terminal/kill': handle,
    };
    expect(capabilitiesOf(terminal, {}, 'me').terminal).toBe(false);
    const all = {
      ...terminal,
      'terminal/release': handle,
      'fs/read_text_file': handle,
      'elicitation/create': handle,
    };
    expect(capabilitiesOf(all, { _meta: { own: 1 } }, 'me')).toEqual({
      fs: { readTextFile: true, writeTextFile: false },
      terminal: true,
      elicitation: { form: {} },
      _meta: { own: 1, signalbox: { view: 'log', clientId: 'me' } },
    });
  });
});
