import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedClock } from '@signalbox/host';
import { describe, expect, it } from 'vitest';
import { errorOf, type Editor } from './editor.ts';
import { Stage } from './stage.ts';

/** All pages of the list. */
async function pages(editor: Editor, params: { cwd?: string } = {}): Promise<string[][]> {
  const all: string[][] = [];
  let cursor: string | undefined;
  do {
    const request = cursor === undefined ? params : { ...params, cursor };
    const page = await editor.connection.request('session/list', request);
    all.push(page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

describe('session/list', () => {
  it('names sessions with folder, title and time, the newest first', async () => {
    const clock = new SimulatedClock();
    const stage = await Stage.open({ clock });
    const editor = await stage.connect();
    const first = await editor.newSession(stage.folder);
    await editor.prompt(first, 'What is this?');
    clock.advance(5000);
    const second = await editor.newSession(stage.folder);
    const { sessions, nextCursor } = await editor.connection.request('session/list', {});
    expect(sessions).toMatchObject([
      { sessionId: second, cwd: stage.folder },
      { sessionId: first, cwd: stage.folder, title: 'What is this?' },
    ]);
    expect(sessions[0]?.title).toBeUndefined();
    expect(new Date(sessions[0]?.updatedAt ?? '').getTime()).toBe(clock.now());
    expect(nextCursor).toBeUndefined();
  });

  it('finds a folder by any number of slashes at its end, and takes no time for others', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const slashes = '/'.repeat(300_000);
    expect(await pages(editor, { cwd: `${stage.folder}${slashes}` })).toEqual([[sessionId]]);
    // Where each run of slashes is looked at from each of its places this takes a minute and more.
    expect(await pages(editor, { cwd: `${stage.folder}${slashes}x` })).toEqual([[]]);
  });

  it('has the title that an agent gives, also outside of any turn (B34)', async () => {
    const stage = await Stage.open({ agent: 'goes-on' });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const update = { sessionUpdate: 'session_info_update', title: 'The title' };
    void editor.connection.notifyOther('_test/update', { sessionId, update });
    await editor.until(() => editor.updates().length === 1);
    const titles = async (): Promise<unknown> => {
      const { sessions } = await editor.connection.request('session/list', {});
      return sessions.map(({ title }) => title);
    };
    await expect.poll(titles).toEqual(['The title']);
  });

  it('gives each of 500 sessions of one moment once, while more are made', async () => {
    const stage = await Stage.open({ clock: new SimulatedClock() });
    const make = async (): Promise<string> => {
      const { id } = await stage.host.createSession({ agent: 'scripted', cwd: stage.folder });
      await stage.host.closeSession(id);
      return id;
    };
    const made = await Promise.all(Array.from({ length: 500 }, make));
    const editor = await stage.connect();
    const seen: string[] = [];
    let cursor: string | undefined;
    let pageCount = 0;
    do {
      const request = cursor === undefined ? {} : { cursor };
      const page = await editor.connection.request('session/list', request);
      seen.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor ?? undefined;
      pageCount++;
      await make();
    } while (cursor !== undefined);
    expect(pageCount).toBeGreaterThan(4);
    expect(new Set(seen).size).toBe(seen.length);
    expect(made.filter((id) => !seen.includes(id))).toEqual([]);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  it('ends where the last page is full', async () => {
    const stage = await Stage.open();
    for (let count = 0; count < 100; count++) {
      const { id } = await stage.host.createSession({ agent: 'scripted', cwd: stage.folder });
      await stage.host.closeSession(id);
    }
    const editor = await stage.connect();
    expect((await pages(editor)).map(({ length }) => length)).toEqual([100]);
  });

  it('keeps to the sessions of one folder, however it is spelled', async () => {
    const stage = await Stage.open();
    const inner = join(stage.folder, 'inner');
    mkdirSync(inner);
    symlinkSync(inner, join(stage.folder, 'link'));
    const editor = await stage.connect();
    const outside = await editor.newSession(stage.folder);
    const inside = await editor.newSession(inner);
    expect(await pages(editor, { cwd: stage.folder })).toEqual([[outside]]);
    expect(await pages(editor, { cwd: inner })).toEqual([[inside]]);
    expect(await pages(editor, { cwd: `${inner}/` })).toEqual([[inside]]);
    expect(await pages(editor, { cwd: join(stage.folder, 'link') })).toEqual([[inside]]);
    expect(await pages(editor, { cwd: '/nonexistent' })).toEqual([[]]);
  });

  it('keeps to the sessions with the agent that is served', async () => {
    const stage = await Stage.open();
    await stage.host.createSession({ agent: 'chunks', cwd: stage.folder });
    const editor = await stage.connect();
    expect(await pages(editor)).toEqual([[]]);
  });

  it('refuses a cursor that it did not give out, or not for this question', async () => {
    const stage = await Stage.open();
    for (let count = 0; count < 101; count++) {
      const { id } = await stage.host.createSession({ agent: 'scripted', cwd: stage.folder });
      await stage.host.closeSession(id);
    }
    const editor = await stage.connect();
    const { nextCursor } = await editor.connection.request('session/list', {});
    const cursors = ['', 'nonsense', 'NaN', '-1', `${nextCursor}x`, ` ${nextCursor}`];
    for (const cursor of cursors) {
      const list = editor.connection.request('session/list', { cursor });
      expect(await errorOf(list)).toMatchObject({ code: -32602 });
    }
    const other = { cursor: nextCursor ?? '', cwd: stage.folder };
    expect(await errorOf(editor.connection.request('session/list', other))).toMatchObject({
      code: -32602,
    });
    expect(await errorOf(editor.connection.request('session/list', { cwd: '.' }))).toMatchObject({
      code: -32602,
    });
  });

  it('changes nothing', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    await editor.newSession(stage.folder);
    const list = (): Promise<unknown> => editor.connection.request('session/list', { cwd: null });
    expect(await list()).toEqual(await list());
    expect(editor.arrived).toEqual([]);
  });
});
