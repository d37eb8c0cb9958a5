import { createMemoryTransports, memberText, Peer, RawJson } from '@signalbox/acp';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf } from './editor.ts';
import { script, Stage } from './stage.ts';

const NEW_SESSION =
  '{"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask","x":12345678901234567890}]},' +
  '"configOptions":[],"_meta":{"big":1.0}}';
const SERVERS = '[{"name":"a","command":"/bin/a","args":[],"env":[],"port":9007199254740993}]';

describe('session/new', () => {
  it('answers with our id and what the agent said, exactly', async () => {
    const stage = await Stage.open({ env: { NEW_SESSION } });
    const editor = await stage.connect();
    const { sessionId } = await editor.open(stage.folder);
    const frame = editor.frames.find((text) => text.includes('availableModes')) ?? '';
    const result = memberText(frame, 'result') ?? '';
    expect(memberText(result, 'modes')).toBe(memberText(NEW_SESSION, 'modes'));
    expect(memberText(result, 'configOptions')).toBe('[]');
    expect(memberText(result, '_meta')).toBe('{"big":1.0}');
    expect(result).not.toContain('agent-session');
    expect((await stage.host.listSessions({ limit: 9 })).map((line) => line.sessionId)).toEqual([
      sessionId,
    ]);
  });

  it('gives the agent the folder and the MCP servers, exactly as they came', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const { result } = await editor.connection.requestOther(
      'session/new',
      new RawJson(`{"cwd":${JSON.stringify(stage.folder)},"mcpServers":${SERVERS}}`),
    );
    const { sessionId } = result as { sessionId: string };
    await editor.prompt(sessionId, script({ received: true }));
    // The fixture decodes what it gets, so of the large number only its nearest double is left.
    expect(JSON.parse(editor.said[0] ?? '')).toEqual([
      { cwd: stage.folder, mcpServers: JSON.parse(SERVERS) as unknown },
    ]);
  });

  it('sends what came early behind the answer that names the session', async () => {
    const stage = await Stage.open({ agent: 'early-updates' });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await editor.untilSaid('right behind');
    expect(editor.said).toEqual(['before', 'same write', 'right behind']);
    expect(editor.arrived.every((item) => item.sessionId === sessionId)).toBe(true);
    const answer = editor.frames.findIndex((text) => text.includes(`"sessionId":"${sessionId}"}`));
    const first = editor.frames.findIndex((text) => text.includes('session/update'));
    expect(answer).toBeLessThan(first);
  });

  it('passes the wish for a sign-in on, and leaves no session behind', async () => {
    const stage = await Stage.open({ env: { AUTH: '/nonexistent/file' } });
    const editor = await stage.connect();
    expect(await errorOf(editor.newSession(stage.folder))).toMatchObject({
      code: -32000,
      message: 'Sign in first',
      data: { why: 'no key' },
    });
    expect(await stage.host.listSessions({ limit: 9 })).toEqual([]);
  });

  const FOLDERS: [name: string, cwd: string][] = [
    ['relative', '.'],
    ['empty', ''],
    ['missing', '/nonexistent/folder'],
    ['not to be asked for', '/tmp/\0'],
    ['longer than any', `/${'a'.repeat(300)}`],
  ];
  it.each(FOLDERS)('refuses a folder that is %s, and makes nothing', async (_name, cwd) => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    expect(await errorOf(editor.newSession(cwd))).toMatchObject({ code: -32602 });
    expect(await stage.host.listSessions({ limit: 9 })).toEqual([]);
  });

  const MCP_SERVERS: [name: string, servers: unknown, place: string][] = [
    ['missing', undefined, "'mcpServers'"],
    ['no list', {}, '/mcpServers'],
    ['in part malformed', [{ name: 'a', command: '/a', args: [], env: [] }, {}], '/mcpServers/1'],
    ['without their environment', [{ name: 'a', command: '/a', args: [] }], '/mcpServers/0'],
    ['without their headers', [{ type: 'http', name: 'a', url: 'http://a' }], '/mcpServers/0'],
  ];
  // The protocol wants all of these members; an agent would refuse the session, or drop the server unseen.
  it.each(MCP_SERVERS)('refuses MCP servers that are %s, by their place (B40)', async (...row) => {
    const [, mcpServers, place] = row;
    const stage = await Stage.open();
    const editor = await stage.connect();
    const params = { cwd: stage.folder, mcpServers };
    const error = await errorOf(editor.connection.requestOther('session/new', params));
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(place) as string,
    });
    expect(await stage.host.listSessions({ limit: 9 })).toEqual([]);
  });

  const ROOTS: [name: string, roots: unknown][] = [
    ['no list', 'x'],
    ['a list with a number', [1]],
    ['an empty path', ['']],
    ['a relative path', ['a/b']],
  ];
  it.each(ROOTS)('refuses further roots that are %s', async (_name, additionalDirectories) => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const params = { cwd: stage.folder, mcpServers: [], additionalDirectories };
    const error = await errorOf(editor.connection.requestOther('session/new', params));
    expect(error).toMatchObject({ code: -32602 });
    expect(await stage.host.listSessions({ limit: 9 })).toEqual([]);
  });

  it('leaves nothing behind when the client goes away while the agent starts', async () => {
    const folder = await Stage.open();
    const go = join(folder.folder, 'go');
    const stage = await Stage.open({ agent: 'slow-to-start', env: { GO: go } });
    const [ours, theirs] = createMemoryTransports();
    const server = stage.serve(ours);
    const peer = new Peer(theirs, { onRequest: () => ({}), onNotification: () => undefined });
    writeFileSync(go, '');
    await peer.request('initialize', { protocolVersion: 1 });
    rmSync(go);
    const answer = peer.request('session/new', { cwd: stage.folder, mcpServers: [] });
    const failed = errorOf(answer);

    await stage.untilSessions(1);
    await peer.close();
    await failed;
    writeFileSync(go, '');
    await server.closed;
    await stage.untilSessions(0);
  });
});
