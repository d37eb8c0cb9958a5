import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memberText, RawJson, RpcError } from '@signalbox/acp';
import { describe, expect, it } from 'vitest';
import { script, Stage, update } from './stage.ts';

const FILES = { fs: { readTextFile: true, writeTextFile: true } };
const NODE = process.execPath;

describe('what an editor can', () => {
  it('is what the agent uses: files under our id, with exact params and results', async () => {
    const stage = await Stage.open();
    const seen: string[] = [];
    const editor = await stage.connect({
      capabilities: FILES,
      requests: {
        'fs/read_text_file': (_params, _context, { text }) => {
          seen.push(memberText(text, 'params') ?? '');
          return new RawJson('{"content":"unsaved","n":12345678901234567890}');
        },
      },
    });
    const sessionId = await editor.newSession(stage.folder);
    const path = join(stage.folder, 'a.txt');
    writeFileSync(path, 'on disk');
    await editor.prompt(sessionId, script({ call: ['fs/read_text_file', { path, line: 2 }] }));
    expect(editor.said[0]).toContain('"content":"unsaved"');
    const [params = ''] = seen;
    expect(memberText(params, 'sessionId')).toBe(JSON.stringify(sessionId));
    expect(memberText(params, 'path')).toBe(JSON.stringify(path));
    expect(memberText(params, 'line')).toBe('2');
  });

  it('fails with its own error', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({
      capabilities: FILES,
      requests: {
        'fs/read_text_file': () => {
          throw new RpcError(-32002, 'No such buffer', { uri: 'file:///x' });
        },
      },
    });
    const sessionId = await editor.newSession(stage.folder);
    const path = join(stage.folder, 'a.txt');
    writeFileSync(path, 'on disk');
    await editor.prompt(sessionId, script({ call: ['fs/read_text_file', { path }] }));
    expect(JSON.parse(editor.said[0] ?? '')).toEqual({
      code: -32002,
      message: 'No such buffer',
      data: { uri: 'file:///x' },
    });
  });

  it('is not asked of it when it did not announce it: the host does it', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const path = join(stage.folder, 'a.txt');
    writeFileSync(path, 'on disk');
    await editor.prompt(sessionId, script({ call: ['fs/read_text_file', { path }] }));
    expect(JSON.parse(editor.said[0] ?? '')).toEqual({ content: 'on disk' });
  });

  it('is done by the host again when the editor is gone', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({
      capabilities: FILES,
      requests: { 'fs/read_text_file': () => ({ content: 'unsaved' }) },
    });
    const other = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await other.load(sessionId, stage.folder);
    await editor.connection.close();
    await editor.server.closed;
    const path = join(stage.folder, 'a.txt');
    writeFileSync(path, 'on disk');
    await other.prompt(sessionId, script({ call: ['fs/read_text_file', { path }] }));
    expect(JSON.parse(other.said[0] ?? '')).toEqual({ content: 'on disk' });
  });

  it('does not hide what others write meanwhile from the host, which writes for the agent afterwards', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({
      capabilities: { fs: { readTextFile: true } },
      requests: { 'fs/read_text_file': ({ path }) => ({ content: readFileSync(path, 'utf8') }) },
    });
    const sessionId = await editor.newSession(stage.folder);
    const path = join(stage.folder, 'a.txt');
    const read = { call: ['fs/read_text_file', { path }] };
    const write = { call: ['fs/write_text_file', { path, content: 'mine' }] };
    writeFileSync(path, 'one');
    await editor.prompt(sessionId, script(read));
    writeFileSync(path, 'theirs');
    await editor.prompt(sessionId, script(write));
    expect(JSON.parse(editor.said[1] ?? '')).toMatchObject({ data: { reason: 'conflict' } });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    await editor.prompt(sessionId, script(read, write));
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('counts as written by the agent, for the host that serves it again', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({
      capabilities: FILES,
      requests: {
        'fs/read_text_file': ({ path }) => ({ content: readFileSync(path, 'utf8') }),
        'fs/write_text_file': ({ path, content }) => {
          writeFileSync(path, content);
          return {};
        },
      },
    });
    const other = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await other.load(sessionId, stage.folder);
    const path = join(stage.folder, 'a.txt');
    const write = (content: string) => ({ call: ['fs/write_text_file', { path, content }] });
    writeFileSync(path, 'one');
    await editor.prompt(sessionId, script({ call: ['fs/read_text_file', { path }] }, write('two')));
    await editor.connection.close();
    await editor.server.closed;
    await other.prompt(sessionId, script(write('three')));
    expect(readFileSync(path, 'utf8')).toBe('three');
    writeFileSync(path, 'theirs');
    await other.prompt(sessionId, script(write('four')));
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('ends with the editor, also what the agent waits for', async () => {
    const stage = await Stage.open();
    let waits = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    const editor = await stage.connect({
      capabilities: { terminal: true },
      requests: {
        'terminal/create': () => ({ terminalId: 'term-of-editor' }),
        'terminal/wait_for_exit': () => {
          waits();
          return new Promise(() => undefined);
        },
      },
    });
    const other = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await other.load(sessionId, stage.folder);
    const id = { terminalId: 'term-of-editor' };
    const calls = ['terminal/wait_for_exit', 'terminal/output'].map((name) => ({
      call: [name, id],
    }));
    const create = { call: ['terminal/create', { command: 'sleep', args: ['500'] }] };
    const answer = other.prompt(sessionId, script(create, ...calls));
    await waiting;
    await editor.connection.close();
    expect(await answer).toEqual({ stopReason: 'end_turn' });
    expect(other.said.slice(1).map((text) => JSON.parse(text) as object)).toMatchObject([
      { code: -32603, data: { reason: 'closed' } },
      { code: -32002, data: id },
    ]);
  });

  it('passes elicitations on to an editor that takes them', async () => {
    const stage = await Stage.open();
    const editor = await stage.connect({
      capabilities: { elicitation: { form: {} } },
      requests: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'x' } }) },
    });
    const sessionId = await editor.newSession(stage.folder);
    const form = {
      mode: 'form',
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    };
    await editor.prompt(sessionId, script({ call: ['elicitation/create', form] }));
    expect(JSON.parse(editor.said[0] ?? '')).toEqual({ action: 'accept', content: { name: 'x' } });
  });
});

const embed = (terminalId: string, extra = ''): object =>
  update(
    `{"sessionUpdate":"tool_call","toolCallId":"t","title":"Run"${extra},"content":` +
      `[{"type":"terminal","terminalId":${JSON.stringify(terminalId)}},` +
      '{"type":"content","content":{"type":"text","text":"beside"},"n":1.0}]}',
  );

describe('a terminal in a tool call', () => {
  it('of the editor itself is told by its id', async () => {
    const stage = await Stage.open();
    const terminals = {
      'terminal/create': () => ({ terminalId: 'term-of-editor' }),
      'terminal/release': () => ({}),
    };
    const editor = await stage.connect({ capabilities: { terminal: true }, requests: terminals });
    const other = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    await other.load(sessionId, stage.folder);
    const steps = script(
      { call: ['terminal/create', { command: 'true' }] },
      embed('term-of-editor', ',"x":1.0'),
    );
    await editor.prompt(sessionId, steps);
    await other.until(() => other.story.includes('tool_call: t'));
    const exact = editor.arrived.find(isToolCall)?.text ?? '';
    expect(memberText(exact, 'content')).toContain('"terminalId":"term-of-editor"');
    const shown = other.arrived.find(isToolCall)?.text ?? '';
    expect(memberText(shown, 'content')).not.toContain('term-of-editor');
    expect(memberText(shown, 'content')).toContain('"text":"beside"},"n":1.0}');
    expect(memberText(shown, 'x')).toBe('1.0');
  });

  it('of the host is told as text, with the output when it has ended, live and on load', async () => {
    const stage = await Stage.open({ agent: 'embeds-terminal' });
    const editor = await stage.connect();
    const sessionId = await editor.newSession(stage.folder);
    const line = ['-e', 'console.log("out" + "put"); process.exitCode = 3'];
    await editor.prompt(sessionId, JSON.stringify({ command: NODE, args: line }));
    await editor.until(() =>
      editor.updates().some((item) => toText(item).includes('[exit code 3]')),
    );
    expect(editor.updates().map(toText).join()).not.toContain('"terminal"');
    const [first, last] = editor.updates();
    expect(first).toMatchObject({ sessionUpdate: 'tool_call', content: [{ type: 'content' }] });
    expect(toText(first)).toContain(`$ ${NODE} -e`);
    expect(last).toMatchObject({ sessionUpdate: 'tool_call_update', toolCallId: 'run' });
    expect(toText(last)).toContain('output');
    const other = await stage.connect();
    await other.load(sessionId, stage.folder);
    const loaded = other.updates().find((item) => item.sessionUpdate === 'tool_call');
    expect(toText(loaded)).toContain('[exit code 3]');
  });
});

function isToolCall({ update: { sessionUpdate } }: { update: { sessionUpdate: string } }): boolean {
  return sessionUpdate === 'tool_call';
}

function toText(value: unknown): string {
  return JSON.stringify(value);
}
