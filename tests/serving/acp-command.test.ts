import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClientConnection } from '@signalbox/acp';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { openSqliteJournal } from '@signalbox/host';
import { decodeEvent } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markedProcesses } from '../../packages/host/src/agents/process-tree.ts';
import { SOON } from '../server/ask.ts';
import { errorOf } from './editor.ts';
import { fixture, say, script } from './stage.ts';

const RUNNER = fileURLToPath(new URL('acp-runner.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-acp-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: ClientConnection;
  readonly said: string[];
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  untilSaid(text: string): Promise<void>;
}

/** `signalbox acp` as an editor starts it. */
function start(agent = 'scripted', options: object = {}): Started {
  const command = `"${process.execPath}" "${fixture(agent)}"`;
  const more = { env: [`STARTS=${join(folder, 'starts')}`], ...options };
  const child = spawn(
    process.execPath,
    ['--conditions=@signalbox/source', RUNNER, command, JSON.stringify(more)],
    {
      cwd: folder,
      env: {
        ...process.env,
        SIGNALBOX_DATA: join(folder, 'data'),
        SIGNALBOX_CONFIG: join(folder, 'config.json'),
      },
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  const connection = new ClientConnection(createStdioTransport(child.stdout, child.stdin), {
    requests: {},
    notifications: {
      'session/update': ({ update }) => {
        if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text')
          return;
        said.push(update.content.text);
        for (const wake of waiting) wake();
      },
    },
  });
  const untilSaid = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => void (said.includes(text) && resolve());
      waiting.push(check);
      check();
    });
  return {
    child,
    connection,
    said,
    exited,
    untilSaid,
    stdout: () => stdout,
    stderr: () => stderr,
  };
}

async function open(started: Started): Promise<string> {
  await started.connection.initialize({ clientCapabilities: {} });
  const place = { cwd: folder, mcpServers: [] };
  return (await started.connection.request('session/new', place)).sessionId;
}

function prompt({ connection }: Started, sessionId: string, text: string): Promise<unknown> {
  return connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}

/** How the turns of a session ended, from the data folder. */
async function ends(sessionId: string): Promise<unknown[]> {
  const journal = await openSqliteJournal({ file: join(folder, 'data', 'journal.db') });
  const stored = await journal.read(sessionId, 0, Infinity);
  await journal.close();
  return stored
    .map(({ body }) => decodeEvent(body))
    .flatMap((event) => (event.type === 'turn.finished' ? [event.data.end] : []));
}

describe('signalbox acp', () => {
  it('serves an editor on stdio, writes nothing but the protocol, and ends with it', async () => {
    const started = start();
    const sessionId = await open(started);
    expect(await prompt(started, sessionId, script(say('hello')))).toEqual({
      stopReason: 'end_turn',
    });
    expect(started.said).toEqual(['hello']);
    started.child.stdin.end();
    expect(await started.exited).toBe(0);
    const lines = started.stdout().trimEnd().split('\n');
    expect(lines.every((line) => line.startsWith('{"jsonrpc":"2.0"'))).toBe(true);
    expect(markedProcesses(sessionId)).toEqual([]);
  });

  it('cancels what runs when the editor goes away, and leaves no process', async () => {
    const started = start('leaves-children');
    const sessionId = await open(started);
    await prompt(started, sessionId, 'stay');
    expect(markedProcesses(sessionId)).toHaveLength(3);
    const slow = start();
    const other = await open(slow);
    const running = errorOf(prompt(slow, other, script(say('on it'), { cancel: true })));
    await slow.untilSaid('on it');
    started.child.stdin.end();
    slow.child.stdin.destroy();
    slow.child.stdout.destroy();
    expect(await Promise.all([started.exited, slow.exited])).toEqual([0, 0]);
    await running;
    expect(await ends(other)).toEqual([{ kind: 'stopped', stopReason: 'cancelled' }]);
    expect(markedProcesses(sessionId)).toEqual([]);
    expect(markedProcesses(other)).toEqual([]);
  });

  it('ends the commands that it runs for an agent as well (B41)', async () => {
    const started = start('embeds-terminal');
    const sessionId = await open(started);
    const command = JSON.stringify({ command: 'sleep', args: ['300'] });
    const running = errorOf(prompt(started, sessionId, command));
    await expect.poll(() => markedProcesses(sessionId).length, SOON).toBe(2);
    started.child.stdin.end();
    expect(await started.exited).toBe(0);
    await running;
    expect(markedProcesses(sessionId)).toEqual([]);
    // Nobody has told this agent how to stop, so it was ended.
    expect(await ends(sessionId)).toMatchObject([{ kind: 'stopped', stopReason: 'cancelled' }]);
  });

  it('lives on without its agent, and says for each session why there is none (B23)', async () => {
    const started = start('no-such-file');
    await started.connection.initialize({ clientCapabilities: {} });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const place = { cwd: folder, mcpServers: [] };
      const error = await errorOf(started.connection.request('session/new', place));
      expect(error).toMatchObject({ data: { failure: 'agent_handshake_failed' } });
      expect(error.message).toContain('Cannot find module');
    }
    started.child.stdin.end();
    expect(await started.exited).toBe(0);
  });

  it('ends in order on SIGTERM, and answers the prompt before that', async () => {
    const started = start();
    const sessionId = await open(started);
    const running = errorOf(prompt(started, sessionId, script(say('on it'), { cancel: true })));
    await started.untilSaid('on it');
    started.child.kill('SIGTERM');
    // Nobody has cancelled the turn: we have given the request up.
    expect(await running).toMatchObject({ code: -32800 });
    expect(await started.exited).toBe(0);
    expect(await ends(sessionId)).toEqual([{ kind: 'stopped', stopReason: 'cancelled' }]);
  });

  it('goes on with a session in the next process', async () => {
    const first = start();
    const sessionId = await open(first);
    await prompt(first, sessionId, 'remember me');
    first.child.stdin.end();
    await first.exited;
    const second = start();
    await second.connection.initialize({ clientCapabilities: {} });
    const place = { sessionId, cwd: folder, mcpServers: [] };
    await second.connection.request('session/load', place);
    expect(second.said).toEqual(['remember me']);
    expect(await prompt(second, sessionId, 'more')).toEqual({ stopReason: 'end_turn' });
    second.child.stdin.end();
    await second.exited;
    // One process to ask what the agent can, in all, and one for each session that was prompted.
    expect(readFileSync(join(folder, 'starts'), 'utf8').trimEnd().split('\n')).toHaveLength(3);
  });

  it('says in a session that another process runs that it does', async () => {
    const [first, second] = [start(), start()];
    const sessionId = await open(first);
    await second.connection.initialize({ clientCapabilities: {} });
    const place = { sessionId, cwd: folder, mcpServers: [] };
    expect(await errorOf(second.connection.request('session/load', place))).toMatchObject({
      code: -32011,
      data: { failure: 'session_in_use', sessionId },
    });
    for (const { child } of [first, second]) child.stdin.end();
    await Promise.all([first.exited, second.exited]);
  });

  it("runs the agent's own sign-in in a terminal", async () => {
    const authMethods = [
      { id: 'cli', name: 'CLI', type: 'terminal', args: ['--login'], env: { MARK: 'set' } },
    ];
    const env = [`INITIALIZE=${JSON.stringify({ authMethods })}`, `LOGIN=${join(folder, 'login')}`];
    const started = start('scripted', { env, login: 'cli' });
    started.child.stdin.end();
    expect(await started.exited).toBe(7);
    expect(existsSync(join(folder, 'login'))).toBe(true);
    expect(readFileSync(join(folder, 'login'), 'utf8')).toBe('--login set');
    const unknown = start('scripted', { env, login: 'nothing' });
    expect(await unknown.exited).not.toBe(0);
    expect(unknown.stderr()).toContain('no sign-in in a terminal');
  });
});
