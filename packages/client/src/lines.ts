import type { ClientCapabilities, Clock, Implementation } from '@signalbox/acp';
import {
  capabilitiesOf,
  createRequestHandler,
  type ClientRequestHandlers,
} from './agent-requests.ts';
import { ClientError } from './client-error.ts';
import { Connection } from './connection/connection.ts';
import { dial } from './connection/dial.ts';
import type { Door } from './connection/door.ts';
import { DoorChoice } from './connection/door-choice.ts';
import type { ClientLimits } from './limits.ts';
import { createName } from './session/prompt-id.ts';
import { SessionRouter } from './session/session-router.ts';

/** What {@link Lines} are made of. */
export interface LinesParts {
  /** The ways in to an agent's endpoint, the best first; undefined: the client's own endpoint. */
  readonly doorsTo: (agent: string | undefined) => readonly Door[];
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  readonly handlers: ClientRequestHandlers;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly log: (line: string) => void;
}

/** A connection, with those who listen for sessions on it. */
export interface Line {
  readonly connection: Connection;
  readonly router: SessionRouter;
}

/** The connections of a client: the main one, and those that serve one session or one call. */
export class Lines {
  readonly #parts: LinesParts;
  /** Shared by all connections to the client's own endpoint: one learns from another which door works. */
  readonly #doors: DoorChoice;
  readonly main: Line;
  readonly #others = new Set<Connection>();
  readonly #clientId = createName();
  #isClosed = false;

  constructor(parts: LinesParts) {
    this.#parts = parts;
    this.#doors = new DoorChoice(parts.doorsTo(undefined));
    this.main = this.#create(this.#doors);
  }

  /**
   * Opens a further connection.
   *
   * @param agent whose endpoint it goes to; undefined: the client's own.
   * @throws ClientError `closed`.
   */
  open(agent?: string): Line {
    if (this.#isClosed) throw new ClientError('closed', 'the client was closed');
    const { doorsTo } = this.#parts;
    const line = this.#create(agent === undefined ? this.#doors : new DoorChoice(doorsTo(agent)));
    this.#others.add(line.connection);
    line.connection.start();
    return line;
  }

  /** Closes a connection that {@link open} gave. */
  async close({ connection }: Line): Promise<void> {
    this.#others.delete(connection);
    await connection.close();
  }

  /** Wakes all connections, see {@link Connection.wake}. */
  wake(): void {
    this.main.connection.wake();
    for (const connection of this.#others) connection.wake();
  }

  /** Closes all connections, and opens no more. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    const connections = [this.main.connection, ...this.#others];
    this.#others.clear();
    await Promise.all(connections.map((connection) => connection.close()));
  }

  #create(doors: DoorChoice): Line {
    const { clientInfo, capabilities, handlers, limits, clock, random, log } = this.#parts;
    const router = new SessionRouter();
    const dialParts = {
      clock,
      clientInfo,
      log,
      handshake: limits.handshake,
      liveness: limits.liveness,
      capabilities: capabilitiesOf(handlers, capabilities, this.#clientId),
      onRequest: createRequestHandler(handlers),
      onNotification: router.onNotification,
    };
    const connection = new Connection({
      doors,
      dial: (door, signal) => dial(door, dialParts, signal),
      clock,
      random,
      limits: limits.reconnect,
      log,
    });
    return { connection, router };
  }
}
