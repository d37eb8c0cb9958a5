import { isPeerError, RawJson, rawObject, type AgentConnection } from '@signalbox/acp';
import {
  toCursor,
  type Actor,
  type CursorPlace,
  type EventOf,
  type SessionId,
  type StoredEvent,
} from '@signalbox/core';
import type { Session } from '../../session/session.ts';
import { isSameClient } from '../client-names.ts';
import { EchoFilter } from './echo-filter.ts';
import { OpenCalls } from './open-calls.ts';
import type { PermissionDesk } from './permission-desk.ts';
import { rawItems } from './raw-items.ts';
import { SessionChoicesView } from './session-facts.ts';
import type { TerminalContent } from './terminal-content.ts';
import { isSound, kindOf, type UpdateGate } from './update-gate.ts';

/** The member of `_meta` that holds the receiver's place behind an update. */
export const CURSOR_META = 'acp/cursor';

/** What an {@link EventDelivery} works with. */
export interface DeliveryParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  readonly gate: UpdateGate;
  readonly permissions: PermissionDesk;
  readonly terminals: TerminalContent;
  /** The client, as the log names it. */
  readonly by: { readonly kind: 'client'; readonly name: string };
  /** Whether updates carry the client's place in the log, for clients that may lose the connection. */
  readonly hasCursors: boolean;
  /** An agent of this session is ready, and has said this of itself. */
  readonly onAgentStarted: (initialized: RawJson) => void;
  /** An update was not sent, and why. */
  readonly onWithheld: (reason: string) => void;
}

/** A message's place: the event that it tells of, and which of that event's messages it is. */
interface MessagePlace {
  readonly seq: number;
  /** How many messages of the event are told behind this one; the last one is behind the whole event. */
  readonly part: number | 'last';
}

/** Tells one client what one event of a session's log means to it. */
export class EventDelivery {
  readonly #parts: DeliveryParts;
  /** Tool calls that end with their turn if their agent does not end them. */
  readonly openCalls = new OpenCalls();
  #echo = new EchoFilter();
  #seq = 0;
  /** The event whose first messages the client has already. */
  #resumedAt: CursorPlace | undefined;
  /** Starts of agents up to here are known to the client from an answer. */
  toldSeq = 0;
  /** Whether the client has opened the session, and nothing with a place has been sent since. */
  begins = true;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /**
   * What comes next is told behind this place, which the client names.
   *
   * @param before the last events up to there: they tell whether the agent was repeating a prompt, and
   *   which tool calls are open.
   */
  startAgain(place: CursorPlace, before: readonly StoredEvent[]): void {
    this.#resumedAt = place;
    this.#echo = new EchoFilter();
    for (const stored of before) this.#echo.skip(stored);
    this.openCalls.startAgain(place.seq, before);
  }

  /** @returns a promise when the client is to be waited for. */
  deliver(stored: StoredEvent): void | Promise<void> {
    const { permissions, terminals } = this.#parts;
    const { event } = stored;
    this.#seq = stored.seq;
    switch (event.type) {
      case 'update':
        return this.#onUpdate(stored, event);
      case 'turn.started':
        this.#echo.onTurnStarted(stored);
        return this.#onTurnStarted(event);
      case 'turn.finished':
        this.#echo.onTurnFinished();
        return this.#sendAll(this.openCalls.onTurnFinished(event));
      case 'permission.requested':
        this.openCalls.onPermissionRequested(stored.seq, event);
        permissions.ask(event);
        return;
      case 'permission.resolved':
        permissions.withdraw(event.data.permissionId, event.data);
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

  /** Sends updates one after the other that are no event of their own, and waits for a slow client. */
  async sendInOrder(updates: Iterable<RawJson>): Promise<void> {
    for (const update of updates) {
      const room = this.#send(update);
      if (room !== undefined) await room;
    }
  }

  #onUpdate(stored: StoredEvent, event: EventOf<'update'>): void | Promise<void> {
    const { update, by } = event.data;
    if (!isSound(event)) {
      this.#parts.onWithheld(event.data.problem ?? 'the update does not fit the protocol');
      return;
    }
    // Whoever changed the mode or an option has the answer to that.
    if (this.#isByClient(by)) return;
    if (kindOf(update) === 'user_message_chunk') {
      return this.#sendAll(this.#echo.admit(stored, update));
    }
    this.#echo.onOther();
    this.openCalls.onUpdate(stored.seq, event);
    return this.#sendAll([update]);
  }

  /** Others learn what was asked; whoever asked knows it (B86). */
  #onTurnStarted({ data }: EventOf<'turn.started'>): void | Promise<void> {
    if (this.#isByClient(data.by)) return;
    return this.#sendAll(
      rawItems(data.content).map((content) =>
        rawObject({ sessionUpdate: 'user_message_chunk', content }),
      ),
    );
  }

  /** Whether the client itself did it. Before this host ran the session, another one may have had its name. */
  #isByClient(by: Actor | undefined): boolean {
    const { session, by: client } = this.#parts;
    return this.#seq > session.firstHeadSeq && isSameClient(by, client);
  }

  /** An agent that was started anew may stand elsewhere than the one before it. */
  #onAgentStarted(seq: number, event: EventOf<'agent.started'>): void | Promise<void> {
    this.#parts.onAgentStarted(event.data.initialized);
    if (seq <= this.toldSeq) return;
    const choices = new SessionChoicesView();
    choices.onAgentStarted(event);
    return this.#sendAll(choices.toUpdates());
  }

  /** Sends what the event under way means, but for the messages of it that the client has already. */
  #sendAll(updates: readonly RawJson[]): void | Promise<void> {
    const resumed = this.#resumedAt;
    const skipped = resumed?.seq === this.#seq - 1 ? resumed.part : 0;
    const [first] = updates;
    if (first === undefined || skipped >= updates.length) return;
    if (updates.length === 1) return this.#send(first, { seq: this.#seq, part: 'last' });
    return this.#sendParts(updates, skipped);
  }

  async #sendParts(updates: readonly RawJson[], skipped: number): Promise<void> {
    const seq = this.#seq;
    for (const [index, update] of updates.entries()) {
      if (index < skipped) continue;
      const part = index === updates.length - 1 ? 'last' : index + 1;
      const room = this.#send(update, { seq, part });
      if (room !== undefined) await room;
    }
  }

  /** Sends one update, unless the client does not take its kind. */
  #send(update: RawJson, place?: MessagePlace): void | Promise<void> {
    const { session, connection, gate, terminals, hasCursors, onWithheld } = this.#parts;
    const { id } = session;
    const admitted = gate.admit(update);
    if (admitted === undefined) {
      onWithheld(`the client takes no ${kindOf(update)}`);
      return;
    }
    const members = { sessionId: id, update: terminals.shown(admitted) };
    const cursor = hasCursors && place !== undefined ? cursorBehind(id, place) : undefined;
    const params =
      cursor === undefined
        ? rawObject(members)
        : rawObject({ ...members, _meta: new RawJson(`{"${CURSOR_META}":"${cursor}"}`) });
    const framePlace =
      cursor === undefined ? { stream: id } : { stream: id, cursor, begins: this.begins };
    if (cursor !== undefined) this.begins = false;
    try {
      return connection.notify('session/update', params, framePlace);
    } catch (error) {
      // One update that cannot be sent must not keep the client from all that follow.
      if (!isPeerError(error)) throw error;
      onWithheld(error.message);
    }
  }
}

function cursorBehind(sessionId: SessionId, { seq, part }: MessagePlace): string {
  return part === 'last' ? toCursor(sessionId, seq) : toCursor(sessionId, seq - 1, part);
}
