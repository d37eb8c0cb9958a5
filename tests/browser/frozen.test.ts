import type { CDPSession } from 'playwright-core';
import { afterEach, expect, it, vi } from 'vitest';
import { expectNoOffences, signIn, watched } from './browser.ts';
import { freePort, Nginx } from './nginx.ts';
import { upgradingConfig } from './proxy-config.ts';
import { Served } from './served.ts';
import { SessionView } from './session-view.ts';
import { openUnfocusedBrowser, type UnfocusedBrowser } from './unfocused-browser.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let nginx: Nginx;
let browser: UnfocusedBrowser;
afterEach(async () => {
  await browser.close();
  await nginx.close();
});

/** Remembers in the page when it was frozen and when it woke. */
function rememberLifecycle(): void {
  const states: string[] = [];
  Object.assign(window, { lifecycle: states });
  for (const name of ['freeze', 'resume']) document.addEventListener(name, () => states.push(name));
}

function setLifecycle(cdp: CDPSession, state: 'frozen' | 'active'): Promise<unknown> {
  return cdp.send('Page.setWebLifecycleState', { state });
}

it('a page that was frozen while its connection broke is live again when it wakes (B178)', async () => {
  const agent = 'streams-slowly';
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const served = await Served.open({ agent, hosts: [`127.0.0.1:${port}`] });
  nginx = await Nginx.start(upgradingConfig(port, served.port));
  browser = await openUnfocusedBrowser();
  const id = await served.newSession();
  const visitor = watched(browser.context, base);
  await visitor.context.addInitScript(rememberLifecycle);
  const page = await signIn(visitor, base, await served.loginCode());
  const view = await SessionView.choose(page, id);
  await view.send('300');
  await view.untilSaid('chunk 20chunk');
  await view.box.fill('A draft');

  const cdp = await visitor.context.newCDPSession(page);
  // Somebody looks at another tab, and the browser freezes this one.
  await (await visitor.newPage()).bringToFront();
  await setLifecycle(cdp, 'frozen');
  await nginx.kill();
  await served.stage.untilEvent(id, 'turn.finished');
  await nginx.start();
  await setLifecycle(cdp, 'active');
  await page.bringToFront();

  await view.untilEnds(1);
  const expected = Array.from({ length: 300 }, (_, index) => `chunk ${index + 1}`).join('');
  expect(await view.said()).toEqual([expected]);
  expect(await view.box.inputValue()).toBe('A draft');
  expect(await page.evaluate('lifecycle')).toEqual(['freeze', 'resume']);
  expectNoOffences(visitor);
});
