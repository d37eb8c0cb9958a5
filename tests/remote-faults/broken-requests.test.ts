import { describe, expect, it } from 'vitest';
import type { Door } from '../server/acp-client.ts';
import { Box } from '../server/box.ts';
import { INITIALIZE, openRawDoor, type RawDoor } from './raw-door.ts';

const DOORS: readonly Door[] = ['websocket', 'http'];

const METHODS = [
  ...['session/new', 'session/load', 'session/resume', 'session/prompt', 'session/set_mode'],
  ...['session/set_config_option', 'session/close', 'session/delete', 'authenticate'],
  ...['_signalbox/session/attach', '_signalbox/session/restore', '_x/y', 'no/such', 'initialize'],
];

function request(id: string, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

/** A connection that has been initialized. */
async function open(box: Box, door: Door): Promise<RawDoor> {
  const raw = await openRawDoor(box, door);
  await raw.ask(INITIALIZE);
  return raw;
}

/** That the connection works, and that nothing has come that nobody waits for. */
async function expectUsable(raw: RawDoor): Promise<void> {
  const text = request('"usable?"', 'session/list', '{}');
  expect(await raw.ask(text)).toBe('{"jsonrpc":"2.0","id":"usable?","result":{"sessions":[]}}');
}

describe.for(DOORS)('a request by %s', (door) => {
  it('is answered once with an error whatever its params are (B18)', async () => {
    const raw = await open(await Box.open(), door);
    for (const method of METHODS) {
      for (const params of ['5', '"x"', 'null', '[]', '[1]', 'true', '{}']) {
        const answer = JSON.parse(await raw.ask(request('7', method, params))) as object;
        const isProblem = 'status' in answer;
        expect(answer).toMatchObject(isProblem ? { status: 400 } : { id: 7, error: {} });
      }
    }
    await expectUsable(raw);
    raw.close();
  });

  it('under an id that is none is refused for the id null, and nothing begins (B15)', async () => {
    const box = await Box.open();
    const raw = await open(box, door);
    const params = JSON.stringify({ cwd: box.stage.folder, mcpServers: [] });
    for (const id of ['null', 'true', '1.5', '{}', '[]', '1e400']) {
      const answer = await raw.ask(request(id, 'session/new', params));
      expect(JSON.parse(answer)).toMatchObject({ id: null, error: { code: -32600 } });
      await expectUsable(raw);
    }
    raw.close();
  });

  it('is answered under its id exactly (B16)', async () => {
    const raw = await open(await Box.open(), door);
    for (const id of ['2147483648', '9007199254740993', '-1', '0', '""', '"\\u0031"']) {
      const answer = await raw.ask(request(id, 'session/list', '{}'));
      expect(answer).toBe(`{"jsonrpc":"2.0","id":${id},"result":{"sessions":[]}}`);
    }
    raw.close();
  });

  it('without an id is none, and is never answered (B10, B54)', async () => {
    const raw = await open(await Box.open(), door);
    for (const method of ['_vendor/changed', 'foo/bar', 'session/new', '$/cancel_request']) {
      for (const params of ['{}', '[]', '{"requestId":"usable?"}']) {
        await raw.tell(`{"jsonrpc":"2.0","method":"${method}","params":${params}}`);
      }
    }
    await raw.tell('{"jsonrpc":"2.0","id":999,"result":{}}');
    await expectUsable(raw);
    raw.close();
  });

  it('initialize is answered as its version says, and can be sent again when it is refused (B36)', async () => {
    const box = await Box.open();
    for (const version of ['"2024-11-05"', 'null', '-1', '1.5', '[]', '65536']) {
      const raw = await openRawDoor(box, door);
      const answer = await raw.ask(request('1', 'initialize', `{"protocolVersion":${version}}`));
      expect(JSON.parse(answer)).toMatchObject({
        id: 1,
        error: { code: -32602, message: expect.stringContaining('protocolVersion') as string },
      });
      expect(JSON.parse(await raw.ask(INITIALIZE))).toMatchObject({ id: 'init', result: {} });
      raw.close();
    }
    for (const version of [0, 2, 999]) {
      const raw = await openRawDoor(box, door);
      const answer = await raw.ask(request('1', 'initialize', `{"protocolVersion":${version}}`));
      expect(JSON.parse(answer)).toMatchObject({ result: { protocolVersion: 1 } });
      raw.close();
    }
  });
});
