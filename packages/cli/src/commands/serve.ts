import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Journal } from '@signalbox/core';
import { Host, processStartTime, ServedAgent } from '@signalbox/host';
import {
  createLog,
  createServer,
  type ServerOptions,
  type SignalboxServer,
} from '@signalbox/server';
import { configFile, loadConfig, type Config } from '../config/config.ts';
import { BUILTIN_AGENT, findNamedAgent } from '../config/find-agent.ts';
import { hostOptions, openJournal } from '../config/open-host.ts';
import { announceServer, withdrawServer } from '../config/running-server.ts';
import { ExitCode } from '../exit-codes.ts';
import { chooseStyle } from '../render/style.ts';
import { UsageError } from '../usage-error.ts';
import { VERSION } from '../version.ts';
import { chooseLevel, type LevelOptions } from './agent-options.ts';
import { toLoginLink } from './login.ts';
import { signalled } from './signalled.ts';

/** The options of `signalbox serve`, as the command line gives them. */
export interface ServeOptions extends LevelOptions {
  readonly agent?: string;
  readonly host?: string;
  readonly port?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly behindProxy?: readonly string[];
  readonly log?: string;
}

export const DEFAULT_PORT = 7600;
/** How long clients may take to hear how their prompts end when the server is told to end, in ms. */
const CLOSE_GRACE_MS = 10_000;
const CLIENT_INFO = { name: 'signalbox', version: VERSION };

/** `signalbox serve`: sessions over HTTP, until a signal comes. */
export async function serve(options: ServeOptions): Promise<number> {
  const config = loadConfig(configFile());
  const policyLevel = chooseLevel(options, config);
  const defaultAgent = options.agent ?? config.defaultAgent ?? BUILTIN_AGENT;
  if (findNamedAgent(config, defaultAgent) === undefined) {
    throw new UsageError(`--agent ${defaultAgent}: "signalbox agents" shows the names there are`);
  }
  const given = serverOptions(options);
  const journal = await openJournal(config);
  const agents = new Agents(config, journal);
  try {
    const host = await Host.open({
      ...hostOptions({ ...config, permissions: policyLevel }),
      journal,
      findAgent: (name) => findNamedAgent(config, name),
      onProblem: ({ kind, sessionId, error }) =>
        given.log.error({ err: error, kind, sessionId }, 'a session is not in order'),
    });
    const server = createServer({
      ...given,
      host,
      agents: (name) => agents.find(name),
      defaultAgent,
      records: journal.records,
      page: fileURLToPath(new URL('../../page', import.meta.url)),
    });
    await run(config, server, host);
    await host.close();
    return ExitCode.Ok;
  } finally {
    await agents.close();
    await journal.close();
  }
}

/** Serves until a signal comes, and leaves nothing behind. */
async function run(config: Config, server: SignalboxServer, host: Host): Promise<void> {
  const end = signalled();
  await server.listen();
  const { credentials } = server;
  const [url = 'http://127.0.0.1', ...others] = server.urls.map((each) => new URL(each).origin);
  const own = others.at(-1) ?? url;
  // With TLS it is the public name that the certificate is for.
  const localUrl = own.startsWith('https:') ? url : own;
  const local = await credentials.createToken({ name: 'commands of this user', role: 'driver' });
  try {
    const { pid } = process;
    const left = announceServer(config, {
      url,
      localUrl,
      token: local.secret,
      credentialId: local.credential.id,
      pid,
      startTime: processStartTime(pid),
      since: Date.now(),
    });
    for (const id of left) await credentials.revoke(id);
    const { code } = await credentials.createLoginCode({ role: 'driver' });
    const style = chooseStyle(process.stdout);
    process.stdout.write(
      `${style.bold('Signalbox')} serves sessions at ${style.bold(url)}\n` +
        `  sign in    ${toLoginLink(url, code)}\n` +
        style.dim(
          '             (works once, for five minutes; "signalbox login" makes another)\n',
        ) +
        `  editors    signalbox acp --server ${url}\n` +
        `  programs   signalbox token create <name>, then ${url.replace(/^http/, 'ws')}/acp\n` +
        `  stop       Ctrl-C\n`,
    );
    await end;
    // Turns whose clients have gone may end too.
    await Promise.all([server.close({ graceMs: CLOSE_GRACE_MS }), host.whenIdle(CLOSE_GRACE_MS)]);
  } finally {
    withdrawServer(config, process.pid);
    await credentials.revoke(local.credential.id);
    await server.close({ graceMs: 0 });
  }
}

/** What the command line says of the server. @throws UsageError. */
function serverOptions(
  options: ServeOptions,
): Required<Pick<ServerOptions, 'listen' | 'hosts' | 'origins' | 'proxies' | 'log'>> {
  const { host, port = DEFAULT_PORT, tlsCert, tlsKey } = options;
  const { allowHost = [], allowOrigin = [], behindProxy = [] } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key belong together');
  }
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? {}
      : { tls: { cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey) } };
  return {
    listen: { port, ...(host === undefined ? {} : { host }), ...tls },
    hosts: allowHost,
    origins: allowOrigin,
    proxies: behindProxy,
    log: createLog(toLogLevel(options.log)),
  };
}

function readPem(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${(error as Error).message}`);
  }
}

/** In a terminal, log lines would stand between the lines for people. */
function toLogLevel(named = process.stderr.isTTY ? 'off' : 'json'): string {
  if (named === 'json') return 'info';
  if (named === 'off') return 'silent';
  throw new UsageError(`--log ${named}: there are "json" and "off"`);
}

/** The agents that were asked for, one object each. */
class Agents {
  readonly #config: Config;
  readonly #journal: Journal;
  readonly #served = new Map<string, ServedAgent>();

  constructor(config: Config, journal: Journal) {
    this.#config = config;
    this.#journal = journal;
  }

  find(name: string): ServedAgent | undefined {
    const known = this.#served.get(name);
    if (known !== undefined) return known;
    // By name only: whoever comes over the network must not say which programs are started.
    const entry = findNamedAgent(this.#config, name);
    if (entry === undefined) return undefined;
    const { records } = this.#journal;
    const agent = new ServedAgent({ entry, clientInfo: CLIENT_INFO, records });
    this.#served.set(name, agent);
    return agent;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#served.values()].map((agent) => agent.close()));
  }
}
