import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpStage } from '../../../../../../tests/support/http/http-stage.ts';

const HEAD = 'POST /acp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('the body of a request', () => {
  let stage: HttpStage;
  let socket: Socket;

  beforeEach(async () => {
    stage = await HttpStage.start({ limits: { frameBytesMax: 1000 } });
    socket = createConnection(stage.port, '127.0.0.1');
  });

  afterEach(async () => {
    socket.destroy();
    await stage.dispose();
  });

  it('is refused before it comes when its length is announced to be over the limit', async () => {
    socket.write(`${HEAD}Content-Length: 10000000000\r\n\r\n`);
    expect(await beginning(socket)).toContain('HTTP/1.1 413 ');
  });

  it('is refused at the first byte over the limit when no length is announced', async () => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3e8\r\n${'x'.repeat(1000)}\r\n`);
    socket.write('1\r\nx\r\n');
    const text = await beginning(socket);
    expect(text).toContain('HTTP/1.1 413 ');
    // The client has not said that this was all, and still it is answered.
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('leaves the connection usable for a client that finishes what was refused', async () => {
    const body = 'x'.repeat(1001);
    socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(await beginning(socket)).toContain('HTTP/1.1 413 ');
    socket.write(`${HEAD}Content-Length: 1\r\n\r\n{`);
    expect(await beginning(socket)).toContain('HTTP/1.1 400 ');
  });

  it('is answered by an error for the id null when it is not UTF-8', async () => {
    socket.write(Buffer.from(`${HEAD}Content-Length: 3\r\n\r\n"\xff"`, 'latin1'));
    const text = await beginning(socket);
    expect(text).toContain('HTTP/1.1 400 ');
    expect(text).toContain('"id":null,"error":{"code":-32700');
  });

  it('is of no consequence when its client goes away in the midst of it', async () => {
    socket.write(`${HEAD}Content-Length: 500\r\n\r\n{"jsonrpc"`);
    const [request] = (await once(stage.server, 'request')) as [NodeJS.EventEmitter];
    socket.destroy();
    await new Promise((resolve) => request.on('close', resolve));
    expect(stage.endpoint.connectionCount).toBe(0);
    expect(stage.log).toEqual([]);
  });
});

/** What the server says next. */
async function beginning(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString('latin1');
}
