import { expect, it } from 'vitest';
import { Box } from '../server/box.ts';
import { EventStream } from '../server/event-stream.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

it('answers that wait on too many streams come on the stream of the connection', async () => {
  const waitingStreamsMax = 3;
  const box = await Box.open({ httpLimits: { waitingStreamsMax } });
  const token = await box.token();
  const post = (message: object, more = {}) =>
    box.ask('/acp', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...token, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const params = { protocolVersion: 1, clientCapabilities: {} };
  const opened = await post({ id: 0, method: 'initialize', params });
  const connection = { 'acp-connection-id': String(opened.headers['acp-connection-id']) };
  for (let id = 1; id <= waitingStreamsMax + 2; id++) {
    const sessionId = `unknown-${id}`;
    const session = { ...connection, 'acp-session-id': sessionId };
    const prompt = { id, method: 'session/prompt', params: { sessionId, prompt: [] } };
    expect((await post(prompt, session)).status).toBe(202);
  }
  const stream = await EventStream.open(box.url('/acp'), { ...token, ...connection });
  await stream.until(() => stream.events.length === 2);
  const ids = stream.events.map(({ data }) => (JSON.parse(data) as { id: number }).id);
  expect(ids).toEqual([waitingStreamsMax + 1, waitingStreamsMax + 2]);
  stream.close();
});
