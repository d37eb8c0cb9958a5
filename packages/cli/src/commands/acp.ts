import { createStdioTransport } from '@signalbox/acp/stdio';
import type { SessionSettings } from '@signalbox/core';
import { openSqliteJournal, serveAcp, ServedAgent, type Host } from '@signalbox/host';
import { configFile, loadConfig } from '../config/config.ts';
import { BUILTIN_AGENT, findAgent } from '../config/find-agent.ts';
import { journalFile, openHost } from '../config/open-host.ts';
import { ExitCode } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { VERSION } from '../version.ts';
import { signIn } from './acp-sign-in.ts';
import { ownStreams, tellEditor } from './acp-streams.ts';
import { chooseLevel, toEnvironment, type LevelOptions } from './agent-options.ts';
import { signalled } from './signalled.ts';

/** The options of `signalbox acp`, as the command line gives them. */
export interface AcpOptions extends LevelOptions {
  readonly agent?: string;
  readonly env?: readonly string[];
  /** Instead of serving, runs the agent's own sign-in in this terminal. */
  readonly login?: string;
  /** Serves sessions of a server instead of this process; true: of the one on this machine. */
  readonly server?: string | true;
}

/** How long agents may take to end until the client is told no more, in ms. */
const LAST_ANSWERS_MS = 5000;

const CLIENT_INFO = { name: 'signalbox', version: VERSION };

/**
 * `signalbox acp`: this host as an ACP agent on stdin and stdout, with any agent behind it. Ends when its
 * input does, or on a signal.
 */
export async function acp(options: AcpOptions): Promise<number> {
  const { server } = options;
  if (server !== undefined) return startOnServer(server, options);
  const config = loadConfig(configFile());
  const environment = toEnvironment(options.env ?? []);
  const policyLevel = chooseLevel(options, config);
  const entry = findAgent(
    config,
    options.agent ?? config.defaultAgent ?? BUILTIN_AGENT,
    environment,
  );
  if (entry === undefined) throw new UsageError('--agent names no agent and no command');
  const journal = await openSqliteJournal({ file: journalFile(config) });
  const agent = new ServedAgent({
    entry,
    clientInfo: CLIENT_INFO,
    records: journal.records,
    log: tellEditor,
  });
  try {
    if (options.login !== undefined) return await signIn(agent, entry, options.login);
    const host = await openHost(config, environment);
    await serve(host, agent, { policyLevel });
    return ExitCode.Ok;
  } finally {
    await agent.close();
    await journal.close();
  }
}

/** @throws UsageError for options that are the server's to decide. */
async function startOnServer(server: string | true, options: AcpOptions): Promise<number> {
  const { agent, env = [], login, yes, deny, ask } = options;
  const local = { '--login': login, '--yes': yes, '--deny': deny, '--ask': ask };
  const named = Object.entries(local).find(([, value]) => value !== undefined)?.[0];
  const foreign = env.length > 0 ? '--env' : named;
  if (foreign !== undefined) throw new UsageError(`${foreign} is decided by the server, not here`);
  const { acpServer } = await import('./acp-server.ts');
  return acpServer({
    server: server === true ? '' : server,
    ...(agent === undefined ? {} : { agent }),
  });
}

/** Serves the client at the other end of stdin and stdout, until it goes or a signal comes. */
async function serve(
  host: Host,
  agent: ServedAgent,
  settings: Partial<SessionSettings>,
): Promise<void> {
  const transport = createStdioTransport(...ownStreams());
  const terminalLogin = (methodId: string): string[] => ['--login', methodId];
  const server = serveAcp({ host, agent, transport, settings, terminalLogin, log: tellEditor });
  await Promise.race([server.gone, signalled()]);
  // What runs is cancelled and recorded so, and the client is told as far as it still reads.
  await Promise.all([host.close(), server.close(LAST_ANSWERS_MS)]);
}
