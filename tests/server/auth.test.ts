import { SimulatedClock } from '@signalbox/host';
import { describe, expect, it } from 'vitest';
import { codeOf, SOON, UPGRADE, type Answer, type Question } from './ask.ts';
import { Box } from './box.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const CHALLENGE = 'Bearer realm="signalbox"';

/** Everything that needs somebody who is known. */
const CLOSED: readonly (readonly [string, Question])[] = [
  ['/metrics', {}],
  ['/v1/sessions', {}],
  ['/v1/sessions/x', {}],
  ['/v1/sessions/x/events', {}],
  ['/v1/sessions/x/events', { headers: { accept: 'text/event-stream' } }],
  ['/v1/auth/login-codes', { method: 'POST', headers: JSON_TYPE, body: '{"role":"driver"}' }],
  ['/logout', { method: 'POST' }],
  ['/acp', { headers: { accept: 'text/event-stream' } }],
  ['/acp', { method: 'POST', headers: JSON_TYPE, body: '{}' }],
  ['/acp', { method: 'DELETE' }],
  ['/acp', { headers: UPGRADE }],
  ['/acp/agents/other', { headers: UPGRADE }],
];

function withHeaders(question: Question, headers: Record<string, string>): Question {
  return { ...question, headers: { ...question.headers, ...headers } };
}

function signIn(box: Box, code: string, headers: Record<string, string> = {}): Promise<Answer> {
  const body = JSON.stringify({ code });
  return box.ask('/login', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
}

describe('whoever is not known', () => {
  it.for([
    ['says nothing', {}],
    ['has a token that is none', { authorization: 'Bearer sbx_unknown' }],
    ['has no token behind the word', { authorization: 'Bearer' }],
    ['knows another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['has a cookie that is none', { cookie: 'signalbox-PORT=sbb_unknown' }],
    ['has a cookie of another server', { cookie: 'signalbox-1=COOKIE' }],
    ['has a token in a cookie', { cookie: 'signalbox-PORT=TOKEN' }],
    ['has a cookie in a token', { authorization: 'Bearer COOKIE' }],
    ['has a wrong token beside a right cookie', { authorization: 'Bearer x', cookie: 'ALL' }],
  ] as const)('and %s is told to sign in, on every route', async ([, wanted]) => {
    const box = await Box.open();
    const { cookie } = await box.cookie();
    const [, token = ''] = (await box.token()).authorization.split(' ');
    const headers = Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [
        name,
        value
          .replace('PORT', String(box.port))
          .replace('COOKIE', cookie.split('=')[1] ?? '')
          .replace('TOKEN', token)
          .replace('ALL', cookie),
      ]),
    );
    for (const [path, question] of CLOSED) {
      const answer = await box.ask(path, withHeaders(question, headers));
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
    }
  });

  it('may see whether the server lives, and how to sign in', async () => {
    const box = await Box.open();
    for (const path of ['/health/live', '/health/ready', '/login', '/login.js', '/login.css']) {
      expect((await box.ask(path)).status).toBe(200);
    }
  });
});

describe('a token', () => {
  it.for(['driver', 'approver', 'observer'] as const)('of a %s lets in', async (role) => {
    const box = await Box.open();
    const headers = await box.token(role);
    expect((await box.ask('/v1/sessions', { headers })).status).toBe(200);
    expect((await box.ask('/acp', { headers: { ...UPGRADE, ...headers } })).status).toBe(101);
    const body = JSON.stringify({ role: 'driver' });
    const question = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body };
    const answer = await box.ask('/v1/auth/login-codes', question);
    expect(answer.status).toBe(role === 'driver' ? 201 : 403);
  });

  it.for(['token', 'access_token', 'auth', 'Api_Key', 'code'])(
    'in the URL as %s is refused on every route, and no log holds it',
    async (name) => {
      const box = await Box.open();
      const { authorization } = await box.token();
      const secret = authorization.slice('Bearer '.length);
      const paths = [...CLOSED, ['/health/live', {}], ['/login', {}], ['/nowhere', {}]] as const;
      for (const [path, question] of paths) {
        const answer = await box.ask(`${path}?${name}=${secret}`, question);
        expect([path, answer.status, codeOf(answer)]).toEqual([path, 400, 'credential_in_url']);
      }
      expect(JSON.stringify(box.logged)).not.toContain(secret);
      expect(box.logged.length).toBeGreaterThan(paths.length);
    },
  );
});

describe('signing in', () => {
  it('gives a browser a cookie for one code, once', async () => {
    const box = await Box.open();
    const { code } = await box.server.credentials.createLoginCode({ role: 'approver', name: 'me' });
    const answer = await signIn(box, code);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({
      principal: { name: 'me', role: 'approver', kind: 'browser' },
    });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(
        `^signalbox-${box.port}=sbb_[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    const [pair = ''] = cookie.split(';');
    expect((await box.ask('/v1/sessions', { headers: { cookie: pair } })).status).toBe(200);
    const again = await signIn(box, code);
    expect([again.status, codeOf(again)]).toEqual([401, 'login_code_invalid']);
    const logged = JSON.stringify(box.logged);
    for (const secret of [code, pair.split('=')[1] ?? '']) expect(logged).not.toContain(secret);
  });

  it('finds its cookie beside those that pages on other ports have put before it', async () => {
    const box = await Box.open();
    const { cookie } = await box.cookie();
    const name = cookie.split('=')[0] ?? '';
    const ask = async (header: string): Promise<number> =>
      (await box.ask('/v1/sessions', { headers: { cookie: header } })).status;
    expect(await ask(`${name}=; ${name}=sbb_other; a=b; ${cookie}`)).toBe(200);
    const many = Array.from({ length: 32 }, () => `${name}=sbb_other`).join('; ');
    expect(await ask(`${many}; ${cookie}`)).toBe(401);
  });

  it('gives a cookie for https only, where browsers come by https', async () => {
    const box = await Box.open({ proxies: ['127.0.0.1'] });
    const { code } = await box.server.credentials.createLoginCode({ role: 'driver' });
    const { headers } = await signIn(box, code);
    expect(headers['set-cookie']?.[0]).toMatch(/; Secure/);
  });

  it('is done with JSON only, by pages of this server only', async () => {
    const box = await Box.open();
    const { code } = await box.server.credentials.createLoginCode({ role: 'driver' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const question = { method: 'POST', headers: { 'content-type': type }, body: `code=${code}` };
      expect((await box.ask('/login', question)).status).toBe(415);
    }
    expect((await signIn(box, code, { origin: 'http://evil.test' })).status).toBe(403);
    for (const body of ['', '{}', '{"code":""}', '{"code":{}}', '[]', 'null', '{"code"']) {
      const answer = await box.ask('/login', { method: 'POST', headers: JSON_TYPE, body });
      expect([body, answer.status, codeOf(answer)]).toEqual([body, 400, 'invalid_request']);
    }
    expect((await signIn(box, code)).status).toBe(200);
  });

  it('may fail ten times a minute', async () => {
    const clock = new SimulatedClock();
    const box = await Box.open({ clock });
    const { code } = await box.server.credentials.createLoginCode({ role: 'driver' });
    for (let tries = 0; tries < 10; tries++) expect((await signIn(box, 'x')).status).toBe(401);
    const refused = await signIn(box, code);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'too_many_failures']);
    expect(refused.headers['retry-after']).toBe('60');
    clock.advance(60_000);
    expect((await signIn(box, code)).status).toBe(200);
  });

  it('may fail so often for each address, which only a known proxy may name', async () => {
    for (const [proxies, status] of [
      [['127.0.0.1'], 401],
      [[], 429],
    ] as const) {
      const box = await Box.open({ proxies, limits: { loginFailuresMax: 1 } });
      expect((await signIn(box, 'x', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(401);
      expect((await signIn(box, 'x', { 'x-forwarded-for': '192.0.2.2' })).status).toBe(status);
    }
  });

  it('is possible with a code that a program asks for', async () => {
    const box = await Box.open();
    const question = {
      method: 'POST',
      headers: { ...JSON_TYPE, ...(await box.token()) },
      body: JSON.stringify({ role: 'observer', name: 'phone', ttlMs: 60_000 }),
    };
    const answer = await box.ask('/v1/auth/login-codes', question);
    const { code, path } = JSON.parse(answer.text) as { code: string; path: string };
    expect([answer.status, path]).toEqual([201, `/login#code=${code}`]);
    const signedIn = await signIn(box, code);
    expect(JSON.parse(signedIn.text)).toMatchObject({ principal: { name: 'phone' } });
  });

  it('is no way for a browser to make codes, whatever its role', async () => {
    const box = await Box.open();
    const question = {
      method: 'POST',
      headers: { ...JSON_TYPE, ...(await box.cookie('driver')) },
      body: JSON.stringify({ role: 'driver' }),
    };
    const answer = await box.ask('/v1/auth/login-codes', question);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
  });

  it('shows a page whose script is a file and reads the code behind the #', async () => {
    const box = await Box.open();
    const { text } = await box.ask('/login');
    expect(text).toContain('<script src="/login.js" defer></script>');
    expect(text).not.toMatch(/<script>|<style>| on\w+=| style=/);
    expect((await box.ask('/login.js')).text).toContain('location.hash');
  });
});

describe('a browser that is signed in', () => {
  it.for([
    ['same-origin', undefined, 200],
    ['none', undefined, 200],
    [undefined, undefined, 200],
    ['cross-site', undefined, 403],
    ['same-site', undefined, 403],
    ['same-site', 'http://localhost:5173', 200],
    ['cross-site', 'http://localhost:5173', 403],
  ] as const)('is used by %s pages of %s: %i', async ([site, origin, status]) => {
    const box = await Box.open({ origins: ['http://localhost:5173'] });
    const headers = {
      ...(await box.cookie()),
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
      ...(origin === undefined ? {} : { origin }),
    };
    const answer = await box.ask('/v1/sessions', { headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(codeOf(answer)).toBe('cross_site');
    const upgraded = await box.ask('/acp', { headers: { ...UPGRADE, ...headers } });
    expect(upgraded.status).toBe(status === 200 ? 101 : status);
  });

  it('is of no concern where a token is sent', async () => {
    const box = await Box.open();
    const headers = { ...(await box.token()), 'sec-fetch-site': 'cross-site' };
    expect((await box.ask('/v1/sessions', { headers })).status).toBe(200);
  });

  it('signs out', async () => {
    const box = await Box.open();
    const headers = await box.cookie();
    const answer = await box.ask('/logout', { method: 'POST', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^signalbox-\d+=; Max-Age=0;/);
    expect((await box.ask('/v1/sessions', { headers })).status).toBe(401);
  });

  it('signs out, and a token does not', async () => {
    const box = await Box.open();
    const answer = await box.ask('/logout', { method: 'POST', headers: await box.token() });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
  });
});

describe('without authentication', () => {
  it('everybody on this machine is let in, and pages of other sites are not', async () => {
    const box = await Box.open({ auth: 'none' });
    expect((await box.ask('/v1/sessions')).status).toBe(200);
    expect((await box.ask('/acp', { headers: UPGRADE })).status).toBe(101);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      expect((await box.ask('/v1/sessions', { headers })).status).toBe(403);
    }
  });

  it('nothing is served to other machines', async () => {
    await expect(
      Box.open({ auth: 'none', listen: { host: '0.0.0.0', port: 0 } }),
    ).rejects.toMatchObject({ code: 'exposure_refused' });
  });
});

describe('what is counted and logged', () => {
  it('is one line for each request, with the name of whoever asks', async () => {
    const box = await Box.open();
    await box.ask('/v1/sessions/secret-id', { headers: await box.token('observer') });
    await expect
      .poll(() => box.logged.filter(({ msg }) => msg === 'request'), SOON)
      .toEqual([
        expect.objectContaining({
          method: 'GET',
          route: '/v1/sessions/:id',
          status: 404,
          ms: expect.any(Number) as unknown,
          principal: 'test observer',
        }),
      ]);
    expect(JSON.stringify(box.logged)).not.toContain('secret-id');
  });

  it('is why requests were not let in', async () => {
    const box = await Box.open({ openMetrics: true });
    await box.ask('/v1/sessions');
    await box.ask('/v1/sessions', { headers: { host: 'evil.test' } });
    await box.ask('/acp', { headers: { ...UPGRADE, origin: 'http://evil.test' } });
    const { text } = await box.ask('/metrics');
    for (const reason of ['unauthorized', 'host_not_allowed', 'origin_not_allowed']) {
      expect(text).toContain(`signalbox_auth_failures_total{reason="${reason}"} 1`);
    }
    expect(text).toContain(
      'signalbox_http_requests_total{method="GET",route="/v1/sessions",status="401"} 1',
    );
  });
});
