import type { AgentConnection, RawJson } from '@signalbox/acp';
import {
  createEventMerger,
  toStoredEvent,
  type CursorPlace,
  type StoredEntry,
  type StoredEvent,
} from '@signalbox/core';
import type { Session } from '../../session/session.ts';
import { gatherBurst } from '../burst.ts';
import type { Role } from '../role.ts';
import { SessionClients } from '../session-clients.ts';
import type { SessionView } from '../session-view.ts';
import { EventDelivery } from './event-delivery.ts';
import type { History } from './history.ts';
import { PermissionDesk } from './permission-desk.ts';
import { toReplay, toStateUpdates } from './replay.ts';
import type { Standing } from './standing.ts';
import { TerminalContent } from './terminal-content.ts';
import type { UpdateGate } from './update-gate.ts';

/** What an {@link AcpView} works with. */
export interface AcpViewParts {
  readonly session: Session;
  readonly connection: AgentConnection;
  readonly gate: UpdateGate;
  /** The client, as the log names it. */
  readonly by: { readonly kind: 'client'; readonly name: string };
  readonly role: Role;
  /** The client, as its session knows it. */
  readonly client: object;
  /** Whether updates carry the client's place in the log. */
  readonly hasCursors: boolean;
  /** Whether the client understands our own notifications. */
  readonly wantsNews: boolean;
  /** Whether bursts of text may come as one update. */
  readonly merges: boolean;
  readonly onAgentStarted: (initialized: RawJson) => void;
  readonly onWithheld: (reason: string) => void;
  readonly log: (line: string) => void;
}

/** Tells a session as ACP does: updates, and permission requests to a client that may answer them. */
export class AcpView implements SessionView {
  readonly #terminals: TerminalContent;
  readonly #permissions: PermissionDesk;
  readonly #delivery: EventDelivery;
  readonly #merges: boolean;
  #openingCount = 0;

  constructor(parts: AcpViewParts) {
    const clients = SessionClients.of(parts.session);
    const terminals = new TerminalContent((id) => clients.isOthersTerminal(id, parts.client));
    const permissions = new PermissionDesk({ ...parts, terminals });
    this.#terminals = terminals;
    this.#merges = parts.merges;
    this.#permissions = permissions;
    this.#delivery = new EventDelivery({ ...parts, permissions, terminals });
  }

  async deliver(
    entries: readonly StoredEntry[],
    pass: (seq: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for (const stored of this.#merges ? mergedEvents(entries) : entries.map(toStoredEvent)) {
      if (signal.aborted) return;
      const room = this.#delivery.deliver(stored);
      if (room !== undefined) await room;
      pass(stored.seq);
    }
    if (this.#merges) await gatherBurst(signal);
  }

  /** The client opens the session, maybe once more. @returns whether this opening is still the last one. */
  beginOpening(): () => boolean {
    const opening = ++this.#openingCount;
    this.#delivery.begins = true;
    return () => opening === this.#openingCount;
  }

  /** Everything up to here is known to the client from the answer that made the session. */
  noteTold(seq: number): void {
    this.#delivery.toldSeq = seq;
  }

  /** Tells the whole session so far, and waits for a slow client. */
  async replay(history: History): Promise<void> {
    this.#take(history);
    await this.#delivery.sendInOrder(toReplay(history, this.#terminals));
  }

  /** Tells nothing of what was. @returns tells how the session stands. */
  resume(standing: Standing): () => Promise<void> {
    this.#take(standing);
    return () => this.#delivery.sendInOrder(toStateUpdates(standing));
  }

  /**
   * The client knows everything up to a place, and what comes behind it is told next.
   *
   * @param before the last events up to there.
   * @param standing given where the client comes with a connection that knows nothing yet.
   */
  startAgain(place: CursorPlace, before: readonly StoredEvent[], standing?: Standing): void {
    if (standing !== undefined) this.#take(standing);
    this.#delivery.startAgain(place, before);
  }

  /** What waits for an answer is asked again (B63), and what does not is withdrawn. */
  askAgain({ waiting }: Standing): void {
    this.#permissions.withdrawAllBut(waiting);
    for (const request of waiting.values()) this.#permissions.ask(request);
  }

  end(): void {
    this.#permissions.close();
  }

  #take({ terminals, transcript }: Standing): void {
    this.#delivery.openCalls.take(transcript);
    for (const [terminalId, { argv, exit }] of terminals) {
      this.#terminals.onStarted({ terminalId, argv });
      if (exit === undefined) continue;
      // What a transcript keeps of an output may be less than the host kept.
      const truncated = exit.truncated || exit.cut !== undefined;
      this.#terminals.onExited({ terminalId, ...exit, truncated });
    }
  }
}

/** The same events, with bursts merged. */
function* mergedEvents(entries: readonly StoredEntry[]): Iterable<StoredEvent> {
  const merger = createEventMerger();
  for (const entry of entries) yield* merger.add(toStoredEvent(entry));
  yield* merger.flush();
}
