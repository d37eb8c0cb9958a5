import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signIn, useBrowser, visit } from './browser.ts';
import { Served, type ServedOptions } from './served.ts';

useBrowser();

let other: Server;
let otherPort: number;

/** A web server with an empty page, at another port of this machine and under every name. */
beforeEach(async () => {
  other = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Another page</title>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  otherPort = (other.address() as AddressInfo).port;
});
afterEach(() => {
  other.closeAllConnections();
  other.close();
});

/** What the server has logged of a request. */
function toRequest(line: string): { readonly route?: string; readonly status?: number } {
  return JSON.parse(line) as { route?: string; status?: number };
}

/** What a page tries at a server, each with what came of it. */
async function attack(
  page: Page,
  base: string,
  sessionId: string,
): Promise<Record<string, string>> {
  return page.evaluate(tryEverything, { base, sessionId });
}

/** Runs in the page. */
async function tryEverything(target: { base: string; sessionId: string }) {
  const { base, sessionId } = target;
  const outcomes: Record<string, string> = {};
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: {} },
  });
  const json = { 'Content-Type': 'application/json' };
  const requests: Record<string, () => Promise<Response>> = {
    list: () => fetch(`${base}/v1/sessions`, { credentials: 'include' }),
    initialize: () =>
      fetch(`${base}/acp`, {
        method: 'POST',
        body: initialize,
        headers: json,
        credentials: 'include',
      }),
    // Without a preflight: the browser sends it and hides the answer.
    blind: () =>
      fetch(`${base}/acp`, {
        method: 'POST',
        body: initialize,
        mode: 'no-cors',
        credentials: 'include',
      }),
  };
  for (const [name, send] of Object.entries(requests)) {
    outcomes[name] = await send().then(
      ({ type, status }) => (type === 'opaque' ? 'opaque' : String(status)),
      () => 'refused',
    );
  }
  outcomes['socket'] = await new Promise<string>((resolve) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/acp`);
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  });
  outcomes['events'] = await new Promise<string>((resolve) => {
    const url = `${base}/v1/sessions/${sessionId}/events`;
    const source = new EventSource(url, { withCredentials: true });
    source.onopen = () => resolve('open');
    source.onerror = () => resolve('refused');
  });
  outcomes['script'] = await new Promise<string>((resolve) => {
    const script = document.createElement('script');
    script.onload = () => resolve('loaded');
    script.onerror = () => resolve('refused');
    script.src = `${base}/page.js`;
    document.head.append(script);
  });
  outcomes['frame'] = await new Promise<string>((resolve) => {
    const frame = document.createElement('iframe');
    // A frame that was refused shows an error page, which is of no origin at all.
    frame.onload = () => resolve(frame.contentDocument === null ? 'foreign' : 'readable');
    frame.src = `${base}/`;
    document.body.append(frame);
  });
  return outcomes;
}

/** Somebody is signed in at a server, and looks at another page in the same browser. */
async function begin(host: string, options: ServedOptions = {}) {
  const served = await Served.open(options);
  const sessionId = await served.newSession();
  const visitor = await visit(served.url);
  const own = await signIn(visitor, served.url, await served.loginCode());
  const page = await visitor.newPage();
  await page.goto(`http://${host}:${otherPort}/`);
  const opened = () => served.logged.filter((line) => line.includes('connection opened')).length;
  return { served, sessionId, visitor, own, page, opened };
}

describe.each(['127.0.0.1', 'localhost', 'evil.test'])('a page of another origin at %s', (host) => {
  it('reads nothing and drives nothing, although its browser is signed in (B143)', async () => {
    const { served, sessionId, own, page, opened } = await begin(host);
    const before = { opened: opened(), logged: served.logged.length };
    expect(await attack(page, served.url, sessionId)).toEqual({
      list: 'refused',
      initialize: 'refused',
      blind: 'refused',
      socket: 'refused',
      events: 'refused',
      script: 'refused',
      frame: 'foreign',
    });
    // Not only the browser has kept the answers back: the server has done nothing.
    expect(opened()).toBe(before.opened);
    const requests = served.logged.slice(before.logged).map(toRequest);
    for (const route of ['/acp', '/v1/sessions', '/v1/sessions/:id/events']) {
      const statuses = requests.flatMap((line) => (line.route === route ? [line.status] : []));
      expect([route, ...new Set(statuses)]).toEqual([route, 403]);
    }
    for (const frame of page.frames().slice(1)) expect(frame.url()).not.toBe(`${served.url}/`);
    // The page of the server's own goes on.
    expect(await own.evaluate(async () => (await fetch('/v1/sessions')).status)).toBe(200);
  });
});

describe('a page of an origin that is allowed', () => {
  it('can do all that a page of its own can, by the cookie of the browser (B142)', async () => {
    const { served, sessionId, page } = await begin('127.0.0.1', {
      origins: [`http://127.0.0.1:${otherPort}`],
    });
    expect(await attack(page, served.url, sessionId)).toMatchObject({
      list: '200',
      initialize: '200',
      socket: 'open',
      events: 'open',
    });
  });

  it('uses the whole of Streamable HTTP with a token, and can read errors (B142)', async () => {
    const { served, page } = await begin('editor.test', {
      origins: [`http://editor.test:${otherPort}`],
    });
    const { secret } = await served.server.credentials.createToken({ name: 't', role: 'driver' });
    const seen = await page.evaluate(
      async ({ base, token }) => {
        const acp = `${base}/acp`;
        const bearer = { Authorization: `Bearer ${token}` };
        const json = { ...bearer, 'Content-Type': 'application/json' };
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: 1, clientCapabilities: {} },
        });
        const first = await fetch(acp, { method: 'POST', headers: json, body });
        const id = first.headers.get('Acp-Connection-Id') ?? '';
        const own = { ...bearer, 'Acp-Connection-Id': id };
        const stream = await fetch(acp, {
          headers: { ...own, Accept: 'text/event-stream', 'Acp-Protocol-Version': '1' },
          cache: 'no-store',
        });
        const last = await fetch(acp, { method: 'DELETE', headers: own, cache: 'no-store' });
        const events = await stream.text();
        const unknown = await fetch(acp, {
          headers: { ...own, Accept: 'text/event-stream', 'Last-Event-ID': 'x' },
        });
        const stranger = await fetch(`${base}/v1/sessions`);
        const problem = (await stranger.json()) as { code?: string };
        return {
          hasId: id !== '',
          hasEvents: events.includes('id: '),
          statuses: [first, stream, last, unknown, stranger].map(({ status }) => status),
          problem: problem.code,
        };
      },
      { base: served.url, token: secret },
    );
    expect(seen).toEqual({
      hasId: true,
      hasEvents: true,
      statuses: [200, 200, 202, 404, 401],
      problem: 'unauthorized',
    });
  });

  it('is no reason to let another origin in', async () => {
    const { served, sessionId, page } = await begin('evil.test', {
      origins: [`http://editor.test:${otherPort}`],
    });
    expect(await attack(page, served.url, sessionId)).toMatchObject({
      list: 'refused',
      initialize: 'refused',
      socket: 'refused',
      events: 'refused',
    });
  });
});

describe('a name that was made to point to this machine', () => {
  it('gets nothing, not even the sign-in page (B143)', async () => {
    const { served, page } = await begin('evil.test');
    for (const path of ['/', '/login', '/page.js', '/v1/sessions', '/healthz']) {
      const answer = await page.goto(`http://evil.test:${served.port}${path}`);
      expect([path, answer?.status()]).toEqual([path, 403]);
    }
  });
});
