import { isRpcError } from '@signalbox/acp';
import {
  AcpHttpEndpoint,
  AcpWebSocketEndpoint,
  StreamRefused,
  type ConnectionOwner,
  type IncomingConnection,
} from '@signalbox/acp/server';
import { serveAcp, type AcpServer, type ServedAgent } from '@signalbox/host';
import type { Logger } from 'pino';
import type { CredentialWatch } from '../auth/credential-watch.ts';
import { ANYBODY, type Principal } from '../auth/principal.ts';
import { countFrames } from '../observe/counting-transport.ts';
import type { Metrics } from '../observe/metrics.ts';
import { ProblemError } from '../problem/problem.ts';
import { tooManyOwn } from '../problem/too-many-own.ts';
import type { ServerLimits } from '../server-limits.ts';
import type { ServerOptions } from '../server-options.ts';

/** Who comes in by one of the doors, and which agent it wants. */
export interface Visitor {
  readonly principal: Principal;
  readonly agent: ServedAgent;
}

/** What the doors need. */
export interface AcpDoorsParts {
  readonly options: Pick<ServerOptions, 'host' | 'agents' | 'webSocketLimits' | 'httpLimits'>;
  readonly limits: Pick<ServerLimits, 'watcherFrameBytesMax' | 'webSocketsEachMax'>;
  readonly watch: CredentialWatch;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** A client that is served. */
interface Served {
  readonly principal: Principal;
  readonly kind: IncomingConnection<Visitor>['kind'];
  /** Why the connection is ended from here. */
  ending?: 'revoked' | 'closing';
}

/** Close code of our own: the credential that opened the connection does not work any more. */
const REVOKED = 4401;

/** The two ways in for ACP, and the clients that came by them. */
export class AcpDoors {
  readonly webSocket: AcpWebSocketEndpoint<Visitor>;
  readonly http: AcpHttpEndpoint<Visitor>;
  readonly #parts: AcpDoorsParts;
  readonly #served = new Map<AcpServer, Served>();

  constructor(parts: AcpDoorsParts) {
    this.#parts = parts;
    const { options, limits, log } = parts;
    const accept = (connection: IncomingConnection<Visitor>): ConnectionOwner =>
      this.#accept(connection);
    const frameBytesMaxOf = ({ principal }: Visitor): number | undefined =>
      principal.role === 'driver' ? undefined : limits.watcherFrameBytesMax;
    this.webSocket = new AcpWebSocketEndpoint({
      accept,
      limits: options.webSocketLimits ?? {},
      frameBytesMaxOf,
      log: (line) => log.warn({ kind: 'websocket' }, line),
    });
    this.http = new AcpHttpEndpoint({
      accept,
      limits: options.httpLimits ?? {},
      frameBytesMaxOf,
      // Another's connection looks like one that does not exist (B171).
      isSame: (one, other) =>
        one.principal.id === other.principal.id && one.agent.name === other.agent.name,
      log: (line) => log.warn({ kind: 'http' }, line),
    });
  }

  /** Connections that are open, by their kind. */
  get counts(): Readonly<Record<'websocket' | 'http', number>> {
    return { websocket: this.webSocket.connectionCount, http: this.http.connectionCount };
  }

  /** Event streams of ACP connections that somebody reads. */
  get openStreamCount(): number {
    return this.http.openStreamCount;
  }

  /** @throws ProblemError when this principal has as many WebSockets open as one may have. */
  assertRoomFor({ id }: Principal): void {
    // Where nobody says who he is, all have all of it.
    if (id === ANYBODY.id) return;
    let own = 0;
    for (const { principal, kind } of this.#served.values()) {
      if (kind === 'websocket' && principal.id === id) own++;
    }
    const { webSocketsEachMax } = this.#parts.limits;
    if (own >= webSocketsEachMax) throw new ProblemError(tooManyOwn('WebSockets', own));
  }

  /** Ends the connections of these principals at once, because they may not be here any more. */
  revokeWhere(fits: (principal: Principal) => boolean): void {
    this.#noteEnding('revoked', fits);
    const predicate = ({ context }: IncomingConnection<Visitor>): boolean =>
      fits(context.principal);
    this.webSocket.closeWhere(predicate, REVOKED, 'revoked');
    this.http.closeWhere(predicate);
    // What is still being answered has nobody any more who may hear it.
    for (const [server, { principal }] of this.#served) if (fits(principal)) void server.close();
  }

  /** Resolves when the prompts of all clients have been answered, or after `limitMs`. */
  async whenIdle(limitMs: number): Promise<void> {
    await Promise.all([...this.#served.keys()].map((server) => server.whenIdle(limitMs)));
  }

  /** Tells every client that the server goes away, and ends their connections within `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#noteEnding('closing', () => true);
    await Promise.all([this.webSocket.close(graceMs), this.http.close(graceMs)]);
    await Promise.all([...this.#served.keys()].map((server) => server.close()));
  }

  #noteEnding(ending: 'revoked' | 'closing', fits: (principal: Principal) => boolean): void {
    for (const served of this.#served.values()) {
      if (fits(served.principal)) served.ending ??= ending;
    }
  }

  #accept({ id, kind, context, transport }: IncomingConnection<Visitor>): ConnectionOwner {
    const { options, watch, metrics, log } = this.#parts;
    const { principal, agent } = context;
    const facts = { connectionId: id, kind, agent: agent.name, principal: principal.name };
    const server = serveAcp({
      host: options.host,
      agent,
      findAgent: options.agents,
      transport: countFrames(transport, metrics.frames[kind]),
      clientName: principal.name,
      role: principal.role,
      isRemote: true,
      log: (line) => log.info(facts, line),
    });
    const served: Served = { principal, kind };
    this.#served.set(server, served);
    const unwatch = watch.add(principal.id);
    metrics.connections.inc({ kind });
    log.info(facts, 'connection opened');
    const openedAt = performance.now();
    void server.closed.then(({ kind: end, error }) => {
      this.#served.delete(server);
      unwatch();
      const ms = Math.round(performance.now() - openedAt);
      const reason = served.ending ?? (error === undefined ? end : `${end}: ${error.message}`);
      if (isSlow(error)) metrics.evictions.inc({ reason: 'slow' });
      log.info({ ...facts, ms, reason }, 'connection closed');
    });
    return { rewind: (stream, cursor) => rewind(server, stream, cursor) };
  }
}

/** Whether a connection was given up because its client took nothing in. */
function isSlow(error: Error | undefined): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'slow';
}

async function rewind(server: AcpServer, stream: string, cursor: string): Promise<() => void> {
  try {
    return await server.rewind(stream, cursor);
  } catch (error) {
    if (!isRpcError(error)) throw error;
    const { reason } = (error.data ?? {}) as { reason?: unknown };
    throw new StreamRefused(REFUSALS[String(reason)] ?? 'gap', error.message);
  }
}

/** Why a cursor is refused, by what the host says of it. */
const REFUSALS: Readonly<Record<string, StreamRefused['reason']>> = {
  cursor_malformed: 'malformed',
  cursor_foreign: 'foreign',
};
