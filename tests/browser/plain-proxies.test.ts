import { afterEach, describe, expect, it } from 'vitest';
import { ask, say, script } from '../serving/stage.ts';
import { expectNoOffences, signIn, useBrowser, visit, type Visitor } from './browser.ts';
import { freePort, Nginx } from './nginx.ts';
import { bareConfig } from './proxy-config.ts';
import { Served } from './served.ts';
import { SessionView } from './session-view.ts';

useBrowser();

let served: Served;
let nginx: Nginx;
let visitor: Visitor;
let view: SessionView;

/** @param more what the nginx has beside `proxy_pass`. */
async function begin(agent: string, more = ''): Promise<void> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  served = await Served.open({ agent, hosts: [`127.0.0.1:${port}`] });
  nginx = await Nginx.start(bareConfig(port, served.port, more));
  const id = await served.newSession();
  visitor = await visit(base);
  view = await SessionView.choose(await signIn(visitor, base, await served.loginCode()), id);
}

afterEach(() => nginx.close());

describe('an nginx that has nothing but proxy_pass', () => {
  it('lets no WebSocket through, and the page goes on over event streams', async () => {
    await begin('scripted');
    const door = await view.page.locator('.connection').getAttribute('data-door');
    expect(door).toBe('http');
    // A small event is seen although nothing follows it: nothing on the way holds it back (B156).
    await view.send(script(say('20 bytes, not more.'), ask(), say('Done.')));
    await view.untilSaid('20 bytes, not more.');
    await view.answer('Yes');
    await view.untilEnds(1);
    expect(await view.said()).toEqual([
      '20 bytes, not more.',
      '{"outcome":"selected","optionId":"yes"}Done.',
    ]);
    expectNoOffences(visitor);
  });

  it('streams many chunks in order, each once', async () => {
    await begin('streams-slowly');
    await view.send('500');
    await view.untilEnds(1);
    const expected = Array.from({ length: 500 }, (_, index) => `chunk ${index + 1}`).join('');
    expect(await view.said()).toEqual([expected]);
    expectNoOffences(visitor);
  });
});

describe('an nginx that ends every response after two quiet seconds', () => {
  it('cuts the streams again and again, and the turn is shown whole', async () => {
    await begin('scripted', 'proxy_read_timeout 2s;');
    await view.send(script(say('Before.'), ask(), say('After.')));
    await view.untilAsked();
    const answered = () => served.logged.filter((line) => line.includes('"route":"/acp"')).length;
    const before = answered();
    await expect.poll(answered, { timeout: 15_000 }).toBeGreaterThan(before + 2);
    await view.answer('Yes');
    await view.untilEnds(1);
    expect(await view.said()).toEqual(['Before.', '{"outcome":"selected","optionId":"yes"}After.']);
    expectNoOffences(visitor);
  });
});
