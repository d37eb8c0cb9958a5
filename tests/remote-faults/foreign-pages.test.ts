import { describe, expect, it } from 'vitest';
import { codeOf, UPGRADE } from '../server/ask.ts';
import { Box } from '../server/box.ts';

/** What browsers say of a page that sends a request which needs no preflight. */
const PAGES: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'http://evil.test' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', origin: 'null' },
  { origin: 'null' },
];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
];
const BODY = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}';

describe('a page of another site, in a browser that is signed in', () => {
  it('can send nothing that does anything', async () => {
    const box = await Box.open();
    const signedIn = await box.cookie();
    for (const page of PAGES) {
      for (const type of TYPES) {
        for (const path of ['/acp', '/acp/agents/scripted', '/logout', '/v1/auth/login-codes']) {
          const headers = { ...signedIn, ...page, 'content-type': type };
          const { status } = await box.ask(path, { method: 'POST', headers, body: BODY });
          expect([page, type, path, status]).toEqual([page, type, path, 403]);
        }
      }
      const upgrade = await box.ask('/acp', { headers: { ...signedIn, ...page, ...UPGRADE } });
      expect([page, upgrade.status]).toEqual([page, 403]);
    }
    expect((await box.ask('/v1/sessions', { headers: signedIn })).status).toBe(200);
  });

  it('cannot use up the tries of those who sign in', async () => {
    const box = await Box.open();
    const headers = { origin: 'http://evil.test', 'content-type': 'application/json' };
    const guess = { method: 'POST', body: '{"code":"guess"}' };
    for (let n = 0; n < 20; n++) {
      expect((await box.ask('/login', { ...guess, headers })).status).toBe(403);
    }
    const own = await box.ask('/login', {
      ...guess,
      headers: { 'content-type': 'application/json' },
    });
    expect([own.status, codeOf(own)]).toEqual([401, 'login_code_invalid']);
  });
});
