import { expect, it } from 'vitest';
import { expectNoOffences, signIn, useBrowser, visit } from './browser.ts';
import { Served } from './served.ts';
import { SessionView } from './session-view.ts';

useBrowser();

const TABS = 10;

it('ten tabs on plain HTTP/1.1 all follow a session, take prompts and reach the server (B176)', async () => {
  const served = await Served.open();
  const ids = await Promise.all(Array.from({ length: TABS / 2 }, () => served.newSession()));
  const visitor = await visit(served.url);
  const first = await signIn(visitor, served.url, await served.loginCode());
  const views: SessionView[] = [];
  for (let tab = 0; tab < TABS; tab++) {
    const page = tab === 0 ? first : await visitor.newPage();
    await page.goto(`${served.url}/#session=${ids[tab % ids.length] ?? ''}`);
    views.push(await SessionView.on(page));
  }
  // Two tabs look at each session: what one of them sends, both see.
  await Promise.all(views.slice(0, ids.length).map((view, index) => view.send(`Prompt ${index}`)));
  for (const [index, view] of views.entries()) {
    await view.untilEnds(1);
    expect(await view.said()).toEqual([`Prompt ${index % ids.length}`]);
    const status = await view.page.evaluate(async () => (await fetch('/v1/sessions')).status);
    expect(status).toBe(200);
  }
  expectNoOffences(visitor);
});
