import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { program } from './programs.ts';

/** Chromium's own sandbox cannot be used by root. Every name is this machine. */
export const BROWSER_ARGS = ['--no-sandbox', '--host-resolver-rules=MAP * 127.0.0.1'] as const;

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

/** Starts one browser for the tests of a file, and ends what each test has opened in it. */
export function useBrowser(): void {
  // A browser on a busy machine needs its time, and every wait has a limit of its own.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: program('chromium'),
      args: [...BROWSER_ARGS],
    });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/** What nobody wants to see in a page. */
export interface Offences {
  /** Violations of the content security policy, and uncaught errors. */
  readonly errors: string[];
  readonly dialogs: string[];
  /** Requests to anywhere but the page's own server. */
  readonly foreignRequests: string[];
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly offences: Offences;
  /** A further tab. */
  newPage(): Promise<Page>;
}

/** A browser without any cookies, that is watched. */
export async function visit(
  base: string,
  viewport?: { readonly width: number; readonly height: number },
): Promise<Visitor> {
  if (browser === undefined) throw new Error('call useBrowser in the test file');
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    ...(viewport === undefined ? {} : { viewport }),
  });
  contexts.push(context);
  return watched(context, base);
}

/** Watches what happens in a browser. @param base the address of the page's server. */
export function watched(context: BrowserContext, base: string): Visitor {
  const offences: Offences = { errors: [], dialogs: [], foreignRequests: [] };
  const newPage = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.addInitScript(reportViolations);
    watch(page, base, offences);
    return page;
  };
  return { context, offences, newPage };
}

/** A tab in which somebody has signed in with a one-time code. */
export async function signIn(visitor: Visitor, base: string, code: string): Promise<Page> {
  const page = await visitor.newPage();
  await page.goto(`${base}/login#code=${code}`);
  await page.waitForURL(`${base}/`);
  await page.locator('.connection[data-state=online]').waitFor();
  return page;
}

/** Nothing has happened in the page that must not. */
export function expectNoOffences({ offences }: Visitor): void {
  expect(offences).toEqual({ errors: [], dialogs: [], foreignRequests: [] });
}

const VIOLATION = 'policy violated: ';

/** Says in the console of the page when something was kept from happening. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.log(`policy violated: ${violatedDirective} ${blockedURI}`);
  });
}

function watch(page: Page, base: string, { errors, dialogs, foreignRequests }: Offences): void {
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.text().startsWith(VIOLATION)) errors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== base) foreignRequests.push(request.url());
  });
}
