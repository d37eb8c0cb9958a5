import type { PermissionId } from '@signalbox/core';
import type { Session } from '../session/session.ts';

const ofSessions = new WeakMap<Session, SessionClients>();

/** The clients of one session in this process, over all their connections. Clients are compared only. */
export class SessionClients {
  readonly #attached = new Set<object>();
  /** Those who see the log itself and may answer what waits there. */
  readonly #answerers = new Set<object>();
  /** Who is being asked for leave, and has neither answered nor failed to. */
  readonly #asked = new Map<PermissionId, Set<object>>();
  readonly #terminals = new Map<string, object>();

  static of(session: Session): SessionClients {
    const known = ofSessions.get(session);
    if (known !== undefined) return known;
    const created = new SessionClients();
    ofSessions.set(session, created);
    return created;
  }

  attach(client: object): void {
    this.#attached.add(client);
  }

  /** This client sees every permission request and may answer it. */
  mayAnswer(client: object): void {
    this.#answerers.add(client);
  }

  detach(client: object): void {
    this.#attached.delete(client);
    this.#answerers.delete(client);
    for (const asked of this.#asked.values()) asked.delete(client);
  }

  /** Whether anybody else is attached. */
  hasOthers(client: object): boolean {
    return [...this.#attached].some((other) => other !== client);
  }

  ask(permissionId: PermissionId, client: object): void {
    const asked = this.#asked.get(permissionId) ?? new Set();
    this.#asked.set(permissionId, asked.add(client));
  }

  /** This client cannot answer. @returns whether anybody else may. */
  failedToAnswer(permissionId: PermissionId, client: object): boolean {
    const asked = this.#asked.get(permissionId);
    asked?.delete(client);
    return this.#answerers.size > 0 || (asked !== undefined && asked.size > 0);
  }

  settle(permissionId: PermissionId): void {
    this.#asked.delete(permissionId);
  }

  noteTerminal(terminalId: string, client: object): void {
    this.#terminals.set(terminalId, client);
  }

  /** Whether another client made this terminal. */
  isOthersTerminal(terminalId: string, client: object): boolean {
    const owner = this.#terminals.get(terminalId);
    return owner !== undefined && owner !== client;
  }
}
