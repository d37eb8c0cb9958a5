import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServedAgent } from '@signalbox/host';
import type { Logger } from 'pino';
import { unauthorized, type Authenticator } from '../auth/authenticator.ts';
import type { Principal } from '../auth/principal.ts';
import type { Guard } from '../guard/guard.ts';
import { isWebSocketUpgrade } from '../listening/http-engines.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { RequestLog } from '../observe/request-log.ts';
import { DRAINING } from '../problem/draining.ts';
import { isFault, ProblemError, type Problem } from '../problem/problem.ts';
import { refuseSocket } from '../problem/refuse-socket.ts';
import { toProblem } from '../problem/to-problem.ts';
import type { AcpDoors, Visitor } from './acp-doors.ts';
import { findVisited, type Visited } from './find-visited.ts';
import { unknownAgent } from './unknown-agent.ts';

/** What {@link Upgrades} needs. */
export interface UpgradesParts {
  readonly guard: Guard;
  readonly authenticator: Authenticator;
  readonly doors: AcpDoors;
  readonly findAgent: (name: string | undefined) => ServedAgent | undefined;
  readonly isDraining: () => boolean;
  readonly requestLog: RequestLog;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Requests that want to become WebSockets. They are checked like all others, before the first answer. */
export class Upgrades {
  readonly #parts: UpgradesParts;

  constructor(parts: UpgradesParts) {
    this.#parts = parts;
  }

  /** Takes an upgrade over; always answers it. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const startedAt = performance.now();
    // Whoever goes away meanwhile must not take the process along.
    socket.on('error', () => undefined);
    void this.#handle(request, socket, head, startedAt);
  }

  async #handle(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    startedAt: number,
  ): Promise<void> {
    const { doors, requestLog, metrics, log } = this.#parts;
    const visited = findVisited(request.url ?? '');
    const note = (status: number, principal?: Principal): void =>
      requestLog.note({
        method: 'GET',
        route: visited?.route,
        status,
        ms: performance.now() - startedAt,
        principal,
      });
    try {
      const visitor = await this.#admit(request, visited);
      if (socket.destroyed) return note(0, visitor.principal);
      doors.assertRoomFor(visitor.principal);
      doors.webSocket.handleUpgrade(request, socket, head, visitor);
      note(101, visitor.principal);
    } catch (error) {
      const problem = toProblem(error);
      metrics.noteProblem(problem);
      if (isFault(problem)) log.error({ err: error }, 'an upgrade failed');
      refuseSocket(socket, problem);
      note(problem.status);
    }
  }

  /** @throws ProblemError when the request may not come in. */
  async #admit(request: IncomingMessage, visited: Visited | undefined): Promise<Visitor> {
    const { guard, authenticator, findAgent, isDraining } = this.#parts;
    const hasAllowedOrigin = guard.checkSource(request) !== undefined;
    guard.checkTarget(request);
    if (isDraining()) throw new ProblemError(DRAINING);
    if (!isWebSocketUpgrade(request)) throw new ProblemError(NOT_WEB_SOCKET);
    if (visited === undefined) throw new ProblemError(NO_ENDPOINT);
    const { headers } = request;
    const asked = { headers, hasAllowedOrigin, isNavigation: false };
    const principal = await authenticator.identify(asked);
    if (principal === undefined) throw new ProblemError(unauthorized('Nobody is signed in.'));
    const agent = findAgent(visited.agentName);
    if (agent === undefined) throw new ProblemError(unknownAgent(visited.agentName));
    return { principal, agent };
  }
}

const NOT_WEB_SOCKET: Problem = {
  status: 501,
  code: 'upgrade_not_supported',
  detail: 'Only "Upgrade: websocket" is understood here. Send the request without an upgrade.',
};

const NO_ENDPOINT: Problem = {
  status: 404,
  code: 'not_found',
  detail: 'WebSockets are served at /acp and /acp/agents/<name>.',
};
