import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess } from '@signalbox/host';
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
  /** The credential of the token, for whoever revokes it when the server was killed. */
  readonly credentialId: string;
  readonly pid: number;
  /** When its process started, as the system counts it: the pid alone is given out again. */
  readonly startTime: string | null;
  /** When it began to serve, in ms since 1970. */
  readonly since: number;
}

/**
 * Says where a server of this machine runs, and leaves a token for this user's own commands. Only this
 * user can read it, and it is revoked when the server ends. Each server has a file of its own, so that
 * one that ends leaves the others to be found.
 *
 * @returns the credentials of servers that were killed, which nobody has revoked.
 */
export function announceServer(config: Config, server: RunningServer): string[] {
  const file = fileOf(config, server.pid);
  mkdirSync(folderOf(config), { recursive: true, mode: 0o700 });
  const left = removeEnded(config);
  // A file that was there keeps its mode, so it goes first.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(server)}\n`, { mode: 0o600, flag: 'wx' });
  return left;
}

/** The server ends. */
export function withdrawServer(config: Config, pid: number): void {
  rmSync(fileOf(config, pid), { force: true });
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
  const url = named ?? namedIn(environment);
  const token = environment['SIGNALBOX_TOKEN'] || undefined;
  const running = findRunning(config);
  if (url !== undefined) {
    const base = toBase(url);
    return { url: base, token: token ?? running.find(isAt(base))?.token };
  }
  const { localUrl, token: own } = newestOf(running);
  return { url: localUrl, token: token ?? own };
}

/** Where browsers reach the server of this machine. @throws UsageError when none runs. */
export function findPublicUrl(config: Config): string {
  return newestOf(findRunning(config)).url;
}

function newestOf([newest]: readonly RunningServer[]): RunningServer {
  if (newest !== undefined) return newest;
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
  const { url } = first;
  const isNamed = (named ?? namedIn(process.env)) !== undefined;
  const isFirst = ({ token }: RunningServer): boolean => token === first.token;
  const before = findRunning(config).find(isFirst);
  if (before === undefined) return () => first;
  return () => {
    const running = findRunning(config);
    // As long as it runs it is the one that has the sessions, however many more have come.
    const same = running.find(isFirst) ?? running.find(isAt(url));
    const found = same ?? (isNamed ? undefined : running[0]);
    if (found === undefined) throw new Error('the server of this machine does not run');
    return { url: isNamed ? url : found.localUrl, token: found.token };
  };
}

function namedIn(environment: NodeJS.ProcessEnv): string | undefined {
  return environment['SIGNALBOX_SERVER'] || undefined;
}

function isAt(base: string): (server: RunningServer) => boolean {
  return ({ url, localUrl }) => url === base || localUrl === base;
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

/** The servers that run on this machine, the newest first. */
function findRunning(config: Config): RunningServer[] {
  return announced(config)
    .flatMap(({ server }) => (server !== undefined && isRunning(server) ? [server] : []))
    .toSorted((a, b) => b.since - a.since);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // None was ever started here.
    return [];
  }
}

/** Those that were killed have left their files. @returns the credentials that these name. */
function removeEnded(config: Config): string[] {
  const left: string[] = [];
  for (const { file, server } of announced(config)) {
    if (server !== undefined && isRunning(server)) continue;
    rmSync(file, { force: true });
    if (typeof server?.credentialId === 'string') left.push(server.credentialId);
  }
  return left;
}

interface Announcement {
  readonly file: string;
  /** Undefined: the file is none of ours, or is being written. */
  readonly server: RunningServer | undefined;
}

function announced(config: Config): Announcement[] {
  return namesIn(folderOf(config)).map((name) => {
    const file = join(folderOf(config), name);
    return { file, server: readServer(file) };
  });
}

function readServer(file: string): RunningServer | undefined {
  try {
    const server = JSON.parse(readFileSync(file, 'utf8')) as RunningServer;
    const { url, localUrl, token, since } = server;
    if (![url, localUrl].every((each) => URL.canParse(each))) return undefined;
    return typeof token === 'string' && typeof since === 'number' ? server : undefined;
  } catch {
    return undefined;
  }
}

/** Whoever has got the pid, or the port, of a server that was killed is not told its token. */
function isRunning({ pid, startTime }: RunningServer): boolean {
  return isSameProcess(pid, startTime);
}

function folderOf(config: Config): string {
  return join(dataFolder(config), 'servers');
}

function fileOf(config: Config, pid: number): string {
  return join(folderOf(config), `${pid}.json`);
}
