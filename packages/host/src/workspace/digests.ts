import { createHash } from 'node:crypto';

/** Sha-256 of a file's content in hexadecimal; null when there was no file. */
export type Digest = string | null;

/** How many files a session remembers. Of more, those that were used least recently are forgotten. */
const FILES_MAX = 4096;

interface Seen {
  readonly digest: Digest;
  /** Whether the session has read the file here, so that it can do so again. */
  readonly wasRead: boolean;
  /** The number of the last write, 0 for none. */
  readonly write: number;
}

/** A file is not as the session saw it last. */
export interface Conflict {
  readonly seen: Digest;
  readonly current: Digest;
}

/**
 * What a session last saw of each file, by real path, so that it does not overwrite what somebody else
 * has written since (B91).
 *
 * A file that the session never saw may be overwritten: many agents read files by their own means, of
 * which the host knows nothing. For the same reason a conflict on a file that was only ever written here
 * is told once and then forgotten; one on a file that was read here stays until it is read again.
 */
export class Digests {
  readonly #files = new Map<string, Seen>();
  readonly #filesMax: number;
  #writes = 0;

  constructor(filesMax = FILES_MAX) {
    this.#filesMax = filesMax;
  }

  /** The number of the last write to a file, to be given to {@link noteRead}. */
  lastWrite(realPath: string): number {
    return this.#files.get(realPath)?.write ?? 0;
  }

  /**
   * Remembers what was read.
   *
   * @param write the last write when reading began; what was read before a later one is out of date.
   */
  noteRead(realPath: string, digest: Digest, write: number): void {
    if (this.lastWrite(realPath) !== write) return;
    this.#note(realPath, { digest, wasRead: true, write });
  }

  /** Remembers what was written. */
  noteWrite(realPath: string, digest: Digest): void {
    const wasRead = this.#files.get(realPath)?.wasRead ?? false;
    this.#note(realPath, { digest, wasRead, write: ++this.#writes });
  }

  /** Says whether a file is still as the session saw it. To be asked before each write. */
  check(realPath: string, current: Digest): Conflict | undefined {
    const seen = this.#files.get(realPath);
    if (seen === undefined || seen.digest === current) return undefined;
    if (!seen.wasRead) this.#files.delete(realPath);
    return { seen: seen.digest, current };
  }

  #note(realPath: string, seen: Seen): void {
    // A map keeps the order of insertion, so the first one is the least recently used.
    this.#files.delete(realPath);
    this.#files.set(realPath, seen);
    if (this.#files.size <= this.#filesMax) return;
    for (const oldest of this.#files.keys()) {
      this.#files.delete(oldest);
      break;
    }
  }
}

/** The digest of a content. */
export function toDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
