import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { SessionId } from '@signalbox/core';
import { describe, expect, it } from 'vitest';
import { script, update } from '../serving/stage.ts';
import { expectNoOffences, signIn, useBrowser, visit, type Visitor } from './browser.ts';
import { Served } from './served.ts';
import { SessionView } from './session-view.ts';

useBrowser();

/** Texts that would run a script, fetch something or mislead, if a page took them for more than texts. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '<svg onload=alert(3)><script href="data:,alert(3)"/></svg>',
  '<iframe srcdoc="<script>parent.alert(4)</script>"></iframe>',
  '"><style>@import "http://evil.test/x.css";</style>',
  '<link rel=stylesheet href=http://evil.test/y.css>',
  '<a href="javascript:alert(5)">click</a>',
  '[click](javascript:alert(6)) ![x](http://evil.test/z.png)',
  '<form action=http://evil.test><input name=code autofocus onfocus=alert(7)></form>',
  '<base href=http://evil.test/><meta http-equiv=refresh content="0;url=http://evil.test">',
  '<template><img src=x onerror=alert(8)></template>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(9)>',
  "');alert(10);//",
  '{{constructor.constructor("alert(11)")()}} ${alert(11)}',
  '\u001b]8;;javascript:alert(12)\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m',
  'delete \u202etxt.elif-erom ym\u202c \u0000\u0008\u007f\u0090',
];
const ALL = PAYLOADS.join('\n');

function text(value: string): object {
  return { type: 'text', text: value };
}

/** An agent that puts the payloads everywhere it can. */
const EVERYWHERE = script(
  update({ sessionUpdate: 'session_info_update', title: ALL }),
  update({ sessionUpdate: 'agent_message_chunk', content: text(ALL) }),
  update({ sessionUpdate: 'agent_thought_chunk', content: text(ALL) }),
  update({
    sessionUpdate: 'plan',
    entries: PAYLOADS.map((content) => ({ content, priority: 'high', status: 'pending' })),
  }),
  update({
    sessionUpdate: 'available_commands_update',
    availableCommands: PAYLOADS.map((name) => ({ name, description: name })),
  }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: ALL,
    title: ALL,
    kind: 'edit',
    status: 'in_progress',
    locations: PAYLOADS.map((path) => ({ path })),
    rawInput: Object.fromEntries(PAYLOADS.map((name) => [name, name])),
    content: [
      { type: 'content', content: text(ALL) },
      {
        type: 'content',
        content: { type: 'resource_link', name: ALL, uri: 'javascript:alert(13)' },
      },
      { type: 'content', content: { type: 'image', mimeType: ALL, data: 'AAAA' } },
      { type: 'diff', path: ALL, oldText: ALL, newText: ALL },
      { type: 'terminal', terminalId: ALL },
      { type: '<img src=x onerror=alert(14)>' },
    ],
  }),
  update({ sessionUpdate: '<img src=x onerror=alert(15)>', more: ALL }),
  {
    ask: {
      toolCall: { toolCallId: 'ask', title: ALL, kind: 'delete', rawInput: { command: ALL } },
      options: PAYLOADS.map((name) => ({ optionId: name, name, kind: 'allow_once' })),
    },
  },
  { answer: { error: { code: -32603, message: ALL } } },
);

/** Shows everything that is folded away, and waits until it is drawn. */
async function openFolds(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
  await page.locator('.tool-call .diff').first().waitFor();
}

interface Scene {
  readonly served: Served;
  readonly visitor: Visitor;
  readonly page: Page;
  readonly id: SessionId;
}

/** A session, in a folder within the server's own if one is named. */
async function begin(folderName = '.'): Promise<Scene> {
  const served = await Served.open();
  const cwd = join(served.folder, folderName);
  mkdirSync(cwd, { recursive: true });
  const { id } = await served.stage.host.createSession({ agent: 'scripted', cwd });
  const visitor = await visit(served.url);
  const page = await signIn(visitor, served.url, await served.loginCode());
  return { served, visitor, page, id };
}

describe('texts of agents', () => {
  it('run nothing, fetch nothing and are shown as they are, wherever they stand (B175)', async () => {
    const { served, visitor, page, id } = await begin();
    const view = await SessionView.choose(page, id);
    await view.send(EVERYWHERE);
    await view.untilAsked();
    await openFolds(page);

    const shown = PAYLOADS.slice(0, 14).join('\n');
    expect((await view.said())[0]?.startsWith(shown)).toBe(true);
    const foreign = 'script, style, link, iframe, img, svg, math, object, base, meta, template';
    expect(await page.locator('body').locator(foreign).count()).toBe(0);
    expect(await page.locator('main').locator('a, [href], [src], [srcdoc], [style]').count()).toBe(
      0,
    );

    // The option that was clicked is the one that the agent is told, character for character (B56).
    const chosen = PAYLOADS[15] ?? '';
    await page.locator('.options button').nth(15).click();
    await view.untilEnds(1);
    const resolved = await served.stage.eventsOf(id, 'permission.resolved');
    expect(resolved[0]?.data.outcome).toEqual({ kind: 'selected', optionId: chosen });
    await openFolds(page);
    expectNoOffences(visitor);
  });

  it('cannot turn the words of a permission request around', async () => {
    const { page, id } = await begin();
    const view = await SessionView.choose(page, id);
    await view.send(EVERYWHERE);
    await view.untilAsked();
    const title = await page.locator('.permission h3').textContent();
    expect(title).toContain('delete <U+202E>txt.elif-erom ym<U+202C> ␀␈␡<U+0090>');
    expect(title).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('cannot put another request under a click that is on its way', async () => {
    const { page, id } = await begin();
    const view = await SessionView.choose(page, id);
    // What a click in the very moment would meet.
    await page.evaluate(() => {
      const seen: boolean[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        for (const option of document.querySelectorAll<HTMLButtonElement>('.options button')) {
          if (option.dataset['seen'] === undefined) seen.push(option.disabled);
          option.dataset['seen'] = '';
        }
      }).observe(document.body, { childList: true, subtree: true });
    });
    await view.send(EVERYWHERE);
    await view.untilAsked();
    const seen = await page.evaluate(() => (window as unknown as { seen: boolean[] }).seen);
    expect(seen).toEqual(PAYLOADS.map(() => true));
    await page.locator('.options button:enabled').first().click();
    await view.untilEnds(1);
  });

  it('are as harmless in the list of sessions, where folders and titles stand', async () => {
    const { visitor, page, id } = await begin('<img src=x onerror=alert(16)>');
    const view = await SessionView.choose(page, id);
    await view.send(EVERYWHERE);
    await view.untilAsked();
    await page.locator('.sessions .title', { hasText: '<script>' }).waitFor();
    await page.locator('.session .facts', { hasText: '<img src=x onerror=alert(16)>' }).waitFor();
    expectNoOffences(visitor);
  });

  it('could do no harm even if the code of the page made HTML of them', async () => {
    const { visitor, page } = await begin();
    const attempts = [
      'document.body.innerHTML = "<img src=x onerror=alert(1)>"',
      'document.write("<script>alert(1)</script>")',
      'document.body.insertAdjacentHTML("beforeend", "<b>x</b>")',
      'new DOMParser().parseFromString("<b>x</b>", "text/html")',
    ];
    for (const attempt of attempts) {
      await expect(page.evaluate(attempt), attempt).rejects.toThrow(/TrustedHTML/);
    }
    expect(visitor.offences.dialogs).toEqual([]);
    // And it is seen here: the watch over the other tests does not look the wrong way.
    expect(visitor.offences.errors.length).toBeGreaterThan(0);
  });
});
