import { isPeerError, rawObject, type AgentConnection, type RawJson } from '@signalbox/acp';
import type { EventOf, StoredEvent } from '@signalbox/core';
import type { Session } from '../session/session.ts';
import { isSameClient } from './client-names.ts';
import { EchoFilter } from './echo-filter.ts';
import type { PermissionDesk } from './permission-desk.ts';
import { rawItems } from './raw-items.ts';
import { SessionChoicesView } from './session-facts.ts';
import type { TerminalContent } from './terminal-content.ts';
import { isSound, kindOf, type UpdateGate } from './update-gate.ts';

/** What an {@link EventDelivery} works with. */
export interface DeliveryParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  readonly gate: UpdateGate;
  readonly permissions: PermissionDesk;
  readonly terminals: TerminalContent;
  /** The client, as the log names it. */
  readonly by: { readonly kind: 'client'; readonly name: string };
  /** An agent of this session is ready, and has said this of itself. */
  readonly onAgentStarted: (initialized: RawJson) => void;
  /** An update was not sent, and why. */
  readonly onWithheld: (reason: string) => void;
}

/** Tells one client what one event of a session's log means to it. */
export class EventDelivery {
  readonly #parts: DeliveryParts;
  readonly #echo = new EchoFilter();
  /** Starts of agents up to here are known to the client from an answer. */
  toldSeq = 0;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** @returns a promise when the client is to be waited for. */
  deliver(stored: StoredEvent): void | Promise<void> {
    const { permissions, terminals } = this.#parts;
    const { event } = stored;
    switch (event.type) {
      case 'update':
        return this.#onUpdate(stored, event);
      case 'turn.started':
        this.#echo.onTurnStarted(stored);
        return this.#onTurnStarted(event);
      case 'turn.finished':
        this.#echo.onTurnFinished();
        return;
      case 'permission.requested':
        permissions.ask(event);
        return;
      case 'permission.resolved':
        permissions.withdraw(event.data.permissionId);
        return;
      case 'agent.started':
        return this.#onAgentStarted(stored.seq, event);
      case 'terminal.started':
        terminals.onStarted(event.data);
        return;
      case 'terminal.exited':
        return this.#sendAll(terminals.onExited(event.data));
      default:
        return;
    }
  }

  /** Sends one update, unless the client does not take its kind. */
  send(update: RawJson): void | Promise<void> {
    const { session, connection, gate, terminals, onWithheld } = this.#parts;
    const admitted = gate.admit(update);
    if (admitted === undefined) {
      onWithheld(`the client takes no ${kindOf(update)}`);
      return;
    }
    const params = rawObject({ sessionId: session.id, update: terminals.shown(admitted) });
    try {
      return connection.notify('session/update', params);
    } catch (error) {
      // One update that cannot be sent must not keep the client from all that follow.
      if (!isPeerError(error)) throw error;
      onWithheld(error.message);
    }
  }

  #onUpdate(stored: StoredEvent, event: EventOf<'update'>): void | Promise<void> {
    const { update, by } = event.data;
    if (!isSound(event)) {
      this.#parts.onWithheld(event.data.problem ?? 'the update does not fit the protocol');
      return;
    }
    // Whoever changed the mode or an option has the answer to that.
    if (isSameClient(by, this.#parts.by)) return;
    if (kindOf(update) === 'user_message_chunk') {
      return this.#sendAll(this.#echo.admit(stored, update));
    }
    this.#echo.onOther();
    return this.send(update);
  }

  /** Others learn what was asked; whoever asked knows it (B86). */
  #onTurnStarted({ data }: EventOf<'turn.started'>): void | Promise<void> {
    if (isSameClient(data.by, this.#parts.by)) return;
    return this.#sendAll(
      rawItems(data.content).map((content) =>
        rawObject({ sessionUpdate: 'user_message_chunk', content }),
      ),
    );
  }

  /** An agent that was started anew may stand elsewhere than the one before it. */
  #onAgentStarted(seq: number, event: EventOf<'agent.started'>): void | Promise<void> {
    this.#parts.onAgentStarted(event.data.initialized);
    if (seq <= this.toldSeq) return;
    const choices = new SessionChoicesView();
    choices.onAgentStarted(event);
    return this.#sendAll(choices.toUpdates());
  }

  #sendAll(updates: readonly RawJson[]): void | Promise<void> {
    const [first, ...others] = updates;
    if (first === undefined) return;
    if (others.length === 0) return this.send(first);
    return this.sendInOrder(updates);
  }

  /** Sends updates one after the other, and waits for a slow client in between. */
  async sendInOrder(updates: Iterable<RawJson>): Promise<void> {
    for (const update of updates) {
      const room = this.send(update);
      if (room !== undefined) await room;
    }
  }
}
