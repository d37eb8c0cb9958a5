import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../scripts/build-page.mjs';

const SOURCES = fileURLToPath(new URL('../../apps/workbench/src/', import.meta.url));
const KIB = 1024;

let folder: string;
let inputs: readonly string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-bundle-'));
  inputs = buildPage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the page', () => {
  it('is three files', () => {
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'page.js', 'style.css']);
  });

  it('is made of the client library and what that stands on, and of nothing for Node', () => {
    const owners = new Set(inputs.map((path) => path.split('/').slice(0, 2).join('/')));
    expect([...owners].sort()).toEqual([
      'apps/workbench',
      'node_modules/eventsource-parser',
      'packages/acp',
      'packages/client',
      'packages/core',
    ]);
    const script = readFileSync(join(folder, 'page.js'), 'utf8');
    expect(/["']node:\w|\brequire\(/.exec(script)?.[0]).toBeUndefined();
  });

  it('is small', () => {
    const script = readFileSync(join(folder, 'page.js'));
    // 274 KiB and 63 KiB, of which half are the validators of the protocol.
    expect(script.length).toBeLessThan(320 * KIB);
    expect(gzipSync(script).length).toBeLessThan(75 * KIB);
    expect(statSync(join(folder, 'style.css')).size).toBeLessThan(8 * KIB);
  });

  it('needs nothing of anybody else, and nothing that a strict policy forbids', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const style = readFileSync(join(folder, 'style.css'), 'utf8');
    expect(html).not.toMatch(/https?:|<style|\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)/);
    expect(style).not.toMatch(/url\(|@import/);
  });

  it('has no way to make HTML of a text', () => {
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    for (const name of sources.filter((path) => path.endsWith('.ts'))) {
      const text = readFileSync(join(SOURCES, name), 'utf8');
      expect(text, name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function/,
      );
    }
  });
});
