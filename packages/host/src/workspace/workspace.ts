import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from '@signalbox/acp';
import { Digests, toDigest, type Digest } from './digests.ts';
import { guard, isRefusal, type GuardedPath, type Intent } from './guard.ts';
import { PathQueue } from './path-queue.ts';
import { FileProblem, toFileProblem } from './problem.ts';
import { readBytes, type FileBytes } from './read-bytes.ts';
import type { Roots } from './roots.ts';
import { Slots } from './slots.ts';
import { decodeText, encodeText, FILE_BYTES_MAX, sliceLines } from './text-file.ts';
import { toFileRpcError } from './to-rpc-error.ts';
import { replaceFile } from './write-text-file.ts';

/**
 * Files of one session that are in memory at a time, each up to {@link FILE_BYTES_MAX}: an agent may ask for
 * a thousand at once.
 */
const FILES_AT_A_TIME = 4;

/** One access of an agent to a file: what policy judges and what the log keeps. */
export interface FileAccess {
  readonly kind: Intent;
  /** As the agent spelled it. */
  readonly path: string;
  /** The file behind it, without links. */
  readonly realPath: string;
  /** Of the whole file: as read, or as it will be. */
  readonly bytes: number;
  /** Null when there was no file. */
  readonly digestBefore: Digest;
  /** The same as before for reading. */
  readonly digestAfter: Digest;
}

/** How a workspace behaves beyond the protocol. */
export interface WorkspaceOptions {
  /** The largest file to read or write, in bytes. Default {@link FILE_BYTES_MAX}. */
  readonly fileBytesMax?: number;
  /**
   * Answers the reading of a missing file with the empty text, for agents that give up a new file
   * otherwise (gemini). Default false: -32002.
   */
  readonly missingFileReadsEmpty?: boolean;
  /** Judges an access with everything known, before anything is answered or changed. Throws to refuse. */
  readonly authorise?: (access: FileAccess) => void | Promise<void>;
  /** Told after an access has succeeded. Must not throw. */
  readonly onAccess?: (access: FileAccess) => void;
}

/** The files of one session, as its agent may read and write them through the protocol. */
export class Workspace {
  readonly roots: Roots;
  readonly #options: WorkspaceOptions;
  readonly #bytesMax: number;
  readonly #digests = new Digests();
  /** Writes in the order of the requests, by the path that was asked for. */
  readonly #asked = new PathQueue();
  /** Writes one at a time, by file: it may have several paths. */
  readonly #files = new PathQueue();
  readonly #inMemory = new Slots(FILES_AT_A_TIME);

  constructor(roots: Roots, options: WorkspaceOptions = {}) {
    this.roots = roots;
    this.#options = options;
    this.#bytesMax = options.fileBytesMax ?? FILE_BYTES_MAX;
  }

  /**
   * Answers `fs/read_text_file`.
   *
   * @throws RpcError -32002 for a missing file; -32602 for a path or window that cannot be used;
   * -32603 for a file that is no text, is too large or cannot be read. `data.reason` says more.
   */
  async readTextFile(
    params: Pick<ReadTextFileRequest, 'path' | 'line' | 'limit'>,
  ): Promise<ReadTextFileResponse> {
    try {
      return { content: await this.#inMemory.run(() => this.#read(params)) };
    } catch (error) {
      throw toFileRpcError(error);
    }
  }

  /**
   * Answers `fs/write_text_file`. Writes of one file happen one after the other.
   *
   * @throws RpcError -32602 for a path or content that cannot be used; -32603 otherwise. When
   * the file is not as this session saw it last, `data.reason` is `conflict`, with `seenDigest` and
   * `currentDigest` unless it changed in the last moment.
   */
  async writeTextFile(
    params: Pick<WriteTextFileRequest, 'path' | 'content'>,
  ): Promise<WriteTextFileResponse> {
    try {
      const bytes = encodeText(params.content, params.path, this.#bytesMax);
      await this.#asked.run(params.path, async () => {
        const guarded = await this.#guard(params.path, 'write');
        await this.#files.run(guarded.realPath, () =>
          this.#inMemory.run(() => this.#write(guarded, bytes)),
        );
      });
      return {};
    } catch (error) {
      throw toFileRpcError(error);
    }
  }

  /**
   * Looks at a file that a client serves in the host's place, so that the host, when it serves that file
   * again, overwrites nothing that somebody else has written since (B91). What cannot be looked at is
   * passed over: the client may know a file that is none here.
   *
   * @returns remembers what was there as read, or written, by this session.
   */
  async lookAt(path: string, kind: Intent): Promise<() => void> {
    try {
      const guarded = await this.#guard(path, 'write');
      const { realPath } = guarded;
      const write = this.#digests.lastWrite(realPath);
      const base = await this.#inMemory.run(() => this.#readBase(guarded));
      const digest = base === undefined ? null : toDigest(base.bytes);
      if (kind === 'write') return () => this.#digests.noteWrite(realPath, digest);
      return () => this.#digests.noteRead(realPath, digest, write);
    } catch (error) {
      if (error instanceof FileProblem) return () => undefined;
      throw error;
    }
  }

  async #read(params: Pick<ReadTextFileRequest, 'path' | 'line' | 'limit'>): Promise<string> {
    const { path } = params;
    // A bad window is bad for every file, also for the empty and the missing one.
    sliceLines('', params, path);
    const guarded = await guard(this.roots, path, 'read');
    if (isRefusal(guarded)) {
      if (guarded.reason !== 'missing' || guarded.realPath === undefined) {
        throw toFileProblem(guarded);
      }
      return this.#readMissing(path, guarded.realPath);
    }
    const { realPath } = guarded;
    const write = this.#digests.lastWrite(realPath);
    const { bytes } = await readBytes(guarded, this.#bytesMax);
    const text = decodeText(bytes, path);
    const digest = toDigest(bytes);
    const access = toAccess('read', guarded, bytes.length, digest, digest);
    await this.#options.authorise?.(access);
    this.#digests.noteRead(realPath, digest, write);
    this.#options.onAccess?.(access);
    return sliceLines(text, params, path);
  }

  async #readMissing(path: string, realPath: string): Promise<string> {
    const write = this.#digests.lastWrite(realPath);
    const access = toAccess('read', { path, realPath }, 0, null, null);
    await this.#options.authorise?.(access);
    // Seeing that there is no file is seeing something, too.
    this.#digests.noteRead(realPath, null, write);
    if (this.#options.missingFileReadsEmpty !== true) {
      throw new FileProblem('missing', path, `${path} does not exist`);
    }
    this.#options.onAccess?.(access);
    return '';
  }

  async #write(guarded: GuardedPath<'write'>, bytes: Buffer): Promise<void> {
    const { realPath } = guarded;
    const base = await this.#readBase(guarded);
    const digestBefore = base === undefined ? null : toDigest(base.bytes);
    this.#checkUnchanged(guarded, digestBefore);
    const digestAfter = toDigest(bytes);
    const access = toAccess('write', guarded, bytes.length, digestBefore, digestAfter);
    await this.#options.authorise?.(access);
    await replaceFile(guarded, { bytes, base });
    this.#digests.noteWrite(realPath, digestAfter);
    this.#options.onAccess?.(access);
  }

  /** Also a file that was made, or removed, since the path was checked is taken as it is. */
  async #readBase(guarded: GuardedPath<'write'>): Promise<FileBytes | undefined> {
    try {
      return await readBytes(guarded, this.#bytesMax);
    } catch (error) {
      if (error instanceof FileProblem && error.reason === 'missing') return undefined;
      throw error;
    }
  }

  #checkUnchanged({ path, realPath }: GuardedPath, current: Digest): void {
    const conflict = this.#digests.check(realPath, current);
    if (conflict === undefined) return;
    throw new FileProblem('conflict', path, conflictMessage(path, conflict.seen, current), {
      details: { seenDigest: conflict.seen, currentDigest: current },
    });
  }

  async #guard<Use extends Intent>(path: string, intent: Use): Promise<GuardedPath<Use>> {
    const guarded = await guard(this.roots, path, intent);
    if (isRefusal(guarded)) throw toFileProblem(guarded);
    return guarded;
  }
}

function toAccess(
  kind: Intent,
  { path, realPath }: Pick<GuardedPath, 'path' | 'realPath'>,
  bytes: number,
  digestBefore: Digest,
  digestAfter: Digest,
): FileAccess {
  return { kind, path, realPath, bytes, digestBefore, digestAfter };
}

/** Says what happened and what to do, for a model to read. */
function conflictMessage(path: string, seen: Digest, current: Digest): string {
  const how = current === null ? 'was removed' : seen === null ? 'was created' : 'changed';
  return `${path} ${how} since you last read or wrote it; read it again before writing`;
}
