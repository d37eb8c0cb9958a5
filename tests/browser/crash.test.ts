import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlace, script, type Place, type Running } from '../cli/signalbox.ts';
import { expectNoOffences, signIn, useBrowser, visit } from './browser.ts';
import { freePort } from './nginx.ts';
import { SessionView } from './session-view.ts';

useBrowser();

let place: Place;
let server: Running | undefined;

beforeEach(() => {
  place = createPlace();
});
afterEach(async () => {
  await end('SIGTERM');
  place.dispose();
});

/** The built command, as people start it. */
async function serve(port: number): Promise<void> {
  server = place.start('serve', '--port', String(port));
  await server.whenPrinted('Ctrl-C');
}

async function end(signal: NodeJS.Signals): Promise<void> {
  server?.child.kill(signal);
  await server?.finished;
  server = undefined;
}

it('a server that is killed in the middle of a turn and started anew is found again by its pages', async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  await serve(port);
  const { stdout: link } = await place.run('login');
  const [, code = ''] = /#code=(\S+)/.exec(link) ?? [];
  const visitor = await visit(base);
  const page = await signIn(visitor, base, code);
  await page.getByText('New session').click();
  await page.getByLabel('Folder').fill(place.cwd);
  await page.getByRole('button', { name: 'Create' }).click();
  const view = await SessionView.on(page);
  await view.send(script({ say: 'Before.' }, { wait: true }));
  await view.untilSaid('Before.');
  await view.box.fill('A draft');

  await end('SIGKILL');
  await view.untilCut();
  await serve(port);
  await view.untilBack();
  await view.untilEnds(1);
  const ends = await page.locator('.note[data-kind=turn_end] p').allTextContents();
  expect(ends).toEqual([expect.stringMatching(/^Failed \(interrupted\)/)]);
  expect(await view.said()).toEqual(['Before.']);
  expect(await view.box.inputValue()).toBe('A draft');

  await view.send(script({ say: 'And again.' }));
  await view.untilEnds(2);
  expect(await view.said()).toEqual(['Before.', 'And again.']);
  expectNoOffences(visitor);
});
