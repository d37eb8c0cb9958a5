import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlace, script, type Place } from './signalbox.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/signalbox.js', import.meta.url));
const CHUNKS = fileURLToPath(new URL('../fixtures/agents/chunks.mjs', import.meta.url));
const BUILTIN = [process.execPath, PROGRAM, 'agent'];
/** Sends everything back as it came. */
const ECHO = [process.execPath, '-e', 'process.stdin.pipe(process.stdout)'];

let place: Place;
let file: string;
beforeEach(() => {
  place = createPlace();
  file = join(place.cwd, 'trace.ndjson');
});
afterEach(() => place.dispose());

/** `signalbox trace` with a client on its stdin and stdout, byte for byte. */
interface Tapped {
  readonly child: ChildProcess;
  /** Everything that came out so far. */
  readonly stdout: () => Buffer;
  readonly stderr: () => string;
  readonly finished: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves when stdout, or stderr, has this text. */
  whenSaid(text: string, where?: 'stdout' | 'stderr'): Promise<void>;
}

function tap(args: readonly string[], env: Record<string, string> = {}): Tapped {
  const child = spawn(process.execPath, [PROGRAM, 'trace', ...args], {
    cwd: place.cwd,
    env: { ...process.env, SIGNALBOX_CONFIG: place.configFile, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => output[name].push(chunk));
  }
  child.stdin.on('error', () => undefined);
  const text = (name: 'stdout' | 'stderr'): string => Buffer.concat(output[name]).toString('utf8');
  return {
    child,
    stdout: () => Buffer.concat(output.stdout),
    stderr: () => text('stderr'),
    finished: new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal }));
    }),
    async whenSaid(wanted, where = 'stdout') {
      while (!text(where).includes(wanted)) await once(child[where], 'data');
    },
  };
}

function message(content: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...content })}\n`;
}

/** A small client: the handshake, a session, a prompt, and yes to what the agent asks for. */
async function converse(tapped: Tapped, prompt: string): Promise<void> {
  const { child } = tapped;
  const send = (content: object): void => void child.stdin?.write(message(content));
  let rest = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, method, result } = JSON.parse(line) as {
        id?: number;
        method?: string;
        result?: { sessionId?: string };
      };
      if (method === 'session/request_permission') {
        send({ id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
      } else if (method === undefined && id === 1) {
        send({ id: 2, method: 'session/new', params: { cwd: place.cwd, mcpServers: [] } });
      } else if (method === undefined && id === 2) {
        const params = { sessionId: result?.sessionId, prompt: [{ type: 'text', text: prompt }] };
        send({ id: 3, method: 'session/prompt', params });
      } else if (method === undefined && id === 3) child.stdin?.end();
    }
  }
}

/** Records a conversation with an agent into the file. */
async function record(agent: readonly string[], prompt: string): Promise<void> {
  const tapped = tap(['--out', file, '--', ...agent]);
  tapped.child.stdin?.write(
    message({ id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  );
  await converse(tapped, prompt);
  expect(await tapped.finished).toEqual({ code: 0, signal: null });
}

/** What crossed the recorded connection in one direction, exactly. */
async function rawBytes(direction: 'in' | 'out'): Promise<Buffer> {
  const shown = tap(['show', file, '--raw', '--direction', direction]);
  await shown.finished;
  return shown.stdout();
}

describe('signalbox trace', () => {
  it('records the built-in agent, and the trace is valid', async () => {
    await record(
      BUILTIN,
      script({ say: 'Hello' }, { tool: 'write', input: { path: 'a.txt', text: 'x' } }),
    );
    const { stdout, code } = await place.run('trace', 'validate', file);
    expect(stdout).toMatch(/^\d+ messages: 0 errors/m);
    expect(code).toBe(0);
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('x');
  });

  const LINES: [name: string, bytes: Buffer][] = [
    ['big numbers and duplicate keys', Buffer.from('{"id":90071992547409931234,"a":1,"a":1.0}\n')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x0a, 0x7b, 0x7d, 0x0a])],
    ['carriage returns and empty lines', Buffer.from('{}\r\n\n \r\n{}\n')],
    ['line separators of Unicode', Buffer.from('{"a":"\u2028\u2029\u0085\ufeff"}\n')],
    ['a half line at the end', Buffer.from('{"jsonrpc":"2.0"}\n{"jsonrpc":"2.0","meth')],
    ['a line of 8 MiB', Buffer.from(`{"text":"${'ä'.repeat(4 * 1024 * 1024)}"}\n`)],
  ];
  it.each(LINES)('passes on and records %s, byte for byte', async (_, bytes) => {
    const tapped = tap(['--out', file, '--', ...ECHO]);
    tapped.child.stdin?.end(bytes);
    expect(await tapped.finished).toEqual({ code: 0, signal: null });
    expect(tapped.stdout().equals(bytes)).toBe(true);
    expect((await rawBytes('out')).equals(bytes)).toBe(true);
    expect((await rawBytes('in')).equals(bytes)).toBe(true);
  });

  it('has the whole trace when the agent is killed, and ends by the same signal', async () => {
    const agent = 'process.stdout.write(`{"pid":${process.pid}}\\n{"ha`); process.stdin.resume()';
    const tapped = tap(['--out', file, '--', process.execPath, '-e', agent]);
    await tapped.whenSaid('{"ha');
    const [, pid] = /"pid":(\d+)/.exec(tapped.stdout().toString('utf8')) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    expect(await tapped.finished).toEqual({ code: null, signal: 'SIGKILL' });
    expect((await rawBytes('in')).toString('utf8')).toBe(`{"pid":${pid}}\n{"ha`);
  });

  it('passes SIGTERM on, and has the whole trace when the agent ends by it', async () => {
    const agent =
      'process.on("SIGTERM", () => { process.stdout.write("{}\\n", () => process.exit(3)); });' +
      'process.stdin.resume(); process.stdout.write("{\\"ready\\":true}\\n")';
    const tapped = tap(['--out', file, '--', process.execPath, '-e', agent]);
    await tapped.whenSaid('ready');
    tapped.child.kill('SIGTERM');
    expect(await tapped.finished).toEqual({ code: 3, signal: null });
    expect((await rawBytes('in')).toString('utf8')).toBe('{"ready":true}\n{}\n');
  });

  it('writes each line as soon as it is whole, so that a kill of it loses none', async () => {
    const tapped = tap(['--out', file, '--', ...ECHO]);
    tapped.child.stdin?.write('{"a":1}\n');
    await tapped.whenSaid('{"a":1}');
    // The bytes are passed on first; the next line proves that the first one was recorded.
    tapped.child.stdin?.write('{"b":2}\n');
    await tapped.whenSaid('{"b":2}');
    tapped.child.kill('SIGKILL');
    await tapped.finished;
    expect((await rawBytes('in')).toString('utf8')).toContain('{"a":1}\n');
    expect((await rawBytes('out')).toString('utf8')).toContain('{"a":1}\n{"b":2}\n');
  });

  it("gives the agent its caller's environment, folder and stderr, and keeps its exit code", async () => {
    const agent =
      'process.stderr.write(`${process.env.MARK} ${process.cwd()}\\n`); process.exit(7)';
    const tapped = tap(['-o', file, '--', process.execPath, '-e', agent], { MARK: 'my mark' });
    expect(await tapped.finished).toEqual({ code: 7, signal: null });
    expect(tapped.stderr()).toContain(`my mark ${place.cwd}\n`);
    expect(tapped.stderr().split(`recording to ${file}`)).toHaveLength(2);
    expect(tapped.stdout()).toHaveLength(0);
  });

  it('says that an agent could not be started', async () => {
    const tapped = tap(['--out', file, '--', 'no-such-agent']);
    expect(await tapped.finished).toEqual({ code: 20, signal: null });
    expect(tapped.stderr()).toContain('the agent could not be started');
  });

  it('makes a file of its own in the data folder, for its owner alone', async () => {
    const data = join(place.cwd, 'data');
    const tapped = tap(ECHO, { SIGNALBOX_DATA: data });
    tapped.child.stdin?.end('{}\n');
    await tapped.finished;
    const folder = join(data, 'traces');
    const [name = ''] = readdirSync(folder);
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+Z-node\.ndjson$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('reads no more from the agent than the client takes, and keeps nothing', async () => {
    // The agent tells when it could write no more for a while, and again when all is written.
    const agent = `
      const line = JSON.stringify({ text: 'x'.repeat(100_000) }) + '\\n';
      let left = 400, told;
      const more = () => {
        clearTimeout(told);
        while (left-- > 0) if (!process.stdout.write(line)) {
          told = setTimeout(() => process.stderr.write('full\\n'), 200);
          return;
        }
        process.stdout.write('', () => { process.stderr.write('all\\n'); process.exit(0); });
      };
      process.stdout.on('drain', more);
      more();`;
    const tapped = tap(['--out', '/dev/null', '--', process.execPath, '-e', agent]);
    tapped.child.stdout?.pause();
    await tapped.whenSaid('full\n', 'stderr');
    expect(tapped.stderr()).not.toContain('all');
    tapped.child.stdout?.resume();
    expect(await tapped.finished).toEqual({ code: 0, signal: null });
    expect(tapped.stdout()).toHaveLength(400 * (100_000 + '{"text":""}\n'.length));
  });
});

describe('signalbox trace show', () => {
  it('pairs answers with requests and folds the chunks of one text', async () => {
    await record([process.execPath, CHUNKS], '42');
    const { stdout, code } = await place.run('trace', 'show', file);
    expect(code).toBe(0);
    expect(stdout).toMatch(/→ {2}session\/prompt #3 .*"42"/);
    expect(stdout).toMatch(/← {2}session\/update agent_message_chunk {2}×42 {2}chunk 1chunk 2/);
    expect(stdout).toMatch(
      /← {2}result session\/prompt #3 {2}\d+ ms {2}\{"stopReason":"end_turn"\}/,
    );
    expect(stdout.trimEnd().split('\n')).toHaveLength(7);
  });

  it('shows only what is asked for', async () => {
    await record([process.execPath, CHUNKS], '2');
    const prompts = await place.run('trace', 'show', file, '--method', 'prompt');
    expect(prompts.stdout.trimEnd().split('\n')).toHaveLength(2);
    const outgoing = await place.run('trace', 'show', file, '--direction', 'out');
    expect(outgoing.stdout).not.toContain('←');
    const raw = await place.run('trace', 'show', file, '--raw', '-d', 'out', '-m', 'session/new');
    const params = { cwd: place.cwd, mcpServers: [] };
    expect(raw.stdout).toBe(message({ id: 2, method: 'session/new', params }));
  });

  it('marks noise, and lets no control sequence through', async () => {
    const tapped = tap(['--out', file, '--', ...ECHO]);
    tapped.child.stdin?.end('\u001b]0;evil\u0007 Welcome!\n');
    await tapped.finished;
    const { stdout } = await place.run('trace', 'show', file);
    expect(stdout).toContain('! no message  Welcome!');
    expect(stdout).not.toContain('\u001b');
  });

  it('refuses what is no trace', async () => {
    writeFileSync(file, '{"some":"json"}\n');
    const { stderr, code } = await place.run('trace', 'show', file);
    expect(stderr).toContain('it is no trace');
    expect(code).toBe(2);
  });
});

describe('signalbox trace validate', () => {
  const HELLO = '{"dir":"c2a","t":0,"msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":';

  it('names the line and the rule of each violation', async () => {
    const wrong = '{"dir":"c2a","t":1,"msg":{"jsonrpc":"2.0","id":1,"method":"session/new"}}\n';
    writeFileSync(file, `${HELLO}{"protocolVersion":1}}}\n${wrong}no entry\n`);
    const { stdout, code } = await place.run('trace', 'validate', file);
    expect(stdout).toMatch(/^line 2 {2}error {2}client {2}R-FRM-30 MUST/m);
    expect(stdout).toMatch(/^line 3 {2}error {2}is no entry of a trace$/m);
    expect(code).toBe(1);
  });

  it('takes an unfinished last line for the end of a recording', async () => {
    writeFileSync(file, `${HELLO}{"protocolVersion":1}}}\n{"dir":"a2c","t":1,"ms`);
    const { stdout, stderr, code } = await place.run('trace', 'validate', file);
    expect(stdout).toMatch(/^1 message: 0 errors/m);
    expect(stderr).toContain(':2 is not finished');
    expect(code).toBe(0);
  });
});

describe('signalbox trace replay', () => {
  const STEPS = script({ say: 'Hi' }, { tool: 'write', input: { path: 'b.txt', text: 'y' } });

  it("plays the client's side to an agent, which does the same again", async () => {
    await record(BUILTIN, STEPS);
    const target = join(place.cwd, 'b.txt');
    rmSync(target);
    const { stdout, code } = await place.run(
      ...['trace', 'replay', file, '--against', 'agent', '--', ...BUILTIN],
    );
    expect(stdout).toBe('4 of 4 recorded lines sent; all as recorded\n');
    expect(code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('y');
  });

  it('leaves out a last line that its recorder did not finish, and no other', async () => {
    await record(BUILTIN, script({ say: 'Hi' }));
    const lines = readFileSync(file, 'utf8');
    const replay = ['trace', 'replay', file, '--against', 'agent', '--', ...BUILTIN];
    writeFileSync(file, `${lines}{"dir":"a2c","t":9,"ms`);
    const unfinished = await place.run(...replay);
    expect(unfinished.stdout).toMatch(/all as recorded\n$/);
    expect(unfinished.stderr).toMatch(/:\d+ is not finished and was left out/);
    expect(unfinished.code).toBe(0);
    writeFileSync(file, `${lines}no entry\n${lines}`);
    const broken = await place.run(...replay);
    expect(broken.stderr).toMatch(/cannot be replayed: line \d+ is no entry of a trace/);
    expect(broken.code).toBe(2);
  });

  it('says in what another agent differs', async () => {
    await record(BUILTIN, STEPS);
    const agent = fileURLToPath(new URL('../fixtures/agents/refuses-session.mjs', import.meta.url));
    const { stdout, code } = await place.run(
      ...['trace', 'replay', file, '--against', 'agent', '--timeout', '5'],
      ...['--', process.execPath, agent],
    );
    expect(stdout).toMatch(/session\/new: error -\d+, recorded: a result/);
    expect(stdout).toContain('session/request_permission: requested 0 times, recorded: 1 times');
    expect(code).toBe(1);
  });

  it("plays the agent's side to a client, with the ids and answers of now", async () => {
    await record(BUILTIN, STEPS);
    const command = [process.execPath, PROGRAM, 'trace', 'replay', file, '--against', 'client'];
    const agent = command.map((part) => `"${part}"`).join(' ');
    const { stdout, code } = await place.run('run', '--yes', '--agent', agent, 'anything');
    expect(stdout).toContain('Hi');
    expect(stdout).toContain('Create b.txt');
    expect(stdout).toContain('[end_turn]');
    expect(code).toBe(0);
  });

  it('answers a client that asks for more than was recorded with an error', async () => {
    await record(BUILTIN, script({ say: 'Hi' }));
    const tapped = tap(['replay', file, '--against', 'client']);
    tapped.child.stdin?.end(message({ id: 90071992547409931, method: 'session/list' }));
    expect(await tapped.finished).toEqual({ code: 0, signal: null });
    expect(tapped.stdout().toString('utf8')).toContain('"code":-32601');
    expect(tapped.stderr()).toContain('session/prompt: not requested');
  });

  it('refuses a command line that does not say who plays', async () => {
    await record(BUILTIN, script({ say: 'Hi' }));
    expect((await place.run('trace', 'replay', file, '--against', 'agent')).code).toBe(2);
    expect((await place.run('trace', 'replay', file, '--against', 'nobody')).code).toBe(2);
    expect((await place.run('trace', 'replay', file, '--against', 'client', 'x')).code).toBe(2);
  });
});
