import { once } from 'node:events';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientConnection, memberText } from '@signalbox/acp';
import { createStdioTransport } from '@signalbox/acp/stdio';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announcedServers, type AnnouncedServer } from './announced-servers.ts';
import { createPlace, script, type Place, type Running } from './signalbox.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/signalbox.js', import.meta.url));
const SAY = script({ say: 'hello from the server' });

let place: Place;
let server: Running | undefined;

beforeEach(() => {
  place = createPlace();
});
afterEach(async () => {
  server?.child.kill();
  await server?.finished;
  server = undefined;
  place.dispose();
});

async function serve(...args: string[]): Promise<AnnouncedServer> {
  server = place.start('serve', '--port', '0', '--yes', ...args);
  await server.whenPrinted('Ctrl-C');
  return announcedBy(server);
}

function announcedBy({ child }: Running): AnnouncedServer {
  const own = announcedServers(place).find(({ pid }) => pid === child.pid);
  if (own === undefined) throw new Error('the server is not announced');
  return own;
}

/** An editor with `signalbox acp --server` as its agent command. */
function editor(...args: string[]): {
  connection: ClientConnection;
  end: () => void;
  said: string[];
} {
  const child = spawn(process.execPath, [PROGRAM, 'acp', '--server', ...args], {
    cwd: place.cwd,
    env: { ...process.env, SIGNALBOX_DATA: join(place.cwd, 'data') },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const said: string[] = [];
  const connection = new ClientConnection(createStdioTransport(child.stdout, child.stdin), {
    requests: {},
    notifications: {
      'session/update': ({ update }) => {
        if (update.sessionUpdate !== 'agent_message_chunk') return;
        if (update.content.type === 'text') said.push(update.content.text);
      },
    },
  });
  return { connection, said, end: () => child.stdin.end() };
}

describe('signalbox serve', () => {
  it('serves, says how to come in, and ends in good order leaving nothing behind', async () => {
    const { url, token, file } = await serve();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/v1/sessions`)).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect(await (await fetch(`${url}/v1/sessions`, { headers })).json()).toEqual({ sessions: [] });
    server?.child.kill();
    const { stdout, code } = (await server?.finished) ?? {};
    expect(code).toBe(0);
    expect(stdout).toContain(`${url}/login#code=`);
    expect(stdout).not.toContain(token);
    expect(announcedServers(place)).toEqual([]);
    expect((await place.run('token', 'list')).stdout).toBe('');
  });

  it('leaves another one that runs on the same sessions to be found', async () => {
    const first = await serve();
    const second = place.start('serve', '--port', '0');
    await second.whenPrinted('Ctrl-C');
    const login = async (): Promise<string> => (await place.run('login')).stdout;
    expect(await login()).toContain(announcedBy(second).url);
    second.child.kill();
    await second.finished;
    expect(await login()).toContain(first.url);
  });

  it('takes back what one that was killed has left, and tells nobody its token', async () => {
    const killed = await serve();
    server?.child.kill('SIGKILL');
    await server?.finished;
    // Its pid is given out again, to a program that knows nothing of it.
    const reused = { ...killed, pid: process.pid };
    const file = join(place.cwd, 'data', 'servers', `${process.pid}.json`);
    renameSync(killed.file, file);
    writeFileSync(file, JSON.stringify(reused));
    expect((await place.run('login')).stderr).toContain('No server runs on this machine');
    const { token, url } = await serve();
    expect(announcedServers(place).map((each) => each.token)).toEqual([token]);
    const ask = async (secret: string): Promise<number> =>
      (await fetch(`${url}/v1/sessions`, { headers: { authorization: `Bearer ${secret}` } }))
        .status;
    expect([await ask(killed.token), await ask(token)]).toEqual([401, 200]);
  });

  it('ends in good order also when it is told to before it serves', async () => {
    server = place.start('serve', '--port', '0', '--log', 'json');
    // The first line of its log comes before it is announced.
    await once(server.child.stderr ?? server.child, 'data');
    server.child.kill();
    expect((await server.finished).code).toBe(0);
    expect(announcedServers(place)).toEqual([]);
    expect((await place.run('token', 'list')).stdout).toBe('');
  });

  it('starts no program that somebody names over the network', async () => {
    const { url, token } = await serve();
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const named = await fetch(`${url}/acp/agents/${encodeURIComponent('/bin/sh -c true')}`, {
      headers,
    });
    expect(named.status).toBe(404);
  });

  it.each([
    [['--agent', 'no-such-agent'], 'no-such-agent'],
    [['--tls-cert', 'a.pem'], '--tls-key'],
    [['--host', '0.0.0.0'], '0.0.0.0'],
    [['--log', 'loud'], 'loud'],
  ])('refuses %j and says why', async (args, why) => {
    const { code, stderr } = await place.run('serve', '--port', '0', ...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(why);
  });
});

describe('an editor on a server', () => {
  it('works with sessions that live there, and goes on after a restart of the server', async () => {
    const { url } = await serve();
    const { connection, said, end } = editor();
    await connection.initialize({ clientCapabilities: {} });
    const { sessionId } = await connection.request('session/new', {
      cwd: place.cwd,
      mcpServers: [],
    });
    const prompt = { sessionId, prompt: [{ type: 'text', text: SAY } as const] };
    expect(await connection.request('session/prompt', prompt)).toEqual({ stopReason: 'end_turn' });
    expect(said.join('')).toBe('hello from the server');
    server?.child.kill();
    await server?.finished;
    await serve('--port', new URL(url).port);
    expect(await connection.request('session/prompt', prompt)).toEqual({ stopReason: 'end_turn' });
    expect(said.join('')).toBe('hello from the server'.repeat(2));
    end();
    await connection.closed;
  });
});

describe('signalbox attach', () => {
  it('shows a session, and prompts it', async () => {
    await serve();
    const { connection, end } = editor();
    await connection.initialize({ clientCapabilities: {} });
    const created = await connection.requestOther('session/new', {
      cwd: place.cwd,
      mcpServers: [],
    });
    const sessionId = JSON.parse(
      memberText(memberText(created.text, 'result') ?? '', 'sessionId') ?? '',
    ) as string;
    const prompted = await place.run('attach', 'last', '--prompt', SAY);
    expect(prompted.stdout).toContain('hello from the server');
    expect(prompted.code).toBe(0);
    const shown = await place.run(
      'attach',
      sessionId.slice(0, 18),
      '--until-idle',
      '--role',
      'observer',
    );
    expect(shown.stdout).toContain('hello from the server');
    expect(shown.code).toBe(0);
    end();
  });

  it('says so when there is no server, no session, or no leave', async () => {
    expect((await place.run('attach', 'last')).stderr).toContain('signalbox serve');
    const { url } = await serve();
    expect((await place.run('attach', 'nothing')).stderr).toContain('nothing');
    const stranger = createPlace({ SIGNALBOX_TOKEN: 'sbx_wrong' });
    const refused = await stranger.run('attach', 'last', '--server', url);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/401|token|sign/);
    stranger.dispose();
  });
});

describe('signalbox token', () => {
  it('makes tokens that work until they are revoked', async () => {
    const { url } = await serve();
    const made = await place.run('token', 'create', 'ci', '--role', 'observer', '--days', '1');
    const secret = made.stdout.trim();
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(`${url}/v1/sessions`, { headers })).status).toBe(200);
    const id = made.stderr.slice(0, made.stderr.indexOf(':'));
    expect((await place.run('token', 'list')).stdout).toContain(id);
    expect((await place.run('token', 'revoke', id)).code).toBe(0);
    expect((await fetch(`${url}/v1/sessions`, { headers })).status).toBe(401);
    expect((await place.run('token', 'revoke', id)).code).toBe(2);
  });

  it('a link signs one browser in, once', async () => {
    const { url } = await serve();
    const { stdout } = await place.run('login', '--role', 'observer');
    const code = stdout.trim().split('#code=')[1];
    const signIn = (): Promise<Response> =>
      fetch(`${url}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ code }),
      });
    const first = await signIn();
    expect(first.ok).toBe(true);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/);
    expect((await signIn()).ok).toBe(false);
  });
});
