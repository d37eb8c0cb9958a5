import { encodeEvent, encodeTranscript, toTranscript, type StoredEvent } from '@signalbox/core';
import { expect } from 'vitest';
import type {
  RemoteSession,
  RemoteSessionEvent,
  SignalboxClient,
} from '../../packages/client/src/index.ts';
import type { Reader } from './reader.ts';
import { Signal } from './signal.ts';

/** The client library: follows the log, answers every permission request with yes. */
export class LogReader implements Reader {
  readonly told: string[] = [];
  readonly #client: SignalboxClient;
  readonly #news = new Signal();
  #session!: RemoteSession;

  private constructor(client: SignalboxClient) {
    this.#client = client;
  }

  static async open(client: SignalboxClient, sessionId: string): Promise<LogReader> {
    const reader = new LogReader(client);
    const onEvent = (event: RemoteSessionEvent): void => reader.#onEvent(event);
    reader.#session = await client.attach(sessionId, { after: 'start', onEvent });
    return reader;
  }

  expected(log: readonly StoredEvent[]): string[] {
    return log.map(toText);
  }

  whenTold(): Promise<void> {
    return this.#news.next();
  }

  async prompt(text: string): Promise<void> {
    await this.#session.prompt(text).done;
  }

  check(log: readonly StoredEvent[]): void {
    expect(encodeTranscript(this.#session.view)).toEqual(encodeTranscript(toTranscript(log)));
    expect(this.#session.permissions).toEqual([]);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #onEvent(news: RemoteSessionEvent): void {
    if (news.type !== 'event') return;
    this.told.push(toText(news));
    this.#news.give();
    if (news.event.type !== 'permission.requested') return;
    const { permissionId } = news.event.data;
    // The listener of the first events runs before the session is handed out.
    queueMicrotask(() => void this.#session.answerPermission(permissionId, 'yes'));
  }
}

function toText({ seq, event }: StoredEvent): string {
  return `${seq} ${encodeEvent(event)}`;
}
