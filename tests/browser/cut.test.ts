import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, say, script } from '../serving/stage.ts';
import { expectNoOffences, signIn, useBrowser, visit, type Visitor } from './browser.ts';
import { freePort, Nginx } from './nginx.ts';
import { documentedConfig, PROXY_NAME } from './proxy-config.ts';
import { Served } from './served.ts';
import { SessionView } from './session-view.ts';

useBrowser();

let served: Served;
let nginx: Nginx;
let visitor: Visitor;
let view: SessionView;

async function begin(agent: string): Promise<void> {
  served = await Served.open({ agent, hosts: [PROXY_NAME], proxies: ['127.0.0.1'] });
  const port = await freePort();
  nginx = await Nginx.start(documentedConfig(port, served.port, served.folder));
  const base = `https://${PROXY_NAME}:${port}`;
  const id = await served.newSession();
  visitor = await visit(base);
  view = await SessionView.choose(await signIn(visitor, base, await served.loginCode()), id);
}

afterEach(() => nginx.close());

describe('when the proxy dies in the middle of a turn', () => {
  beforeEach(() => begin('streams-slowly'));

  it('every chunk is shown once and in order, whatever was on its way', async () => {
    const count = 900;
    await view.send(String(count));
    for (const seen of [50, 300, 600]) {
      await view.untilSaid(`chunk ${seen}chunk`);
      await nginx.kill();
      await view.untilCut();
      await nginx.start();
      await view.untilBack();
    }
    await view.untilEnds(1);
    const expected = Array.from({ length: count }, (_, index) => `chunk ${index + 1}`).join('');
    expect(await view.said()).toEqual([expected]);
    expect(await view.kinds()).toEqual([
      'user_message',
      'agent_started',
      'agent_message',
      'turn_end',
    ]);
    expectNoOffences(visitor);
  });
});

describe('when the server is started anew in the middle of a turn', () => {
  beforeEach(() => begin('scripted'));

  it('the page shows what became of the turn, keeps the draft, and goes on', async () => {
    await view.send(script(say('Before.'), { cancel: true }));
    await view.untilSaid('Before.');
    await view.box.fill('A draft that is not done');

    await served.stop();
    await view.untilCut();
    await served.start();
    await view.untilBack();

    await view.untilEnds(1);
    const ends = await view.page.locator('.note[data-kind=turn_end] p').allTextContents();
    expect(ends).toEqual([expect.stringMatching(/^Cancelled/)]);
    expect(await view.said()).toEqual(['Before.']);
    expect(await view.box.inputValue()).toBe('A draft that is not done');

    await view.send('And again.');
    await view.untilEnds(2);
    expect(await view.said()).toEqual(['Before.', 'And again.']);
    expect(await view.box.inputValue()).toBe('');
    expectNoOffences(visitor);
  });

  it('a prompt that is sent while nobody answers runs once', async () => {
    await nginx.kill();
    await view.untilCut();
    await view.send('Only once.');
    await view.page.getByRole('button', { name: 'Sending…' }).waitFor();
    expect(await view.box.inputValue()).toBe('Only once.');
    await nginx.start();
    await view.untilEnds(1);
    expect(await view.said()).toEqual(['Only once.']);
    expect(await view.kinds()).toEqual([
      'user_message',
      'agent_started',
      'agent_message',
      'turn_end',
    ]);
    expectNoOffences(visitor);
  });

  it('a permission request is there once and can be answered after the cut', async () => {
    await view.send(script(ask(), say('Done.')));
    await view.untilAsked();
    await nginx.kill();
    await view.untilCut();
    await nginx.start();
    await view.untilBack();
    expect(await view.page.locator('.permission').count()).toBe(1);
    await view.answer('No');
    await view.untilEnds(1);
    expect(await view.said()).toEqual(['{"outcome":"selected","optionId":"no"}Done.']);
    expectNoOffences(visitor);
  });
});
