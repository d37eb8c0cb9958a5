import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INITIALIZE, INITIALIZED } from '../../../../../../tests/support/http/frames.ts';
import { Http2Fetch } from '../../../../../../tests/support/http/http2-fetch.ts';
import { HttpStage, type Who } from '../../../../../../tests/support/http/http-stage.ts';
import { RawClient } from '../../../../../../tests/support/http/raw-client.ts';
import { requestFrame, resultFrame } from '../../../../../../tests/support/peers.ts';
import type { IncomingConnection } from '../../incoming-connection.ts';

/** So many levels of lists. */
function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

const PROBLEM = 'application/problem+json; charset=utf-8';

describe.each(['http1', 'h2c'] as const)('an endpoint over %s', (protocol) => {
  let stage: HttpStage;
  let http2: Http2Fetch | undefined;
  let client: RawClient;

  beforeEach(async () => {
    stage = await HttpStage.start({
      protocol,
      limits: { frameBytesMax: 1000, idLengthMax: 40, waitingStreamsMax: 2 },
      accept: answerInitialize,
    });
    http2 = protocol === 'h2c' ? new Http2Fetch(new URL(stage.url).origin) : undefined;
    client = new RawClient(stage.url, http2?.fetch);
  });

  afterEach(async () => {
    http2?.close();
    await stage.dispose();
  });

  it('answers initialize by 200 with the response and a new connection id (R-HTTP-06)', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => client.post(INITIALIZE)));
    const ids = responses.map(({ headers }) => headers.get('Acp-Connection-Id'));
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(await response.text()).toBe(INITIALIZED);
    }
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id !== null && id.length >= 32)).toBe(true);
    expect(stage.endpoint.connectionCount).toBe(3);
  });

  it('answers other messages at once by 202 without a body (R-HTTP-08)', async () => {
    const connection = await client.initialize();
    for (const body of [
      requestFrame(1, 'session/new', {}),
      '{"jsonrpc":"2.0","method":"_note"}',
      resultFrame(7, {}),
    ]) {
      const response = await client.post(body, connection);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });

  it.each([
    ['text/plain', 415],
    ['', 415],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('answers the content type "%s" by %i (R-HTTP-05)', async (type, status) => {
    const response = await client.request('POST', { 'Content-Type': type }, INITIALIZE);
    await response.text();
    expect(response.status).toBe(status);
  });

  it.each([
    ['what is not JSON', '{"jsonrpc":', -32700],
    ['an empty body', '', -32700],
    ['a batch', `[${INITIALIZE}]`, -32600],
    ['more than 256 levels', requestFrame(1, '_x', nested(256)), -32600],
    ['no object', '5', -32600],
    ['a request with the id null', '{"jsonrpc":"2.0","id":null,"method":"x"}', -32600],
  ])(
    'answers %s by 400 with an error for the id null (R-HTTP-20, B13, B15)',
    async (_, body, code) => {
      const response = await client.post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
      expect(stage.endpoint.connectionCount).toBe(0);
    },
  );

  it.each([
    ['POST without', 'POST', {}, 400, 'connection_id_missing'],
    ['POST with an unknown', 'POST', { 'Acp-Connection-Id': 'x' }, 404, 'connection_unknown'],
    ['GET without', 'GET', {}, 400, 'connection_id_missing'],
    ['GET with an unknown', 'GET', { 'Acp-Connection-Id': 'x' }, 404, 'connection_unknown'],
    ['DELETE without', 'DELETE', {}, 400, 'connection_id_missing'],
    ['DELETE with an unknown', 'DELETE', { 'Acp-Connection-Id': 'x' }, 404, 'connection_unknown'],
  ])(
    'answers %s connection id with its problem (R-HTTP-09)',
    async (_, method, ids, status, code) => {
      const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...ids };
      const body = method === 'POST' ? requestFrame(1, 'session/new', {}) : undefined;
      const response = await client.request(method, headers, body);
      expect(response.headers.get('Content-Type')).toBe(PROBLEM);
      expect(await response.json()).toMatchObject({
        status,
        code,
        type: `urn:signalbox:problem:${code}`,
      });
      expect(response.status).toBe(status);
    },
  );

  it('refuses initialize on an existing connection (R-HTTP-27)', async () => {
    const connection = await client.initialize();
    const response = await client.post(INITIALIZE, connection);
    expect(await response.json()).toMatchObject({ status: 400, code: 'already_initialized' });
  });

  it.each(['PUT', 'PATCH', 'OPTIONS'])('answers %s by 405 with what is allowed', async (method) => {
    const response = await client.request(method, {});
    await response.text();
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('POST, GET, DELETE');
  });

  it.each(['*/*', 'application/json', 'text/html, text/*', ''])(
    'answers a GET that accepts "%s" by 406 (R-HTTP-13, B140)',
    async (Accept) => {
      const connection = await client.initialize();
      const response = await client.request('GET', { Accept, ...connection });
      expect(await response.json()).toMatchObject({ status: 406, code: 'not_acceptable' });
    },
  );

  it.each([
    ['a method of a session without the header', 'session/prompt', { sessionId: 'a' }, undefined],
    ['any params of a session without the header', '_x/y', { sessionId: 'a' }, undefined],
    ['a method of a session that names none', 'session/cancel', {}, undefined],
    ['a header of another session', 'session/prompt', { sessionId: 'a' }, 'b'],
    ['a header of another session for any method', '_x/y', { sessionId: 'a' }, 'b'],
    ['a header that is too long', 'session/prompt', {}, 'x'.repeat(41)],
  ])('refuses %s before anything happens (R-HTTP-11, B153)', async (_, method, params, session) => {
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    const header = session === undefined ? {} : { 'Acp-Session-Id': session };
    const refused = await client.post(requestFrame(1, method, params), {
      ...connection,
      ...header,
    });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('Content-Type')).toBe(PROBLEM);
    await refused.text();
    await client.post('{"jsonrpc":"2.0","method":"_last"}', connection);
    for await (const frames of transport.receive()) {
      const text = JSON.stringify(frames);
      expect(text).not.toContain(method);
      if (text.includes('_last')) break;
    }
  });

  it('takes the session of an answer from the request (R-HTTP-10)', async () => {
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    void transport.send(requestFrame(5, 'session/request_permission', { sessionId: 'a' }));
    const answer = resultFrame(5, {});
    const without = await client.post(answer, connection);
    const wrong = await client.post(answer, { ...connection, 'Acp-Session-Id': 'b' });
    const right = await client.post(answer, { ...connection, 'Acp-Session-Id': 'a' });
    expect(await without.json()).toMatchObject({ status: 400, code: 'session_id_missing' });
    expect(await wrong.json()).toMatchObject({ status: 400, code: 'session_id_mismatch' });
    expect(right.status).toBe(202);
  });

  it('answers a body over the limit by 413, whether its length was announced or not', async () => {
    const body = JSON.stringify('x'.repeat(2000));
    const announced = await client.post(body);
    expect(await announced.json()).toMatchObject({ status: 413, code: 'body_too_large' });
    const exact = `${INITIALIZE}${' '.repeat(1000 - INITIALIZE.length)}`;
    expect((await client.post(exact)).status).toBe(200);
    expect((await client.post(`${exact} `)).status).toBe(413);
  });

  it('opens the stream of a session that it does not know yet, as many as may wait', async () => {
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    void transport.send(requestFrame(1, '_x', { sessionId: 'a' }));
    void transport.send(requestFrame(2, '_x', { sessionId: 'b' }));
    const refused = await client.get({ ...connection, 'Acp-Session-Id': 'c' });
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_streams' });
    const stream = await client.events({ ...connection, 'Acp-Session-Id': 'b' });
    // Now one of the two is read, and there is room for another one.
    const other = await client.events({ ...connection, 'Acp-Session-Id': 'c' });
    expect(stage.endpoint.openStreamCount).toBe(2);
    stream.cut();
    other.cut();
  });

  it('ends a connection by DELETE with 202, and knows it no more (R-HTTP-19)', async () => {
    const connection = await client.initialize();
    const { transport } = await stage.nextConnection();
    const stream = await client.events(connection);
    const deleted = await client.request('DELETE', connection);
    expect([deleted.status, await deleted.text()]).toEqual([202, '']);
    expect((await stream.rest()).at(-1)).toEqual({ comment: 'closed' });
    for await (const _ of transport.receive());
    expect((await client.get(connection)).status).toBe(404);
    expect((await client.post('{"jsonrpc":"2.0","method":"x"}', connection)).status).toBe(404);
    expect((await client.request('DELETE', connection)).status).toBe(404);
    expect(stage.endpoint.connectionCount).toBe(0);
  });

  it('knows a connection only for who opened it (B171)', async () => {
    const connection = await client.initialize({ who: 'ann' });
    const forged = { ...connection, who: 'bob' };
    const post = await client.post('{"jsonrpc":"2.0","method":"x"}', forged);
    const unknown = await client.post('{"jsonrpc":"2.0","method":"x"}', {
      'Acp-Connection-Id': '00000000-0000-0000-0000-000000000000',
    });
    expect(post.status).toBe(404);
    expect(await post.text()).toBe(await unknown.text());
    expect((await client.get(forged)).status).toBe(404);
    expect((await client.request('DELETE', forged)).status).toBe(404);
    expect((await client.post('{"jsonrpc":"2.0","method":"x"}', connection)).status).toBe(202);
  });

  it('sends no headers that only one of the protocols knows', async () => {
    const connection = await client.initialize();
    const stream = await client.events(connection);
    expect(stream.response.headers.get('Transfer-Encoding')).toBe(
      protocol === 'h2c' ? null : 'chunked',
    );
    if (protocol === 'h2c') expect(stream.response.headers.get('Connection')).toBeNull();
    stream.cut();
  });
});

function answerInitialize({ transport }: IncomingConnection<Who>): void {
  queueMicrotask(() => void transport.send(INITIALIZED));
}
