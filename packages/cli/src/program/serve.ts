import { InvalidArgumentError, type Command } from 'commander';
import { collect } from './collect.ts';

/** The commands about a server: `serve`, `attach`, `login`, `token`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve sessions over HTTP: ACP on WebSocket and Streamable HTTP, and a page')
    .option('-a, --agent <name>', 'the agent behind /acp (default: that of the configuration)')
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1)')
    .option('-p, --port <port>', 'the port; 0 is any free one (default: 7600)', toPort)
    .option('--tls-cert <file>', 'a certificate, as PEM')
    .option('--tls-key <file>', 'its key, as PEM')
    .option(
      '--allow-host <name>',
      'a further name for this server; may be given again',
      collect,
      [],
    )
    .option('--allow-origin <origin>', 'a page that may use it; may be given again', collect, [])
    .option(
      '--behind-proxy <address>',
      'a proxy, by address or network: it does TLS, and says who asks; may be given again',
      collect,
      [],
    )
    .option('-y, --yes', 'allow what agents ask for, once each time')
    .option('--deny', 'deny what agents ask for')
    .option('--ask', 'ask for each permission (the default)')
    .option('--log <format>', 'log lines on stderr: "json" or "off" (default: off in a terminal)')
    .action(async (options: object) => {
      const { serve } = await import('../commands/serve.ts');
      process.exitCode = await serve(options);
    });
  addServer(program.command('attach'))
    .description('watch a session of a server, answer its questions, and prompt it')
    .argument('<session>', 'its id, the beginning of it, or "last"')
    .option('--role <role>', 'driver, approver or observer (default: driver)')
    .option('--after <event id>', 'only events after this one')
    .option('--until-idle', 'end when no turn runs any more')
    .option('-m, --prompt <text>', 'send a prompt, and end when its turn has ended')
    .action(async (named: string, options: object) => {
      const { attach } = await import('../commands/attach.ts');
      process.exitCode = await attach(named, options);
    });
  program
    .command('login')
    .description('make a link by which one browser can sign in to the server, once')
    .option('--role <role>', 'driver, approver or observer (default: driver)')
    .action(async (options: object) => {
      const { login } = await import('../commands/login.ts');
      await login(options);
    });
  addToken(program);
}

/** The options by which a command finds its server. */
export function addServer(command: Command): Command {
  return command.option(
    '--server <url>',
    'the server (default: the one that runs on this machine); SIGNALBOX_TOKEN is its token',
  );
}

function addToken(program: Command): void {
  const token = program.command('token').description('tokens by which programs use the server');
  token
    .command('create')
    .description('make a token and print it, once')
    .argument('<name>', 'what it is for')
    .option('--role <role>', 'driver, approver or observer (default: driver)')
    .option('--days <days>', 'how long it works (default: until it is revoked)', toDays)
    .action(async (name: string, options: object) => {
      const { createToken } = await import('../commands/token.ts');
      await createToken(name, options);
    });
  token
    .command('list')
    .description('tokens, and browsers that are signed in')
    .action(async () => {
      const { listTokens } = await import('../commands/token.ts');
      await listTokens();
    });
  token
    .command('revoke')
    .description('take a token or a signed-in browser back; what it has open is ended')
    .argument('<id>', 'its id, as "token list" shows it')
    .action(async (id: string) => {
      const { revokeToken } = await import('../commands/token.ts');
      await revokeToken(id);
    });
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

function toDays(text: string): number {
  const days = Number(text);
  if (days > 0 && days <= 3660) return days;
  throw new InvalidArgumentError('It must be a number of days, more than 0.');
}
