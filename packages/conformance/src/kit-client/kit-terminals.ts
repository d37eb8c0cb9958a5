import { spawn, type ChildProcess } from 'node:child_process';
import { at, listAt, stringAt } from '../json/json.ts';
import { Refusal, type Responder } from './responder.ts';

interface Terminal {
  readonly process: ChildProcess;
  output: string;
  truncated: boolean;
  readonly limit: number;
  readonly exited: Promise<{ exitCode: number | null; signal: string | null }>;
  exit?: { exitCode: number | null; signal: string | null };
}

/** The terminals that the kit offers to an agent under test: plain child processes. */
export function createTerminals(defaultCwd: () => string): Responder {
  const terminals = new Map<string, Terminal>();
  const find = (params: unknown): Terminal => {
    const terminal = terminals.get(stringAt(params, 'terminalId') ?? '');
    if (terminal === undefined) throw new Refusal(-32002, 'there is no such terminal');
    return terminal;
  };
  return {
    'terminal/create': (params) => {
      const terminalId = `terminal-${terminals.size + 1}`;
      terminals.set(terminalId, start(params, defaultCwd()));
      return { terminalId };
    },
    'terminal/output': (params) => {
      const { output, truncated, exit } = find(params);
      return { output, truncated, ...(exit === undefined ? {} : { exitStatus: exit }) };
    },
    'terminal/wait_for_exit': (params) => find(params).exited,
    'terminal/kill': (params) => {
      find(params).process.kill('SIGKILL');
      return {};
    },
    'terminal/release': (params) => {
      find(params).process.kill('SIGKILL');
      terminals.delete(stringAt(params, 'terminalId') ?? '');
      return {};
    },
  };
}

function start(params: unknown, defaultCwd: string): Terminal {
  const command = stringAt(params, 'command') ?? '';
  const args = listAt(params, 'args').map(String);
  const env = Object.fromEntries(
    listAt(params, 'env').map((pair) => [stringAt(pair, 'name') ?? '', stringAt(pair, 'value')]),
  );
  const child = spawn(command, args, {
    cwd: stringAt(params, 'cwd') ?? defaultCwd,
    env: { ...process.env, ...env },
    // Agents send whole command lines too; without arguments it can only be one.
    shell: args.length === 0,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const limit = at(params, 'outputByteLimit');
  const terminal: Terminal = {
    process: child,
    output: '',
    truncated: false,
    limit: typeof limit === 'number' ? limit : Infinity,
    exited: new Promise((resolve) => {
      child.on('error', () => resolve({ exitCode: 127, signal: null }));
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
    }),
  };
  void terminal.exited.then((exit) => (terminal.exit = exit));
  child.stdout.on('data', (chunk: Buffer) => append(terminal, chunk));
  child.stderr.on('data', (chunk: Buffer) => append(terminal, chunk));
  return terminal;
}

function append(terminal: Terminal, chunk: Buffer): void {
  terminal.output += chunk.toString('utf8');
  while (Buffer.byteLength(terminal.output) > terminal.limit) {
    terminal.truncated = true;
    terminal.output = terminal.output.slice([...terminal.output][0]?.length ?? 1);
  }
}
