import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { dataFolder, type Config } from './config.ts';

/** A server and how a program uses it. */
export interface ServerAddress {
  readonly url: string;
  readonly token: string | undefined;
}

interface RunningServer {
  /** Where browsers reach it. */
  readonly url: string;
  /** Where programs of this machine reach it, whatever stands in front of it. */
  readonly localUrl: string;
  readonly token: string;
  readonly pid: number;
}

/**
 * Says where the server of this machine runs, and leaves a token for this user's own commands. Only this
 * user can read it, and it is revoked when the server ends.
 */
export function announceServer(config: Config, server: RunningServer): void {
  const file = fileOf(config);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A file that was there keeps its mode, so it goes first.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(server)}\n`, { mode: 0o600, flag: 'wx' });
}

/** The server ends. One that was started after it keeps its own announcement. */
export function withdrawServer(config: Config, pid: number): void {
  if (readRunning(config)?.pid === pid) rmSync(fileOf(config), { force: true });
}

/**
 * The server that a command is to use: the one that is named, or the one that runs on this machine.
 *
 * @throws UsageError when neither is there.
 */
export function findServer(
  config: Config,
  named: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): ServerAddress {
  const url = named ?? environment['SIGNALBOX_SERVER'];
  const token = environment['SIGNALBOX_TOKEN'] || undefined;
  const running = readRunning(config);
  if (url !== undefined && url !== '') {
    const base = toBase(url);
    const isRunning = running?.url === base || running?.localUrl === base;
    return { url: base, token: token ?? (isRunning ? running.token : undefined) };
  }
  const { localUrl, token: own } = assertRuns(running);
  return { url: localUrl, token: token ?? own };
}

/** Where browsers reach the server of this machine. @throws UsageError when none runs. */
export function findPublicUrl(config: Config): string {
  return assertRuns(readRunning(config)).url;
}

function assertRuns(running: RunningServer | undefined): RunningServer {
  if (running !== undefined) return running;
  throw new UsageError('No server runs on this machine; start "signalbox serve", or give --server');
}

/**
 * The same for a command that goes on while the server is started anew: its token is another one then.
 *
 * @returns finds the server as it is now. It throws while the server of this machine is away.
 * @throws UsageError when there is none now.
 */
export function followServer(config: Config, named: string | undefined): () => ServerAddress {
  const first = findServer(config, named);
  const isLocal = first.token !== undefined && first.token === readRunning(config)?.token;
  if (!isLocal) return () => first;
  return () => {
    const running = readRunning(config);
    if (running === undefined) throw new Error('the server of this machine does not run');
    return { url: named === undefined ? running.localUrl : first.url, token: running.token };
  };
}

function toBase(url: string): string {
  const { protocol, origin, pathname, search, hash } = parseUrl(url);
  const isPlain = pathname === '/' && search === '' && hash === '';
  if ((protocol === 'http:' || protocol === 'https:') && isPlain) return origin;
  throw new UsageError(`--server ${url}: it must be like http://127.0.0.1:7600`);
}

function parseUrl(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new UsageError(`--server ${url} is no URL`);
  }
}

function readRunning(config: Config): RunningServer | undefined {
  try {
    const server = JSON.parse(readFileSync(fileOf(config), 'utf8')) as RunningServer;
    const { url, localUrl, token, pid } = server;
    if (![url, localUrl].every((each) => URL.canParse(each))) return undefined;
    if (typeof token !== 'string') return undefined;
    process.kill(pid, 0);
    return server;
  } catch {
    // None was announced, or it ended without withdrawing.
    return undefined;
  }
}

function fileOf(config: Config): string {
  return join(dataFolder(config), 'server.json');
}
