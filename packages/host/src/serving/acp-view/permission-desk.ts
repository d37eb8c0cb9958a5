import { isPeerError, rawObject, type AgentConnection } from '@signalbox/acp';
import type { Actor, EventOf, PermissionId } from '@signalbox/core';
import { isHostError } from '../../host-error.ts';
import type { Session } from '../../session/session.ts';
import { isSameClient } from '../client-names.ts';
import { isAtLeast, type Role } from '../role.ts';
import { SessionClients } from '../session-clients.ts';
import type { TerminalContent } from './terminal-content.ts';

/** What a {@link PermissionDesk} works with. */
export interface PermissionDeskParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  readonly by: Extract<Actor, { kind: 'client' }>;
  readonly terminals: TerminalContent;
  /** The client, as its session knows it. */
  readonly client: object;
  readonly role: Role;
  /** Whether the client understands our own notifications. */
  readonly wantsNews: boolean;
  readonly log: (line: string) => void;
}

/**
 * Asks one client for leave where the agent wants it. All clients of a session are asked and the first
 * valid answer wins; what has been decided elsewhere is withdrawn here (B65, B67).
 */
export class PermissionDesk {
  readonly #parts: PermissionDeskParts;
  readonly #open = new Map<PermissionId, AbortController>();

  constructor(parts: PermissionDeskParts) {
    this.#parts = parts;
  }

  /**
   * Sends a request that waits for an answer, behind everything that was sent before. A client that is
   * behind, or is told a part of the log again, is not asked for what has been decided by now.
   */
  ask({ data }: EventOf<'permission.requested'>): void {
    const { session, connection, client, terminals, role } = this.#parts;
    const { permissionId, options } = data;
    if (!session.state.permissions.has(permissionId) || this.#open.has(permissionId)) return;
    if (!isAtLeast(role, 'approver')) return;
    const withdrawn = new AbortController();
    this.#open.set(permissionId, withdrawn);
    SessionClients.of(session).ask(permissionId, client);
    const toolCall = terminals.shown(data.toolCall);
    const params = rawObject({ sessionId: session.id, toolCall, options });
    const answer = connection.request('session/request_permission', params, {
      signal: withdrawn.signal,
    });
    void this.#settle(permissionId, answer, withdrawn.signal);
  }

  /**
   * The request is decided. A client that was asked and has not answered is told with `$/cancel_request`,
   * and by whom it was decided if it wants to know.
   */
  withdraw(permissionId: PermissionId, resolved?: EventOf<'permission.resolved'>['data']): void {
    const { session, connection, by, wantsNews } = this.#parts;
    SessionClients.of(session).settle(permissionId);
    const waiting = this.#open.get(permissionId);
    this.#open.delete(permissionId);
    if (waiting === undefined) return;
    waiting.abort();
    if (!wantsNews || resolved === undefined || isSameClient(resolved.by, by)) return;
    const news = { sessionId: session.id, ...resolved };
    void connection.notifyOther('_signalbox/permission_resolved', news, { stream: session.id });
  }

  /** Withdraws everything but what still waits, of which no event told because none were sent. */
  withdrawAllBut(waiting: ReadonlyMap<PermissionId, unknown>): void {
    for (const permissionId of [...this.#open.keys()]) {
      if (!waiting.has(permissionId)) this.withdraw(permissionId);
    }
  }

  /** Asks nothing more; what waits is left to others. */
  close(): void {
    for (const withdrawn of this.#open.values()) withdrawn.abort();
    this.#open.clear();
  }

  async #settle(
    permissionId: PermissionId,
    answer: Promise<{ outcome: { outcome: string; optionId?: string } }>,
    withdrawn: AbortSignal,
  ): Promise<void> {
    let optionId: string | undefined;
    try {
      const { outcome } = await answer;
      if (outcome.outcome === 'selected') optionId = outcome.optionId;
      // A client that stops the turn answers so too (R-CAN-03), and its cancel may come right behind.
      else await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      if (withdrawn.aborted || isPeerError(error, 'closed')) return;
      if (this.#isLeftToOthers(permissionId, error)) return;
    }
    if (!withdrawn.aborted) await this.#answer(permissionId, optionId);
  }

  /** A client that cannot be asked leaves it to the others; where there are none, that is a no (R-PER-07). */
  #isLeftToOthers(permissionId: PermissionId, error: unknown): boolean {
    const { session, client, log } = this.#parts;
    const others = SessionClients.of(session).failedToAnswer(permissionId, client);
    const why = error instanceof Error ? error.message : String(error);
    log(`session ${session.id}: the client could not answer a permission request: ${why}`);
    return others;
  }

  async #answer(permissionId: PermissionId, optionId: string | undefined): Promise<void> {
    const { session, by, log } = this.#parts;
    try {
      await session.answerPermission(permissionId, optionId, by);
    } catch (error) {
      if (!isHostError(error)) throw error;
      // Somebody was quicker, or the option was never offered, which is no leave either.
      if (error.code !== 'permission_not_answerable' || optionId === undefined) return;
      log(`session ${session.id}: ${error.message}`);
      await this.#answer(permissionId, undefined);
    }
  }
}
