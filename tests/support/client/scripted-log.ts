import { RawJson, RpcError, type Peer } from '@signalbox/acp';
import {
  encodeEvent,
  encodeTranscript,
  toTranscript,
  type SessionEvent,
  type StoredEvent,
} from '@signalbox/core';

/** The log of one session on a {@link LogServer}, with what its followers are told. */
export class ScriptedLog {
  readonly sessionId: string;
  readonly events: SessionEvent[] = [];
  /** Events in one message at most. */
  batchMax = 3;
  /** Events are told in messages of this many, each as one that stands for all, if `merge` makes one of them. */
  merge: ((events: readonly SessionEvent[]) => SessionEvent | undefined) | undefined;
  /** Sequence numbers that are left out of what is told, once each. */
  readonly lost = new Set<number>();
  /** Messages that are sent twice: the number of the first event in them. */
  readonly doubled = new Set<number>();
  #epoch = 0;
  readonly #followers = new Set<() => void>();

  constructor(sessionId: string, events: readonly SessionEvent[] = []) {
    this.sessionId = sessionId;
    this.events.push(...events);
  }

  get stored(): StoredEvent[] {
    return this.events.map((event, index) => ({ seq: index + 1, event }));
  }

  append(...events: readonly SessionEvent[]): void {
    this.events.push(...events);
    for (const wake of this.#followers) wake();
  }

  /** The log is made anew: cursors of before mean nothing any more. */
  renew(events: readonly SessionEvent[]): void {
    this.events.splice(0, Infinity, ...events);
    this.#epoch++;
  }

  cursorOf(seq: number): string {
    return `c${this.#epoch}-${this.sessionId}-${seq}`;
  }

  /** What a client is answered that attaches behind `after`, and where events begin. */
  open(after: string | undefined): { readonly answer: object; readonly from: number } {
    const facts = { agent: 'fake', cwd: '/project' };
    if (after === 'start') return { answer: facts, from: 0 };
    const [, epoch, id, seq] = /^c(\d+)-(.*)-(\d+)$/.exec(after ?? '') ?? [];
    if (after !== undefined && id !== this.sessionId) {
      throw new RpcError(-32602, 'Invalid params: a foreign cursor', { reason: 'cursor_foreign' });
    }
    const isKnown = Number(epoch) === this.#epoch && Number(seq) <= this.events.length;
    if (after !== undefined && isKnown) return { answer: facts, from: Number(seq) };
    const transcript = encodeTranscript(toTranscript(this.stored));
    const snapshot = { cursor: this.cursorOf(this.events.length), transcript };
    const gap = after === undefined ? {} : { gap: { reason: 'epoch' } };
    return { answer: { ...facts, snapshot, ...gap }, from: this.events.length };
  }

  /** Tells a client of the events behind `from`, and of what comes. @returns what ends that. */
  follow(peer: Peer, from: number): () => void {
    const { sessionId } = this;
    const head = this.events.length;
    let at = from;
    let isCaughtUp = false;
    const tell = (): void => {
      while (at < this.events.length) {
        at = this.#tellBatch(peer, at);
        tellHead();
      }
    };
    const tellHead = (): void => {
      if (isCaughtUp || at < head) return;
      isCaughtUp = true;
      void peer.notify('_signalbox/session/caught_up', { sessionId, cursor: this.cursorOf(at) });
    };
    this.#followers.add(tell);
    tellHead();
    tell();
    return () => this.#followers.delete(tell);
  }

  #tellBatch(peer: Peer, at: number): number {
    const end = Math.min(at + this.batchMax, this.events.length);
    const stored = this.stored.slice(at, end);
    const merged = this.merge?.(stored.map(({ event }) => event));
    const told = stored.filter(({ seq }) => !this.lost.delete(seq));
    const items =
      merged === undefined
        ? told.map(({ seq, event }) => `{"seq":${seq},"event":${encodeEvent(event)}}`)
        : [`{"firstSeq":${at + 1},"seq":${end},"event":${encodeEvent(merged)}}`];
    if (items.length === 0) return end;
    const params = `{"sessionId":"${this.sessionId}","events":[${items.join(',')}],"cursor":"${this.cursorOf(end)}"}`;
    const times = this.doubled.delete(at + 1) ? 2 : 1;
    for (let n = 0; n < times; n++) {
      void peer.notify('_signalbox/session/events', new RawJson(params));
    }
    return end;
  }
}
