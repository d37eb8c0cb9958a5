import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from './ask.ts';
import { Box } from './box.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let box: Box;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-page-'));
  mkdirSync(join(folder, 'page', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html><title>Page</title>');
  writeFileSync(join(folder, 'page', 'assets', 'app.js'), 'start();');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'page', '.hidden'));
  box = await Box.open({ page: join(folder, 'page') });
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the page', () => {
  it('is shown to browsers that are signed in', async () => {
    const headers = await box.cookie('observer');
    for (const [path, text, type] of [
      ['/', '<!doctype html><title>Page</title>', 'text/html; charset=utf-8'],
      ['/index.html', '<!doctype html><title>Page</title>', 'text/html; charset=utf-8'],
      ['/assets/app.js', 'start();', 'application/javascript; charset=utf-8'],
    ] as const) {
      const answer = await box.ask(path, { headers });
      expect([path, answer.status, answer.text]).toEqual([path, 200, text]);
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.headers['cache-control']).toBe('no-cache');
      const etag = String(answer.headers.etag);
      const again = await box.ask(path, { headers: { ...headers, 'if-none-match': etag } });
      expect(again.status).toBe(304);
    }
  });

  it('shows everybody else how to sign in', async () => {
    for (const path of ['/', '/index.html']) {
      const answer = await box.ask(path, { headers: HTML });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).toContain('Open the link that <code>signalbox serve</code> prints');
    }
    const script = await box.ask('/assets/app.js');
    expect([script.status, codeOf(script)]).toEqual([401, 'unauthorized']);
  });

  it('may be opened from a link on another page of this machine, and not be read by it', async () => {
    const headers = { ...HTML, ...(await box.cookie()), 'sec-fetch-site': 'same-site' };
    const opened = await box.ask('/', { headers: { ...headers, 'sec-fetch-mode': 'navigate' } });
    expect(opened.status).toBe(200);
    const read = await box.ask('/', { headers: { ...headers, 'sec-fetch-mode': 'no-cors' } });
    expect(read.status).toBe(403);
    const navigate = { ...headers, 'sec-fetch-mode': 'navigate' };
    expect((await box.ask('/v1/sessions', { headers: navigate })).status).toBe(403);
  });

  it('has no files but those of its folder', async () => {
    const headers = await box.cookie();
    for (const path of [
      '/secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/.hidden',
      '/assets/',
      '/assets',
      '/index.html/',
      '//index.html',
    ]) {
      const { status, text } = await box.ask(path, { headers });
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain('secret');
    }
  });

  it('must be there where one was given', async () => {
    for (const page of [join(folder, 'nowhere'), join(folder, 'secret.txt'), 'page']) {
      await expect(Box.open({ page })).rejects.toMatchObject({ code: 'options_invalid' });
    }
  });

  it('is not there where none was given', async () => {
    const bare = await Box.open();
    const answer = await bare.ask('/', { headers: await bare.cookie() });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  });
});
