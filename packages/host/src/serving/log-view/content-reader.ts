import type { RequestMessage } from '@signalbox/acp';
import { stringAt, type SessionId } from '@signalbox/core';
import type { Host } from '../../hosting/host.ts';
import type { ServedSessions } from '../served-sessions.ts';
import { invalidParams } from '../to-rpc-error.ts';
import { contentDigest } from './content-digest.ts';
import { objectParams, optionalCount, stringOf } from './params.ts';

/** The largest part, in UTF-8 bytes. The smallest one holds any character. */
export const PART_BYTES_MAX = 1024 * 1024;

interface Content {
  readonly key: string;
  readonly bytes: Buffer;
  readonly digest: string;
}

/** Reads large strings of events in parts, for one client. */
export class ContentReader {
  readonly #host: Host;
  /** The string that was read last: a client reads one from its beginning to its end. */
  #last: Content | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Answers with a part that begins at a character border and ends at one. @throws RpcError. */
  async read(sessions: ServedSessions, message: RequestMessage): Promise<object> {
    const params = objectParams(message);
    const sessionId = stringOf(params, 'sessionId');
    // Who may see the session may see what is in it.
    sessions.get(sessionId);
    const count = { min: 0, max: Number.MAX_SAFE_INTEGER };
    const seq = optionalCount(params, 'seq', { ...count, min: 1 });
    if (seq === undefined) throw invalidParams('/seq must be given');
    const offset = optionalCount(params, 'offset', count) ?? 0;
    const length = optionalCount(params, 'length', { min: 4, max: PART_BYTES_MAX });
    const content = await this.#content(sessionId as SessionId, seq, stringOf(params, 'pointer'));
    const { bytes, digest } = content;
    const from = characterBorder(bytes, offset);
    const to = characterBorder(bytes, from + (length ?? PART_BYTES_MAX));
    const isLast = to >= bytes.length;
    if (isLast) this.#last = undefined;
    const text = bytes.toString('utf8', from, to);
    return { text, offset: from, nextOffset: to, bytesTotal: bytes.length, digest, isLast };
  }

  async #content(sessionId: SessionId, seq: number, pointer: string): Promise<Content> {
    const key = JSON.stringify([sessionId, seq, pointer]);
    if (this.#last?.key === key) return this.#last;
    const [entry] = await this.#host.readLog(sessionId, seq - 1, 1);
    const text = entry?.seq === seq ? stringAt(entry.body, pointer) : undefined;
    if (text === undefined) {
      throw invalidParams(`event ${seq} has no string at ${pointer}`, { sessionId, seq, pointer });
    }
    const bytes = Buffer.from(text);
    this.#last = { key, bytes, digest: contentDigest(bytes) };
    return this.#last;
  }
}

/** The last border between characters at or before `offset`, or the end. */
function characterBorder(bytes: Buffer, offset: number): number {
  let at = Math.min(offset, bytes.length);
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
