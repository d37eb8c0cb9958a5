import { RawJson } from '@signalbox/acp';
import type { SessionId } from '@signalbox/core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ask, say, script, update } from '../serving/stage.ts';
import { expectNoOffences, signIn, useBrowser, visit, type Visitor } from './browser.ts';
import { Served, type ServedOptions } from './served.ts';
import { SessionView } from './session-view.ts';

useBrowser();

interface Scene {
  readonly served: Served;
  readonly visitor: Visitor;
  readonly page: Page;
  readonly id: SessionId;
}

interface SceneOptions extends ServedOptions {
  readonly role?: 'driver' | 'approver' | 'observer';
  readonly viewport?: { readonly width: number; readonly height: number };
}

async function begin({ role, viewport, ...options }: SceneOptions = {}): Promise<Scene> {
  const served = await Served.open(options);
  const id = await served.newSession();
  const visitor = await visit(served.url, viewport);
  const page = await signIn(visitor, served.url, await served.loginCode(role));
  return { served, visitor, page, id };
}

/** Presses Tab, or Shift+Tab, until something has the focus. */
async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${selector} cannot be reached with ${key}`);
}

/** Resolves when an element is within what is scrolled to. Runs in the page. */
function untilVisible(node: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver((changes) => {
      if (!changes.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(node);
  });
}

/** Clicks without scrolling or selecting anything. Runs in the page. */
function press(button: HTMLElement | SVGElement): void {
  button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
}

function call(number: number): object {
  return update({
    sessionUpdate: 'tool_call',
    toolCallId: `call-${number}`,
    title: `Call ${number}`,
    status: 'completed',
  });
}

describe('a page', () => {
  it('can be used without a mouse', async () => {
    const { page, id, visitor } = await begin();
    await tabTo(page, `a[href="#session=${id}"]`);
    await page.keyboard.press('Enter');
    const view = await SessionView.on(page);
    // The prompt has the focus.
    await page.keyboard.type('One line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and another');
    await page.keyboard.press('Enter');
    await view.untilSaid('One line\nand another');
    await view.untilEnds(1);
    await page.keyboard.insertText(script(ask()));
    await page.keyboard.press('Enter');
    await view.untilAsked();
    // Answers cannot be reached before they could be read.
    await page.locator('.options button:enabled').first().waitFor();
    await tabTo(page, '.options button', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await view.untilEnds(2);
    expect(await view.said()).toEqual([
      'One line\nand another',
      '{"outcome":"selected","optionId":"no"}',
    ]);
    expectNoOffences(visitor);
  });

  it('fits a phone, whatever the texts are', async () => {
    const { page, id } = await begin({ viewport: { width: 360, height: 640 } });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBe(0);
    const view = await SessionView.choose(page, id);
    await page.locator('.sessions').waitFor({ state: 'hidden' });
    const long = 'x'.repeat(500);
    const title = { sessionUpdate: 'tool_call', toolCallId: 'c', title: long };
    await view.send(
      script(say(long), update({ ...title, locations: [{ path: long }] }), ask(long)),
    );
    await view.untilAsked();
    expect(await overflow()).toBe(0);
    const box = await page.locator('.options button').first().boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(36);
    await view.answer('Yes');
    await view.untilEnds(1);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.locator('.sessions').waitFor();
    expect(await overflow()).toBe(0);
  });

  it('lists the newest sessions first, and older ones when they are asked for', async () => {
    const { served, page, id } = await begin();
    const made: string[] = [id];
    for (let count = 0; count < 100; count++) made.push(await served.newSession());
    const newestFirst = made
      .sort()
      .reverse()
      .map((sessionId) => `#session=${sessionId}`);
    await page.reload();
    const links = page.locator('.sessions a');
    await links.nth(99).waitFor();
    const listed = () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(await listed()).toEqual(newestFirst.slice(0, 100));
    const more = page.getByRole('button', { name: 'More' });
    await more.click();
    await links.nth(100).waitFor();
    expect(await listed()).toEqual(newestFirst);
    await more.waitFor({ state: 'hidden' });
  });

  it('is dark where its reader wants it dark', async () => {
    const { page } = await begin();
    const colour = () => page.evaluate(() => getComputedStyle(document.body).color);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await colour()).toBe('rgb(0, 0, 0)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).toBe('rgb(255, 255, 255)');
  });

  it('holds the newest 500 entries and the end of long texts (B179)', async () => {
    const { page, id } = await begin();
    const view = await SessionView.choose(page, id);
    const calls = Array.from({ length: 700 }, (_, index) => call(index));
    await view.send(script(...calls, say(`${'x'.repeat(300_000)}the end`)));
    await view.untilEnds(1);
    expect(await page.locator('.rows > *').count()).toBe(500);
    expect(await page.locator('.transcript > .left-out').textContent()).toMatch(/^\d+ earlier/);
    const [said = ''] = await view.said();
    expect(said.endsWith('the end')).toBe(true);
    expect(said.length).toBeLessThanOrEqual(64 * 1024);
    expect(await page.locator('.message .left-out:visible').textContent()).toMatch(/characters/);
    // What is shown of a session that is opened anew has less of it.
    await page.reload();
    const message = page.locator('.message[data-from=agent]');
    await message.getByText(/^[\d,]+ bytes of this are not shown/).waitFor();
  });

  it('draws nothing anew that has not changed', async () => {
    const { page, id } = await begin();
    const view = await SessionView.choose(page, id);
    await view.send(script(call(1), say('Look at this.'), ask(), say('More.')));
    await view.untilAsked();
    // What a reader has opened and selected stays so while the session goes on.
    await page.locator('.tool-call summary').first().click();
    await page.evaluate(() => {
      const text = document.querySelector('.message[data-from=agent] .text')?.firstChild;
      if (text) getSelection()?.setBaseAndExtent(text, 0, text, 4);
    });
    await page.locator('.options button').first().evaluate(press);
    await view.untilEnds(1);
    expect(await page.locator('.tool-call').first().getAttribute('open')).toBe('');
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('Look');
  });

  it('stays at what is newest for as long as its reader does', async () => {
    const { page, id } = await begin();
    const view = await SessionView.choose(page, id);
    const many = Array.from({ length: 60 }, (_, index) => call(index));
    await view.send(script(...many, ask('one')));
    await view.untilAsked();
    const jump = page.getByRole('button', { name: 'To the newest' });
    const yes = page.locator('.options button').first();
    await yes.evaluate(untilVisible);
    await page.setViewportSize({ width: 800, height: 500 });
    await page.locator('.end').evaluate(untilVisible);
    expect(await jump.isVisible()).toBe(false);

    await page.locator('.scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    await jump.waitFor();
    // A real click would scroll to the button.
    await yes.evaluate(press);
    await view.untilEnds(1);
    expect(await page.locator('.scroller').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await jump.click();
    await page.locator('.end').evaluate(untilVisible);
    await jump.waitFor({ state: 'hidden' });
  });

  it('keeps a draft over a reload, and shows the same session again', async () => {
    const { page, id } = await begin();
    const view = await SessionView.choose(page, id);
    await view.send('Hello');
    await view.untilEnds(1);
    await view.box.fill('Half a thought');
    await page.reload();
    const again = await SessionView.on(page);
    expect(await again.said()).toEqual(['Hello']);
    expect(await again.box.inputValue()).toBe('Half a thought');
  });
});

describe('what a browser may do', () => {
  /** Somebody else's prompt runs and asks for leave. */
  async function beginAsked(role: 'approver' | 'observer') {
    const { page, id, served } = await begin({ role });
    const view = await SessionView.choose(page, id);
    const session = await served.stage.host.openSession(id);
    const content = new RawJson(JSON.stringify([{ type: 'text', text: script(ask()) }]));
    const by = { kind: 'client', name: 'test' } as const;
    const prompt = session.prompt({ content, by });
    await view.untilAsked();
    return { page, view, prompt, cancel: () => session.cancel(by) };
  }

  it('an observer sees everything and has nothing to press', async () => {
    const { page, view, prompt, cancel } = await beginAsked('observer');
    for (const button of ['Send', 'Stop', 'Yes', 'No']) {
      expect(await page.getByRole('button', { name: button }).count(), button).toBe(0);
    }
    expect(await view.box.count()).toBe(0);
    cancel();
    await prompt;
  });

  it('an approver answers and stops, but has no box to write in', async () => {
    const { page, view, prompt } = await beginAsked('approver');
    expect(await view.box.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Stop' }).isEnabled()).toBe(true);
    await view.answer('Yes');
    await prompt;
    await view.untilEnds(1);
    expect(await view.said()).toEqual(['{"outcome":"selected","optionId":"yes"}']);
  });
});
