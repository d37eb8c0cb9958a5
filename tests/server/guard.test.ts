import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, UPGRADE, type Question } from './ask.ts';
import { Box } from './box.ts';

const ORIGIN = 'https://editor.example';

/** Every kind of route, with what a request to it is answered by when it is let in. */
const ROUTES: readonly (readonly [string, Question, number])[] = [
  ['/health/live', {}, 200],
  ['/health/ready', {}, 200],
  ['/metrics', {}, 200],
  ['/login', {}, 200],
  ['/login.js', {}, 200],
  ['/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }, 400],
  ['/', {}, 200],
  ['/app.js', {}, 200],
  ['/v1/sessions', {}, 200],
  ['/v1/sessions/none/events', { headers: { accept: 'text/event-stream' } }, 404],
  ['/acp', { headers: { accept: 'text/event-stream' } }, 400],
  ['/acp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }, 400],
  ['/acp', { method: 'DELETE' }, 400],
  ['/acp', { headers: UPGRADE }, 101],
  ['/acp', { method: 'PUT' }, 405],
  ['/nowhere', {}, 404],
  ['/%', {}, 400],
];

let page: string;
beforeAll(() => {
  page = mkdtempSync(join(tmpdir(), 'signalbox-page-'));
  writeFileSync(join(page, 'index.html'), '<!doctype html>');
  writeFileSync(join(page, 'app.js'), '');
});
afterAll(() => rmSync(page, { recursive: true }));

function openBox(): Promise<Box> {
  return Box.open({ page, hosts: ['box.example'], origins: [ORIGIN] });
}

function withHeaders(question: Question, headers: Record<string, string>): Question {
  return { ...question, headers: { ...question.headers, ...headers } };
}

describe('the Host header', () => {
  it('must name the server, on every route', async () => {
    const box = await openBox();
    const token = await box.token();
    for (const [path, question, status] of ROUTES) {
      const foreign = withHeaders(question, { ...token, host: `evil.test:${box.port}` });
      const refused = await box.ask(path, foreign);
      expect([path, refused.status, codeOf(refused)]).toEqual([path, 403, 'host_not_allowed']);
      const fine = await box.ask(path, withHeaders(question, token));
      expect([path, question.method, fine.status]).toEqual([path, question.method, status]);
    }
  });

  it.for([
    ['localhost:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['127.0.0.1:PORT', 200],
    ['[::1]:PORT', 200],
    ['box.example', 200],
    ['Box.Example:443', 200],
    ['localhost', 403],
    ['localhost:1', 403],
    ['evil.test', 403],
    ['127.0.0.1.evil.test:PORT', 403],
    ['0.0.0.0:PORT', 403],
    ['a b', 403],
  ] as const)('may be %s: %i', async ([host, status]) => {
    const box = await openBox();
    const headers = { host: host.replace('PORT', String(box.port)) };
    expect((await box.ask('/health/live', { headers })).status).toBe(status);
  });

  it('stands there once, and the target names no other one', async () => {
    const box = await openBox();
    const own = `127.0.0.1:${box.port}`;
    for (const [target, hosts, status] of [
      ['/health/live', [own], 200],
      ['/health/live', [own, 'evil.test'], 403],
      ['/health/live', ['evil.test', own], 403],
      [`http://${own}/health/live`, [own], 200],
      ['http://evil.test/health/live', [own], 403],
      ['http://evil.test?x', [own], 403],
    ] as const) {
      const fields = hosts.map((host) => `Host: ${host}\r\n`).join('');
      const socket = connectTcp(box.port, '127.0.0.1');
      socket.end(`GET ${target} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`);
      const answer = await readText(socket);
      expect([target, hosts, answer.slice(9, 12)]).toEqual([target, hosts, String(status)]);
    }
  });

  it('is the authority in HTTP/2, and both where both are sent', async () => {
    const box = await openBox();
    const session = connectHttp2(box.url('/'));
    const statusOf = async (headers: Record<string, string>): Promise<unknown> => {
      const stream = session.request({ ':path': '/health/live', ...headers });
      const [response] = (await once(stream, 'response')) as [Record<string, unknown>];
      stream.resume();
      return response[':status'];
    };
    const own = `localhost:${box.port}`;
    expect(await statusOf({ ':authority': own })).toBe(200);
    expect(await statusOf({ ':authority': `evil.test:${box.port}` })).toBe(403);
    expect(await statusOf({ ':authority': own, host: own })).toBe(200);
    expect(await statusOf({ ':authority': own, host: 'evil.test' })).toBe(403);
    session.close();
  });
});

describe('the Origin header', () => {
  it('must be one of the server’s own or a configured one, on every route', async () => {
    const box = await openBox();
    const token = await box.token();
    for (const origin of ['http://evil.test', 'null', `https://localhost:${box.port}`]) {
      for (const [path, question] of ROUTES) {
        const refused = await box.ask(path, withHeaders(question, { ...token, origin }));
        expect([path, refused.status, codeOf(refused)]).toEqual([path, 403, 'origin_not_allowed']);
        expect(refused.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    for (const origin of [`http://localhost:${box.port}`, `http://127.0.0.1:${box.port}`, ORIGIN]) {
      for (const [path, question, status] of ROUTES) {
        const fine = await box.ask(path, withHeaders(question, { ...token, origin }));
        expect([path, question.method, fine.status]).toEqual([path, question.method, status]);
      }
    }
  });

  it('gets the headers that scripts need, on errors too', async () => {
    const box = await openBox();
    const origin = ORIGIN;
    const token = await box.token();
    for (const [path, question] of ROUTES) {
      if (question.headers === UPGRADE) continue;
      for (const more of [{}, token]) {
        const { headers } = await box.ask(path, withHeaders(question, { ...more, origin }));
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-allow-credentials']).toBe('true');
        expect(headers['access-control-expose-headers']).toMatch(/Acp-Connection-Id/);
        expect(headers['access-control-expose-headers']).toMatch(/Acp-Session-Id/);
        expect(headers.vary).toBe('Origin');
      }
    }
    const refused = await box.ask('/v1/sessions?token=x', { headers: { origin } });
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
  });

  it('is asked about beforehand without any credential', async () => {
    const box = await openBox();
    const preflight = { origin: ORIGIN, 'access-control-request-method': 'DELETE' };
    for (const [path] of ROUTES.filter(([name]) => name !== '/%')) {
      const { status, headers } = await box.ask(path, { method: 'OPTIONS', headers: preflight });
      expect([path, status]).toEqual([path, 204]);
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
      for (const name of [
        'acp-connection-id',
        'acp-session-id',
        'acp-protocol-version',
        'acp-poll',
        'authorization',
        'content-type',
        'idempotency-key',
        'last-event-id',
      ]) {
        expect(allowed).toContain(name);
      }
    }
    const foreign = { ...preflight, origin: 'http://evil.test' };
    const refused = await box.ask('/acp', { method: 'OPTIONS', headers: foreign });
    expect(refused.status).toBe(403);
    expect(refused.headers['access-control-allow-methods']).toBeUndefined();
  });

  it('of https is the server’s own behind a proxy, under configured names', async () => {
    const box = await Box.open({ hosts: ['box.example'], proxies: ['127.0.0.1'] });
    for (const [origin, status] of [
      ['https://box.example', 200],
      ['https://other.example', 403],
    ] as const) {
      const headers = { host: 'box.example', origin };
      expect((await box.ask('/login', { headers })).status).toBe(status);
    }
    expect(box.server.urls).toEqual(['https://box.example/', `http://127.0.0.1:${box.port}/`]);
  });
});

describe('every answer', () => {
  it('tells browsers what they may not do with it', async () => {
    const box = await openBox();
    const token = await box.token();
    for (const [path, question] of ROUTES) {
      if (question.headers === UPGRADE) continue;
      const { headers } = await box.ask(path, withHeaders(question, token));
      expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
    }
  });

  it('names the methods that there are where another one was used', async () => {
    const box = await openBox();
    for (const [path, allow] of [
      ['/health/live', 'GET, HEAD, OPTIONS'],
      ['/metrics', 'GET, OPTIONS'],
      ['/login', 'GET, POST, OPTIONS'],
      ['/logout', 'POST, OPTIONS'],
      ['/v1/sessions', 'GET, OPTIONS'],
      ['/v1/sessions/x', 'GET, OPTIONS'],
      ['/v1/sessions/x/events', 'GET, OPTIONS'],
      ['/v1/auth/login-codes', 'POST, OPTIONS'],
      ['/acp', 'GET, POST, DELETE, OPTIONS'],
      ['/acp/agents/x', 'GET, POST, DELETE, OPTIONS'],
      ['/', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await box.ask(path, { method: 'PATCH', body: 'x' });
      expect([path, answer.status, answer.headers.allow]).toEqual([path, 405, allow]);
      expect(codeOf(answer)).toBe('method_not_allowed');
    }
  });
});
