import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { BROWSER_ARGS } from './browser.ts';
import { program } from './programs.ts';

export interface UnfocusedBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/**
 * A browser whose pages can be hidden and frozen. In one that Playwright launches itself, every page is made
 * to believe that it has the focus, and what is seen is never frozen.
 */
export async function openUnfocusedBrowser(): Promise<UnfocusedBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'signalbox-chromium-'));
  const own = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(program('chromium'), [...BROWSER_ARGS, ...own, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`chromium has ended: ${said}`)));
  });
  const browser = await chromium.connectOverCDP(address, { noDefaults: true });
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('chromium has no context');
  return {
    context,
    async close() {
      await browser.close();
      child.kill();
      await exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
