import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, say, script, update } from '../serving/stage.ts';
import { expectNoOffences, signIn, useBrowser, visit } from './browser.ts';
import { freePort, Nginx } from './nginx.ts';
import { documentedConfig, PROXY_NAME } from './proxy-config.ts';
import { Served } from './served.ts';
import { SessionView } from './session-view.ts';

useBrowser();

let served: Served;
let nginx: Nginx;
let base: string;

beforeEach(async () => {
  served = await Served.open({ hosts: [PROXY_NAME], proxies: ['127.0.0.1'] });
  const port = await freePort();
  nginx = await Nginx.start(documentedConfig(port, served.port, served.folder));
  base = `https://${PROXY_NAME}:${port}`;
});
afterEach(() => nginx.close());

describe('a page behind the nginx of the documents', () => {
  it('signs in, makes a session, prompts, streams, allows and stops', async () => {
    const visitor = await visit(base);
    const page = await signIn(visitor, base, await served.loginCode());
    expect(await page.locator('.connection').getAttribute('data-door')).toBe('websocket');
    const [navigation] = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => entry.toJSON() as unknown),
    );
    expect(navigation).toMatchObject({ nextHopProtocol: 'h2' });

    mkdirSync(join(served.folder, 'work'));
    await page.getByText('New session').click();
    await page.getByLabel('Folder').fill(join(served.folder, 'work'));
    await page.getByLabel('Agent').fill('scripted');
    await page.getByRole('button', { name: 'Create' }).click();
    const view = await SessionView.on(page);

    await view.send(
      script(
        update({
          sessionUpdate: 'plan',
          entries: [{ content: 'Look', priority: 'high', status: 'completed' }],
        }),
        say('One, '),
        say('two.'),
        ask(),
        { cancel: true },
      ),
    );
    await view.untilAsked();
    expect(await view.said()).toEqual(['One, two.']);
    expect(await page.locator('.plan summary').textContent()).toBe('Plan: 1 of 1 done');
    await view.answer('Yes');
    await view.untilSaid('"optionId":"yes"');
    expect(await page.locator('.permission .result').textContent()).toMatch(/^Yes, by browser/);

    await page.getByRole('button', { name: 'Stop' }).click();
    await view.untilEnds(1);
    expect(await page.locator('.note[data-kind=turn_end]').textContent()).toMatch(/^Cancelled/);
    expect(await view.kinds()).toEqual([
      'agent_started',
      'user_message',
      'agent_message',
      'tool_call',
      'permission',
      'agent_message',
      'turn_end',
    ]);
    expectNoOffences(visitor);
  });

  it('shows the sign-in page to whoever is not signed in, and takes a code once', async () => {
    const visitor = await visit(base);
    const page = await visitor.newPage();
    const answer = await page.goto(`${base}/`);
    expect(answer?.status()).toBe(401);
    const code = await served.loginCode();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${base}/`);
    await page.locator('.connection[data-state=online]').waitFor();

    const other = await (await visit(base)).newPage();
    await other.goto(`${base}/login#code=${code}`);
    await other.getByText('This code is not valid').waitFor();
    expect(other.url()).toBe(`${base}/login`);
    expectNoOffences(visitor);
  });

  it('keeps secrets out of scripts, addresses and logs', async () => {
    const visitor = await visit(base);
    const code = await served.loginCode();
    const page = await signIn(visitor, base, code);
    const [cookie] = await visitor.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' });
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(3);
    const secret = cookie?.value ?? 'no cookie';
    for (const line of served.logged) {
      expect(line).not.toContain(secret);
      expect(line).not.toContain(code);
    }
    expectNoOffences(visitor);
  });
});
