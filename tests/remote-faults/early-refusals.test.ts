import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Box } from '../server/box.ts';
import { openRawDoor } from './raw-door.ts';

const MIB = 1024 * 1024;
const BAD_INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x"}}';

/** Sends a POST of 8 MiB, all of it, and gives the status and the beginning of what it is answered with. */
function postMuch(box: Box, headers: Record<string, string>): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(box.url('/acp'), {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('error', reject).on('response', (response) => {
      text(response).then((body) => resolve([response.statusCode ?? 0, body]), reject);
    });
    for (let part = 0; part < 8; part++) sent.write('x'.repeat(MIB));
    sent.end();
  });
}

describe('a refusal reaches a client that is still sending (B37)', () => {
  it('by WebSocket', async () => {
    const raw = await openRawDoor(await Box.open(), 'websocket');
    const answer = raw.ask(BAD_INITIALIZE);
    const more = `{"jsonrpc":"2.0","method":"_x/y","params":{"t":"${'x'.repeat(1000)}"}}`;
    for (let count = 0; count < 2000; count++) void raw.tell(more);
    expect(JSON.parse(await answer)).toMatchObject({ id: 1, error: { code: -32602 } });
    raw.close();
  });

  it.for([
    [401, 'unauthorized', { authorization: 'Bearer sbx_wrong' }],
    [403, 'host_not_allowed', { host: 'elsewhere.example' }],
    [415, 'unsupported_media_type', { 'content-type': 'text/plain' }],
    [400, '-32700', {}],
  ] as const)('by HTTP: %i %s', async ([status, code, headers]) => {
    const box = await Box.open();
    const [answered, body] = await postMuch(box, { ...(await box.token()), ...headers });
    expect([answered, body]).toEqual([status, expect.stringContaining(code)]);
  });
});
