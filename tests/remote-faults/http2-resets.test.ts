import { connect, type ClientHttp2Session } from 'node:http2';
import { expect, it } from 'vitest';
import { Box } from '../server/box.ts';

const CANCEL = 8;

/** Opens streams and takes each back at once, until the server has had enough or there were so many. */
async function resetRapidly(session: ClientHttp2Session, count: number): Promise<void> {
  for (let n = 0; n < count && !session.destroyed; n++) {
    const stream = session.request({ ':path': '/acp', accept: 'text/event-stream' });
    stream.on('error', () => undefined);
    stream.close(CANCEL);
    if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

it('streams that are taken back as fast as they come leave nothing behind', async () => {
  const box = await Box.open();
  for (let round = 0; round < 3; round++) {
    const session = connect(box.url('/'));
    // The server may well end it.
    session.on('error', () => undefined);
    const closed = new Promise((resolve) => session.once('close', resolve));
    await new Promise((resolve) => session.once('connect', resolve));
    await resetRapidly(session, 3000);
    session.destroy();
    await closed;
  }
  expect((await box.ask('/health/ready')).status).toBe(200);
  const headers = await box.token();
  await expect
    .poll(async () => (await box.ask('/metrics', { headers })).text)
    // The one that asks.
    .toContain('signalbox_sockets_open 1\n');
  expect((await box.ask('/metrics', { headers })).text).toContain('signalbox_acp_streams_open 0\n');
});
