import { systemClock, type Clock, type ServedAgent } from '@signalbox/host';
import type { Logger } from 'pino';
import { AcpDoors } from './acp/acp-doors.ts';
import { Authenticator } from './auth/authenticator.ts';
import { CredentialWatch } from './auth/credential-watch.ts';
import { Credentials } from './auth/credentials.ts';
import { FailureLimit } from './auth/failure-limit.ts';
import { SessionCookie } from './auth/session-cookie.ts';
import { AllowedHosts } from './guard/allowed-hosts.ts';
import { AllowedOrigins } from './guard/allowed-origins.ts';
import { Guard } from './guard/guard.ts';
import { assertProxies } from './listening/assert-proxies.ts';
import { assertSafeExposure } from './listening/exposure.ts';
import { Front } from './listening/front.ts';
import { HttpEngines } from './listening/http-engines.ts';
import type { ListenOptions } from './listening/listen-options.ts';
import { OpenStreams } from './log/open-streams.ts';
import { createLog } from './observe/create-log.ts';
import { Metrics } from './observe/metrics.ts';
import { RequestLog } from './observe/request-log.ts';
import { JournalProbe } from './routes/journal-probe.ts';
import { assertPageFolder } from './routes/page-routes.ts';
import { toServerLimits, type ServerLimits } from './server-limits.ts';
import type { ServerOptions } from './server-options.ts';

/** What a server consists of. */
export interface Parts {
  readonly options: ServerOptions;
  readonly listen: ListenOptions;
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly requestLog: RequestLog;
  readonly engines: HttpEngines;
  readonly front: Front;
  readonly hosts: AllowedHosts;
  readonly guard: Guard;
  readonly credentials: Credentials;
  readonly cookie: SessionCookie;
  readonly failures: FailureLimit;
  readonly authenticator: Authenticator;
  readonly watch: CredentialWatch;
  readonly streams: OpenStreams;
  readonly doors: AcpDoors;
  readonly journal: JournalProbe;
  /** The agent of this name; without a name the default one. */
  readonly findAgent: (name: string | undefined) => ServedAgent | undefined;
  readonly isDraining: () => boolean;
}

/**
 * Makes what a server consists of.
 *
 * @throws ServerError `exposure_refused` or `options_invalid`.
 */
export function createParts(options: ServerOptions, isDraining: () => boolean): Parts {
  const { host, records, clock = systemClock, log = createLog() } = options;
  const listen: ListenOptions = { host: '127.0.0.1', ...options.listen };
  const limits = toServerLimits(options.limits);
  if (options.page !== undefined) assertPageFolder(options.page);
  const access = createAccess(options, listen, clock);
  const metrics = new Metrics();
  const engines = new HttpEngines(limits);
  const front = new Front(listen, limits, engines);
  const watch = new CredentialWatch({
    credentials: access.credentials,
    clock,
    recheckMs: limits.recheckMs,
    onEnded: (id) => {
      streams.closeWhere((principal) => principal.id === id, 'revoked');
      doors.revokeWhere((principal) => principal.id === id);
    },
    onFailed: (error) => log.error({ err: error }, 'credentials in use cannot be looked at'),
  });
  const streams = new OpenStreams(limits, watch);
  const doors = new AcpDoors({ options, limits, watch, metrics, log });
  metrics.observe({
    sessionsOpen: () => host.openCount,
    connectionsOpen: () => doors.counts,
    eventStreamsOpen: () => streams.count,
    acpStreamsOpen: () => doors.openStreamCount,
    socketsOpen: () => front.socketCount,
  });
  front.onDrop(() => metrics.droppedSockets.inc());
  return {
    options,
    listen,
    limits,
    clock,
    log,
    metrics,
    requestLog: new RequestLog(log, metrics),
    engines,
    front,
    watch,
    streams,
    doors,
    ...access,
    failures: new FailureLimit(limits.loginFailuresMax, clock),
    journal: new JournalProbe(records, clock),
    findAgent: (name = options.defaultAgent) =>
      name === undefined ? undefined : options.agents(name),
    isDraining,
  };
}

type AccessParts = Pick<Parts, 'hosts' | 'guard' | 'credentials' | 'cookie' | 'authenticator'>;

/** Who is let in, from where, and under which names. */
function createAccess(options: ServerOptions, listen: ListenOptions, clock: Clock): AccessParts {
  const { proxies = [], records } = options;
  const hasTls = listen.tls !== undefined;
  const isBehindProxy = proxies.length > 0;
  const isRequired = options.auth !== 'none';
  assertProxies(proxies);
  assertSafeExposure({ host: listen.host, hasTls, isBehindProxy, requiresAuth: isRequired });
  const hosts = new AllowedHosts(options.hosts ?? []);
  const schemes = [hasTls ? 'https' : 'http', ...(isBehindProxy ? ['https'] : [])];
  const origins = new AllowedOrigins(hosts, options.origins ?? [], schemes);
  const credentials = new Credentials({ records, clock });
  const cookie = new SessionCookie(hasTls || isBehindProxy);
  return {
    hosts,
    guard: new Guard({ hosts, origins, hasTls }),
    credentials,
    cookie,
    authenticator: new Authenticator({ credentials, cookie, isRequired }),
  };
}
